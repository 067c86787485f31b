"""Debian's Chromium through Debian's driver, without a window."""

from __future__ import annotations

import base64
import io
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from PIL import Image

from tests.patience import PATIENCE_S, comes

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needed = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="there is no Chromium: apt install chromium chromium-driver"
)
_ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
    # Nothing but this machine can be reached, and whatever is tried is in the log.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--use-fake-ui-for-media-stream",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Look:
    """A screen: its size in pixels of CSS, the pixels of the device for each, dark or light."""

    width: int
    height: int
    scale: int = 1
    scheme: str = "light"


PHONE, SMALLEST = Look(390, 844, 2), Look(320, 568, 2)
DESKTOP, TELEVISION, LARGEST = Look(1280, 800), Look(1920, 1080), Look(3840, 2160)


class Browser:
    """A browser with tabs; each method is about the tab that was used last."""

    def __init__(self, *arguments: str) -> None:
        # Half a second, for processes that open a browser only.
        from selenium.webdriver import Chrome
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        options = Options()
        options.binary_location = CHROMIUM or ""
        for one in (*_ARGUMENTS, *arguments):
            options.add_argument(one)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = Chrome(options=options, service=Service(DRIVER or ""))
        self.driver.set_script_timeout(PATIENCE_S)

    def open(self, address: str, look: Look, cookie: str = "") -> str:
        """Open an address in a tab of its own, with a cookie of these pages; gives the name of the tab."""
        if self.driver.current_url != "about:blank":
            self.driver.switch_to.new_window("tab")
        if cookie:
            self.give(cookie, address)
        self.go(address, look)
        assert self.is_true("document.body.dataset.state !== 'connecting'")
        return self.driver.current_window_handle

    def go(self, address: str, look: Look) -> None:
        self.look(look)
        self.driver.get(address)

    def give(self, cookie: str, address: str) -> None:
        """Give it a cookie of the pages at an address: name, "=", value."""
        name, _, value = cookie.partition("=")
        self.command("Network.setCookie", name=name, value=value, url=address, sameSite="Strict")

    def leave(self) -> None:
        """Close all tabs but one, which is empty then, and forget cookies and complaints."""
        first, *others = self.driver.window_handles
        for one in others:
            self.tab(one)
            self.driver.close()
        self.tab(first)
        self.run("location.replace('about:blank')")  # a page that leaves by itself keeps its process
        assert comes(lambda: self.driver.current_url == "about:blank")
        self.command("Network.clearBrowserCookies")
        self.command("Accessibility.disable")  # each page costs more with it
        self.complaints()

    def tab(self, name: str) -> None:
        self.driver.switch_to.window(name)

    def look(self, look: Look) -> None:
        """Let the tab be on another screen."""
        size = {"width": look.width, "height": look.height}
        phone = look.width < 600
        self.command("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=look.scale, mobile=phone)
        features = [
            {"name": "prefers-color-scheme", "value": look.scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.command("Emulation.setEmulatedMedia", features=features)

    def command(self, name: str, /, **what: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, what)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(f"return {script}", *arguments)

    def is_true(self, script: str) -> bool:
        return comes(lambda: bool(self.run(script)), 0.05)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def click(self, selector: str, place: int = 0) -> None:
        """Click what a selector of CSS finds, at this place of all; it may have to come first."""
        self._patiently(selector, lambda found: found.click(), place)

    def fill(self, selector: str, text: str) -> None:
        """Type this into a field instead of what it has, or choose the value from a list."""

        def fill(field: Any) -> None:
            if field.tag_name == "select":
                field.find_element("css selector", f"[value='{text}']").click()
            else:
                field.clear()
                field.send_keys(text)

        self._patiently(selector, fill)

    def _patiently(self, selector: str, act: Callable[[Any], None], place: int = 0) -> None:
        """A page that is live may draw itself again between finding and acting: both happen once more."""
        from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException

        def acted() -> bool:
            try:
                act(self.driver.find_elements("css selector", selector)[place])
            except (IndexError, NoSuchElementException, StaleElementReferenceException):
                return False
            return True

        assert comes(acted, 0.05), f"{selector} is not there"

    def seen(self) -> Image.Image:
        """The screen as it is now, with its letters."""
        assert self.is_true("document.fonts.status === 'loaded'")
        with Image.open(
            io.BytesIO(base64.b64decode(self.command("Page.captureScreenshot")["data"]))
        ) as found:
            return found.convert("RGB")

    def complaints(self) -> list[str]:
        """What the browser has to say of the pages: refused scripts, missing files, addresses elsewhere."""
        return [str(one["message"]) for one in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]


@contextmanager
def browser(*arguments: str) -> Iterator[Browser]:
    made = Browser(*arguments)
    try:
        yield made
    finally:
        made.driver.quit()
