"""Devices without hardware: the absent ones, and those a test or a demo plays on; nothing is decided here.

Null drivers are real drivers: a table without a buzzer has `NoBuzzer`, and nobody asks whether there is
one. The simulated ones do what a hand and an eye do: press, scan, look, listen.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hardware.options import option
from hardware.ports import DeviceFault, DeviceRecovered, KeyPressed, Light, Press, Scanned
from hardware.posting import to_nobody

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

    from hardware.ports import Key, Message, Signal


@dataclass(frozen=True, slots=True)
class NoOptions:
    """Nothing to configure."""


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """The size of a panel that is not there."""

    width_px: int = option("width in pixels", 128, low=1, high=1024)
    height_px: int = option("height in pixels", 64, low=1, high=1024)


class Absent:
    """No device, whichever it would be. Any thread, any time."""

    Options: Final = NoOptions
    width_px = 128
    height_px = 64

    def __init__(self, options: NoOptions | None = None) -> None:
        pass

    def start(self, post: Callable[[Message], None]) -> None:
        """Nothing to begin."""

    def check(self) -> str:
        """Say that there is none."""
        return "none is configured"

    def close(self) -> None:
        """Nothing to free."""

    def draw(self, frame: Image) -> None:
        """Nobody sees it."""

    def light(self, level: Light) -> None:
        """Nothing to light."""

    def settle(self, timeout_s: float) -> bool:
        """It is settled."""
        return True

    def give(self, signal: Signal) -> None:
        """Nobody hears it."""


NoDisplay = NoButtons = NoScanner = NoBuzzer = Absent


class SimulatedDisplay:
    """Keeps what it was shown: the newest 64 `frames`, the `count` of all, and the `light_level`."""

    Options: Final = PanelOptions

    def __init__(self, options: PanelOptions | None = None) -> None:
        self.post: Callable[[Message], None] = to_nobody
        options = options or PanelOptions()
        self.width_px = options.width_px
        self.height_px = options.height_px
        self.frames: deque[Image] = deque(maxlen=64)
        self.count = 0
        self.light_level = Light.FULL
        self._news = threading.Condition()

    @property
    def newest(self) -> Image | None:
        """The picture on the panel; None before the first."""
        return self.frames[-1] if self.frames else None

    def start(self, post: Callable[[Message], None]) -> None:
        """From now on its messages go to `post`."""
        self.post = post

    def check(self) -> str:
        """Say that it is simulated."""
        return "simulated"

    def close(self) -> None:
        """Its messages go nowhere from now on."""
        self.post = to_nobody

    def draw(self, frame: Image) -> None:
        """Keep it. Raises `ValueError` where it has not mode "1" and the panel's size."""
        if frame.mode != "1" or frame.size != (self.width_px, self.height_px):
            raise ValueError(
                f"a picture of mode {frame.mode!r} and {frame.size}; "
                f"it takes mode '1' and {(self.width_px, self.height_px)}"
            )
        with self._news:
            self.frames.append(frame)
            self.count += 1
            self._news.notify_all()

    def light(self, level: Light) -> None:
        """Keep it."""
        self.light_level = level

    def settle(self, timeout_s: float) -> bool:
        """It is settled."""
        return True

    def wait_for(self, seen: Callable[[Image], bool], timeout_s: float) -> bool:
        """Wait until a picture is on the panel of which `seen` is true; False if it is not in time."""
        with self._news:
            return self._news.wait_for(lambda: self.newest is not None and seen(self.newest), timeout_s)


class SimulatedButtons:
    """Keys that are pressed by calling `press`."""

    Options: Final = NoOptions

    def __init__(self, options: NoOptions | None = None, now_s: Callable[[], float] = time.monotonic) -> None:
        self.post: Callable[[Message], None] = to_nobody
        self._now_s = now_s

    def start(self, post: Callable[[Message], None]) -> None:
        """From now on its messages go to `post`."""
        self.post = post

    def check(self) -> str:
        """Say that it is simulated."""
        return "simulated"

    def close(self) -> None:
        """Its messages go nowhere from now on."""
        self.post = to_nobody

    def press(self, key: Key, press: Press = Press.SHORT) -> None:
        """A finger presses a key."""
        self.post(KeyPressed(key, press, self._now_s()))


class SimulatedScanner:
    """A scanner that reads what it is told to."""

    Options: Final = NoOptions

    def __init__(self, options: NoOptions | None = None, now_s: Callable[[], float] = time.monotonic) -> None:
        self.post: Callable[[Message], None] = to_nobody
        self._now_s = now_s
        self._plugged = True

    def start(self, post: Callable[[Message], None]) -> None:
        """From now on its messages go to `post`."""
        self.post = post

    def check(self) -> str:
        """Say that it is simulated."""
        return "simulated"

    def close(self) -> None:
        """Its messages go nowhere from now on."""
        self.post = to_nobody

    def scan(self, text: str) -> None:
        """Read a code; unplugged, it reads nothing. Raises `ValueError` for what no scanner sends."""
        if not text or not text.isascii() or not text.isprintable():
            raise ValueError(f"{text!r} is not what a scanner sends: printable ASCII, at least one character")
        if self._plugged:
            self.post(Scanned(text, self._now_s()))

    def unplug(self) -> None:
        """Pull the plug: a fault, once."""
        if self._plugged:
            self._plugged = False
            self.post(DeviceFault("scanner", "the scanner is not connected", "plug it in again"))

    def plug(self) -> None:
        """Plug it in again: mended, once."""
        if not self._plugged:
            self._plugged = True
            self.post(DeviceRecovered("scanner"))


class SimulatedBuzzer:
    """Keeps every signal in `given`, oldest first."""

    Options: Final = NoOptions

    def __init__(self, options: NoOptions | None = None) -> None:
        self.post: Callable[[Message], None] = to_nobody
        self.given: list[Signal] = []

    def start(self, post: Callable[[Message], None]) -> None:
        """From now on its messages go to `post`."""
        self.post = post

    def check(self) -> str:
        """Say that it is simulated."""
        return "simulated"

    def close(self) -> None:
        """Its messages go nowhere from now on."""
        self.post = to_nobody

    def give(self, signal: Signal) -> None:
        """Keep it."""
        self.given.append(signal)
