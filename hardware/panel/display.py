"""Every display's port: a `Panel` says how pictures get onto one kind of panel, `PanelDisplay` does the rest.

Writing a frame may take 93 ms on a slow bus, and a loose wire may make it fail at any byte. Neither may hold
up the game: `draw` and `light` only leave a note, and one thread brings the panel to the newest note, opens
it again after a fault, and reports once that it failed and once that it works again.
"""

from __future__ import annotations

import threading
import time
from abc import abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

from hardware.background import DeviceThread
from hardware.ports import Light, Message

if TYPE_CHECKING:
    from PIL.Image import Image

FIRST_RETRY_S: Final = 0.25
LAST_RETRY_S: Final = 2.0
PLAYED_REFRESHES: Final = 10
"""While people play at a panel that has never failed, only one of so many refreshes is sent."""

_DEVICE: Final = "display"


class Panel(Protocol):
    """A panel whose methods block until the bus has carried everything. One thread uses it.

    A display driver is a panel: five methods, and `check` where it has more to say than that it opens.
    Every method may raise `HardwareError`; the panel is then closed, and opened again later.

    ```python
    class Teletype(Panel):
        width_px, height_px = 128, 64
        _file = None

        def open(self) -> None:
            self._file = open("/dev/lp0", "wb")

        def show(self, frame: Image) -> None:
            self._file.write(frame.tobytes())

        def light(self, level: Light) -> None:
            pass  # paper has no light

        def refresh(self) -> None:
            pass  # paper does not forget

        def close(self) -> None:
            if self._file is not None:
                self._file.close()


    display = PanelDisplay(Teletype())
    ```
    """

    width_px: int
    height_px: int

    @abstractmethod
    def open(self) -> None:
        """Find the panel and initialise it. It stays dark until `light`; its memory counts as unknown."""

    @abstractmethod
    def show(self, frame: Image) -> None:
        """Put a picture of mode "1" and the panel's size into the panel's memory."""

    @abstractmethod
    def light(self, level: Light) -> None:
        """Set the brightness; `Light.OFF` hides the picture and keeps it."""

    @abstractmethod
    def refresh(self) -> None:
        """Send again all that the panel should have kept: setup, brightness and picture. No flicker."""

    @abstractmethod
    def close(self) -> None:
        """Free the bus; the panel keeps its picture. More than once does no harm."""

    def check(self) -> str:
        """One line for people about what answered; raises `HardwareError`. Not while it is in use."""
        try:
            self.open()
        finally:
            self.close()
        return f"a panel of {self.width_px}x{self.height_px} pixels opens"


class PanelDisplay(DeviceThread):
    """The display port over a `Panel`; see `hardware.ports.Display`.

    Its faults are those of "display". `refresh_s` is the pause between two refreshes of an idle panel, in
    seconds; 0 means never. `sparing`: while the light is full and the panel has never failed, only one of
    `PLAYED_REFRESHES` is sent, because a refresh holds up the pictures of a slow bus. `now_s` is a monotonic
    clock; retries and refreshes follow it.
    """

    def __init__(
        self,
        panel: Panel,
        *,
        refresh_s: float = 0.0,
        sparing: bool = False,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(_DEVICE, now_s)
        self.width_px = panel.width_px
        self.height_px = panel.height_px
        self._panel = panel
        self._refresh_s = refresh_s
        self._sparing = sparing

        # Shared, guarded by the condition:
        self._changed = threading.Condition()
        self._frame: Image | None = None
        self._level = Light.FULL
        self._asked = 0  # how often draw and light were called; _done is as far as the panel has come
        self._done = 0

        # Only for the working thread:
        self._open = False
        self._shown: Image | None = None
        self._lit: Light | None = None
        self._retry_at_s = float("-inf")
        self._retry_s = FIRST_RETRY_S
        self._refresh_at_s = 0.0
        self._spared = 0  # refreshes since the last one that was sent
        self._has_failed = False

    # ------------------------------------------------------------------ any thread, without waiting

    def start(self, post: Callable[[Message], None]) -> None:
        """Start; the panel is opened in the thread. A second start without a close is a `RuntimeError`."""
        self._retry_at_s, self._retry_s = float("-inf"), FIRST_RETRY_S
        super().start(post)

    def draw(self, frame: Image) -> None:
        """Show this picture next, in place of all older ones.

        Raises `ValueError` if it is not of mode "1" and the panel's size.
        """
        if frame.mode != "1" or frame.size != (self.width_px, self.height_px):
            raise ValueError(
                f"the {_DEVICE} shows pictures of mode '1' and {self.width_px}x{self.height_px} pixels, "
                f"not of mode {frame.mode!r} and {frame.width}x{frame.height}"
            )
        with self._changed:
            self._frame = frame
            self._asked += 1
            self._changed.notify_all()

    def light(self, level: Light) -> None:
        with self._changed:
            self._level = level
            self._asked += 1
            self._changed.notify_all()

    def settle(self, timeout_s: float) -> bool:
        """Wait until the panel shows everything drawn so far; False if it is not in time or not started."""
        with self._changed:
            wanted = self._asked
            self._changed.wait_for(
                lambda: self._done >= wanted or self._thread is None or self.stopping.is_set(), timeout_s
            )
            return self._done >= wanted

    def check(self) -> str:
        """One line for people about what answered; raises `HardwareError`. Not while it is started."""
        return self._panel.check()

    def _interrupt(self) -> None:
        with self._changed:
            self._changed.notify_all()

    # ----------------------------------------------------------------------------- the thread itself

    def _run(self) -> None:
        try:
            while not self.stopping.is_set():
                pause_s = self.work(self._post)
                with self._changed:
                    # While the panel is closed, a new picture does not end the pause: a game that draws ten
                    # times a second must not try a broken bus ten times a second.
                    self._changed.wait_for(
                        lambda: self.stopping.is_set() or (self._open and self._done != self._asked), pause_s
                    )
        finally:
            self._close_panel()

    def work(self, post: Callable[[Message], None]) -> float | None:
        """Do all that is due and post what is new; gives the seconds until more is due (None: until a draw).

        The thread does nothing else. A test that has not called `start` may call it, one call at a time.
        """
        if not self._open and self._now_s() < self._retry_at_s:
            return self._retry_at_s - self._now_s()
        with self._changed:
            frame, level, asked = self._frame, self._level, self._asked
        try:
            self._bring_to(frame, level)
        except Exception as seen:  # noqa: BLE001 - a bug in a driver costs the picture, never the game
            return self._give_up(post, *self._reason(seen))
        with self._changed:
            self._done = asked  # not `_asked`: that may have grown since the picture was taken
            self._changed.notify_all()
        self._reporter.recovered(post)
        self._retry_s = FIRST_RETRY_S
        return max(0.0, self._refresh_at_s - self._now_s()) if self._refresh_s else None

    def _bring_to(self, frame: Image | None, level: Light) -> None:
        if not self._open:
            self._panel.open()
            self._open = True
            self._shown, self._lit = None, None
            self._refresh_at_s = self._now_s() + self._refresh_s
        if frame is None:
            return  # nothing was drawn yet, and a panel that was just switched on would show noise
        # A refresh waits until there is nothing else to send. The picture comes before the light, because a
        # panel that was just opened would show what is in its memory.
        idle = frame is self._shown and level is self._lit
        if frame is not self._shown:
            self._panel.show(frame)
            self._shown = frame
        if level is not self._lit:
            self._panel.light(level)
            self._lit = level
        if idle and self._refresh_s and self._now_s() >= self._refresh_at_s:
            self._spared += 1
            played = self._sparing and level is Light.FULL and not self._has_failed
            if not played or self._spared >= PLAYED_REFRESHES:
                self._panel.refresh()
                self._spared = 0
            self._refresh_at_s = self._now_s() + self._refresh_s

    def _give_up(self, post: Callable[[Message], None], fault: str, check: str) -> float:
        self._close_panel()
        self._has_failed = True
        self._reporter.fault(post, fault, check)
        pause_s = self._retry_s
        self._retry_at_s = self._now_s() + pause_s
        self._retry_s = min(2 * pause_s, LAST_RETRY_S)
        return pause_s

    def _close_panel(self) -> None:
        self._open = False
        with suppress(Exception):  # its fault was reported already
            self._panel.close()
