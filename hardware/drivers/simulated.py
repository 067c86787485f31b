"""Devices without hardware: those that are absent, and those that a test or a demo uses.

An absent device has a driver like any other: a table without a buzzer has `NoBuzzer`, so the program need not
ask whether there is one. The simulated ones have methods for what people do: press a key, scan a card, look
at the display.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct

from hardware.background import discard
from hardware.options import option
from hardware.ports import Key, KeyPressed, Light, Message, Press, Scanned, Signal

if TYPE_CHECKING:
    from PIL.Image import Image


class NoOptions(Struct, frozen=True):
    """Nothing to configure."""


class PanelOptions(Struct, frozen=True):
    """The size of a simulated panel."""

    width_px: Annotated[int, option("width in pixels", low=1, high=1024)] = 128
    height_px: Annotated[int, option("height in pixels", low=1, high=1024)] = 64


class Absent:
    """No device, for every port. Any thread, any time."""

    Options: Final = NoOptions
    width_px = 128
    height_px = 64

    def __init__(self, options: NoOptions | None = None) -> None:
        pass

    def start(self, post: Callable[[Message], None]) -> None:
        """Do nothing."""

    def check(self) -> str:
        return "none is configured"

    def close(self) -> None:
        """Do nothing."""

    def draw(self, frame: Image) -> None:
        """Do nothing."""

    def light(self, level: Light) -> None:
        """Do nothing."""

    def settle(self, timeout_s: float) -> bool:
        return True

    def give(self, signal: Signal) -> None:
        """Do nothing."""


NoDisplay = NoButtons = NoScanner = NoBuzzer = Absent


class _Simulated:
    """What all of them have: `post`, which takes their messages while they are started."""

    post: Callable[[Message], None] = staticmethod(discard)

    def start(self, post: Callable[[Message], None]) -> None:
        """From now on, its messages go to `post`."""
        self.post = post

    def check(self) -> str:
        return "simulated"

    def close(self) -> None:
        """From now on, its messages are dropped."""
        self.post = discard


class SimulatedDisplay(_Simulated):
    """Keeps what it showed: the newest 64 `frames`, the `count` of all, and the `light_level`."""

    Options: Final = PanelOptions

    def __init__(self, options: PanelOptions | None = None) -> None:
        options = options or PanelOptions()
        self.width_px = options.width_px
        self.height_px = options.height_px
        self.frames: deque[Image] = deque(maxlen=64)
        self.count = 0
        self.light_level = Light.FULL
        self._changed = threading.Condition()

    @property
    def newest(self) -> Image | None:
        """The picture on the panel; None before the first."""
        return self.frames[-1] if self.frames else None

    def draw(self, frame: Image) -> None:
        """Keep the picture. Raises `ValueError` if it is not of mode "1" and the panel's size."""
        if frame.mode != "1" or frame.size != (self.width_px, self.height_px):
            raise ValueError(
                f"a picture of mode {frame.mode!r} and {frame.size}; "
                f"it takes mode '1' and {(self.width_px, self.height_px)}"
            )
        with self._changed:
            self.frames.append(frame)
            self.count += 1
            self._changed.notify_all()

    def light(self, level: Light) -> None:
        self.light_level = level

    def settle(self, timeout_s: float) -> bool:
        return True

    def wait_for(self, seen: Callable[[Image], bool], timeout_s: float) -> bool:
        """Wait until a picture is drawn for which `seen` is true; False if that takes too long."""
        with self._changed:
            return self._changed.wait_for(lambda: self.newest is not None and seen(self.newest), timeout_s)


class SimulatedButtons(_Simulated):
    """Keys that are pressed by calling `press`."""

    Options: Final = NoOptions

    def __init__(self, options: NoOptions | None = None, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s

    def press(self, key: Key, press: Press = Press.SHORT) -> None:
        self.post(KeyPressed(key, press, self._now_s()))


class SimulatedScanner(_Simulated):
    """A scanner whose codes are read by calling `scan`."""

    Options: Final = NoOptions

    def __init__(self, options: NoOptions | None = None, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s

    def scan(self, text: str) -> None:
        """Read a code. Raises `ValueError` for what no scanner sends."""
        if not text or not text.isascii() or not text.isprintable():
            raise ValueError(f"{text!r} is not what a scanner sends: printable ASCII, at least one character")
        self.post(Scanned(text, self._now_s()))


class SimulatedBuzzer(_Simulated):
    """Keeps every signal in `given`, oldest first."""

    Options: Final = NoOptions

    def __init__(self, options: NoOptions | None = None) -> None:
        self.given: list[Signal] = []

    def give(self, signal: Signal) -> None:
        self.given.append(signal)
