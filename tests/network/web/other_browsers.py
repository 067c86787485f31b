"""Debian's Firefox, by WebDriver BiDi, and its WebKit and Chromium through their drivers.

Each has one tab here, and begins in a second or two.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import pytest

from tests.network.web.browser import CHROMIUM, DRIVER, PHONE, Browser, browser
from tests.patience import PATIENCE_S, comes

FIREFOX, WEBKIT, DISPLAY = (shutil.which(name) for name in ("firefox-esr", "WebKitWebDriver", "Xvfb"))


class OneTab(Protocol):
    """What the tests of all browsers need."""

    def go(self, address: str) -> None:
        """Load a page."""

    def run(self, expression: str) -> Any:
        """The value of an expression in the page."""

    def give(self, name: str, value: str) -> None:
        """Give it a cookie of the page that is loaded."""

    def screen(self) -> bytes:
        """What is to be seen, as PNG."""


class Chromium:
    """A tab of Chromium."""

    def __init__(self, driver: Browser) -> None:
        self._driver = driver
        driver.look(PHONE)

    def go(self, address: str) -> None:
        self._driver.driver.get(address)

    def run(self, expression: str) -> Any:
        return self._driver.run(expression)

    def give(self, name: str, value: str) -> None:
        self._driver.give(f"{name}={value}", self._driver.driver.current_url)

    def screen(self) -> bytes:
        return self._driver.driver.get_screenshot_as_png()


class Firefox:
    """A tab of Firefox."""

    def __init__(self, address: str) -> None:
        import websocket  # that of selenium

        self._socket = websocket.create_connection(
            f"{address}/session", timeout=PATIENCE_S, suppress_origin=True
        )
        self._numbers = count(1)
        self._ask("session.new", capabilities={})
        self._tab = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        size = {"width": PHONE.width, "height": PHONE.height}
        self._ask("browsingContext.setViewport", context=self._tab, viewport=size)

    def close(self) -> None:
        self._socket.close()

    def _ask(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (said := json.loads(self._socket.recv())).get("id") != number:
            pass
        assert said["type"] == "success", said
        return said["result"]

    def go(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def run(self, expression: str) -> Any:
        # Values come as they are in JSON only as a text.
        asked = {"expression": f"JSON.stringify({expression})", "awaitPromise": True}
        found = self._ask("script.evaluate", target={"context": self._tab}, **asked)
        assert found["type"] == "success", found
        return json.loads(found["result"].get("value", "null"))

    def give(self, name: str, value: str) -> None:
        host = self.run("location.hostname")
        cookie = {"name": name, "value": {"type": "string", "value": value}, "domain": host}
        self._ask("storage.setCookie", cookie=cookie)

    def screen(self) -> bytes:
        return base64.b64decode(self._ask("browsingContext.captureScreenshot", context=self._tab)["data"])


class WebKit:
    """The window of WebKit's own browser."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        driver.set_window_size(PHONE.width, PHONE.height)

    def go(self, address: str) -> None:
        self._driver.get(address)

    def run(self, expression: str) -> Any:
        return self._driver.execute_script(f"return {expression}")

    def give(self, name: str, value: str) -> None:
        self._driver.add_cookie({"name": name, "value": value, "path": "/"})

    def screen(self) -> bytes:
        found: bytes = self._driver.get_screenshot_as_png()
        return found


@contextmanager
def firefox() -> Iterator[OneTab]:
    if FIREFOX is None:
        pytest.skip("there is no Firefox: apt install firefox-esr")
    with TemporaryDirectory() as profile:
        words = [FIREFOX, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as running:
            assert running.stderr is not None
            try:
                lines = (re.search(r"listening on (ws://\S+)", line) for line in running.stderr)
                tab = Firefox(next(found[1] for found in lines if found))
                try:
                    yield tab
                finally:
                    tab.close()
            finally:
                running.kill()


@contextmanager
def webkit() -> Iterator[OneTab]:
    if WEBKIT is None or DISPLAY is None:
        pytest.skip("there is no WebKit: apt install webkit2gtk-driver xvfb")
    from selenium.webdriver import WebKitGTK
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service

    reads, writes = os.pipe()
    screen = [DISPLAY, "-displayfd", str(writes), "-screen", "0", "1280x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(screen, pass_fds=(writes,), stderr=subprocess.DEVNULL) as running:
        try:
            display = os.read(reads, 10).decode().strip()
            options = Options()
            options.binary_location = str(next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")))
            options.add_argument("--automation")
            service = Service(WEBKIT, env={**os.environ, "DISPLAY": f":{display}"})
            driver = WebKitGTK(options=options, service=service)
            try:
                yield WebKit(driver)
            finally:
                driver.quit()
        finally:
            running.kill()
            os.close(reads)
            os.close(writes)


@contextmanager
def chromium_tab() -> Iterator[OneTab]:
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("there is no Chromium: apt install chromium chromium-driver")
    with browser() as made:
        yield Chromium(made)


BROWSERS = {"chromium": chromium_tab, "firefox": firefox, "webkit": webkit}


def becomes(tab: OneTab, expression: str) -> bool:
    """Whether something holds in the page after a while."""
    return comes(lambda: bool(tab.run(expression)), 0.05)
