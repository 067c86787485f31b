"""Debian's Chromium through Debian's driver, without a window."""

from __future__ import annotations

import base64
import io
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from PIL import Image
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

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
        options = Options()
        options.binary_location = CHROMIUM or ""
        for one in (*_ARGUMENTS, *arguments):
            options.add_argument(one)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = Chrome(options=options, service=Service(DRIVER or ""))
        self.driver.set_script_timeout(PATIENCE_S)

    def open(self, address: str, look: Look) -> str:
        """Open an address in a new tab; gives its name."""
        self.driver.switch_to.new_window("tab")
        self.look(look)
        self.driver.get(address)
        assert self.is_true("document.body.dataset.state !== 'connecting'")
        return self.driver.current_window_handle

    def give(self, cookie: str) -> None:
        """Give it a cookie of the pages that it is at: name, "=", value."""
        name, _, value = cookie.partition("=")
        self.driver.add_cookie({"name": name, "value": value, "sameSite": "Strict"})

    def leave(self) -> None:
        """Close all tabs but one, which is empty then, and forget cookies and complaints."""
        first, *others = self.driver.window_handles
        for one in others:
            self.tab(one)
            self.driver.close()
        self.tab(first)
        self.driver.get("about:blank")
        self.command("Network.clearBrowserCookies")
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

    def command(self, name: str, **what: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, what)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(f"return {script}", *arguments)

    def is_true(self, script: str) -> bool:
        return comes(lambda: bool(self.run(script)), 0.05)

    def click(self, selector: str, place: int = 0) -> None:
        """Click what a selector of CSS finds, at this place of all; it may have to come first.

        A page that is live may draw itself again between the finding and the click, which then has not
        happened: it is found and clicked once more.
        """

        def clicked() -> bool:
            try:
                self.driver.find_elements(By.CSS_SELECTOR, selector)[place].click()
            except (IndexError, StaleElementReferenceException):
                return False
            return True

        assert comes(clicked, 0.05), f"{selector} is not there"

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
