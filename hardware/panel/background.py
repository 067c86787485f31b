"""The thread that owns a slow panel and keeps it right; what a panel is made of is not known here.

Writing a frame may take 93 ms on a slow bus, and a loose wire may make it fail at any byte. Neither is
the game's business: `draw` and `light` only leave a note, and one thread brings the panel to the newest
note, opens it again after a fault and says once that it is ill and once that it is well.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

from hardware.errors import HardwareError
from hardware.ports import DeviceFault, DeviceRecovered, Light

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

    from hardware.ports import Message

FIRST_RETRY_S: Final = 0.25
LAST_RETRY_S: Final = 2.0
_LEAVE_S: Final = 2.0
"""How long `close` waits for a write that is stuck on the bus; the kernel gives up after one second."""


class Panel(Protocol):
    """A panel whose methods block until the wire has carried everything. One thread uses it.

    Every method may raise `HardwareError`; the panel is then closed and opened again later.
    """

    width_px: int
    height_px: int

    def open(self) -> None:
        """Find the panel and initialise it. It stays dark until `light`; what it held is forgotten."""

    def show(self, frame: Image) -> None:
        """Put a picture of mode "1" and the panel's size into the panel's memory."""

    def light(self, level: Light) -> None:
        """Set the brightness; `Light.OFF` hides the picture and keeps it."""

    def refresh(self) -> None:
        """Say again all that the panel should have kept: set-up, brightness and picture. No flicker."""

    def close(self) -> None:
        """Free the bus and leave the glass as it is. More than once does no harm."""


class Background:
    """Gives a blocking `Panel` the manners of a `Display`.

    `device` is the id in the messages. `refresh_s` is the pause between two refreshes of an idle
    panel, in seconds; 0 means never. `now_s` is a monotonic clock; retries and refreshes follow it.
    """

    def __init__(
        self,
        device: str,
        panel: Panel,
        *,
        refresh_s: float = 0.0,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.width_px = panel.width_px
        self.height_px = panel.height_px
        self._device = device
        self._panel = panel
        self._refresh_s = refresh_s
        self._now_s = now_s
        self._thread: threading.Thread | None = None

        # Shared, guarded by the condition:
        self._news = threading.Condition()
        self._frame: Image | None = None
        self._level = Light.FULL
        self._asked = 0  # counts draw and light; _done is the count the panel has reached
        self._done = 0
        self._leaving = False

        # Of the working thread alone:
        self._open = False
        self._shown: Image | None = None
        self._lit: Light | None = None
        self._retry_at_s = float("-inf")
        self._retry_s = FIRST_RETRY_S
        self._refresh_at_s = 0.0
        self._ill: tuple[str, str] | None = None  # the fault and the check that were posted last

    # ------------------------------------------------------------------ any thread, without waiting

    def start(self, post: Callable[[Message], None]) -> None:
        """Begin; the panel is opened in the thread. A second start without a close is a `RuntimeError`."""
        with self._news:
            if self._thread is not None:
                raise RuntimeError(f"{self._device} is already started; close it first")
            self._leaving = False
            self._ill, self._retry_at_s, self._retry_s = None, float("-inf"), FIRST_RETRY_S
            self._thread = threading.Thread(
                target=self._run, args=(post,), name=f"panel-{self._device}", daemon=True
            )
            self._thread.start()

    def draw(self, frame: Image) -> None:
        """Leave the newest picture. Raises `ValueError` if it is not of mode "1" and the panel's size."""
        if frame.mode != "1" or frame.size != (self.width_px, self.height_px):
            raise ValueError(
                f"the {self._device} shows pictures of mode '1' and {self.width_px}x{self.height_px} pixels, "
                f"not of mode {frame.mode!r} and {frame.width}x{frame.height}"
            )
        with self._news:
            self._frame = frame
            self._asked += 1
            self._news.notify_all()

    def light(self, level: Light) -> None:
        """Leave the newest brightness."""
        with self._news:
            self._level = level
            self._asked += 1
            self._news.notify_all()

    def settle(self, timeout_s: float) -> bool:
        """Wait until the panel has everything asked so far; False if it is not in time or not started."""
        with self._news:
            wanted = self._asked
            self._news.wait_for(lambda: self._done >= wanted or self._thread is None, timeout_s)
            return self._done >= wanted

    def close(self) -> None:
        """Stop the thread and close the panel; the glass keeps its picture. Waits for a write under way."""
        with self._news:
            thread = self._thread
            self._leaving = True
            self._news.notify_all()
        if thread is not None and thread is not threading.current_thread():
            thread.join(_LEAVE_S)

    # ----------------------------------------------------------------------------- the thread itself

    def _run(self, post: Callable[[Message], None]) -> None:
        try:
            while True:
                pause_s = self.work(post)
                with self._news:
                    self._news.wait_for(
                        lambda: self._leaving or (self._open and self._done != self._asked), pause_s
                    )
                    if self._leaving:
                        return
        finally:
            self._close_panel()
            with self._news:
                self._thread = None
                self._news.notify_all()

    def work(self, post: Callable[[Message], None]) -> float | None:
        """Do all that is due, post what is new, give the seconds until more is due (None: until a draw).

        The thread does nothing else. Without a thread it may be called from anywhere, one call at a time.
        """
        if not self._open and self._now_s() < self._retry_at_s:
            return self._retry_at_s - self._now_s()
        with self._news:
            frame, level, asked = self._frame, self._level, self._asked
        try:
            self._bring_to(frame, level)
        except HardwareError as seen:
            return self._fall_ill(post, seen.fault, seen.check)
        except Exception as seen:  # noqa: BLE001 - a bug in a driver costs the picture, never the game
            return self._fall_ill(
                post, f"unexpected {type(seen).__name__}: {seen}", "please report this; the game continues"
            )
        with self._news:
            self._done = asked
            self._news.notify_all()
        if self._ill is not None:
            self._ill = None
            post(DeviceRecovered(self._device))
        self._retry_s = FIRST_RETRY_S
        return max(0.0, self._refresh_at_s - self._now_s()) if self._refresh_s else None

    def _bring_to(self, frame: Image | None, level: Light) -> None:
        if not self._open:
            self._panel.open()
            self._open = True
            self._shown, self._lit = None, None
            self._refresh_at_s = self._now_s() + self._refresh_s
        if frame is None:
            return  # nothing was drawn yet: a panel that has just been switched on holds noise
        idle = frame is self._shown and level is self._lit
        if frame is not self._shown:
            self._panel.show(frame)
            self._shown = frame
        if level is not self._lit:
            self._panel.light(level)
            self._lit = level
        if idle and self._refresh_s and self._now_s() >= self._refresh_at_s:
            self._panel.refresh()
            self._refresh_at_s = self._now_s() + self._refresh_s

    def _fall_ill(self, post: Callable[[Message], None], fault: str, check: str) -> float:
        self._close_panel()
        if self._ill != (fault, check):
            self._ill = (fault, check)
            post(DeviceFault(self._device, fault, check))
        pause_s = self._retry_s
        self._retry_at_s = self._now_s() + pause_s
        self._retry_s = min(2 * pause_s, LAST_RETRY_S)
        return pause_s

    def _close_panel(self) -> None:
        self._open = False
        with suppress(Exception):  # it is being given up; its fault was told already or is of no use
            self._panel.close()
