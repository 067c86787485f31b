"""Set-up for every kind of scanner: its driver, and its simulated twin at the other end of the line."""

from __future__ import annotations

import fcntl
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from hardware.drivers.auto_scanner import AutoScanner
from hardware.drivers.hid_scanner import HidScanner
from hardware.drivers.serial_scanner import SerialScanner
from hardware.ports import DeviceFault, Message, Scanned
from hardware.scanner.framing import SILENCE_S
from hardware.scanner.source import UNREADABLE_LIMIT
from hardware.simulation.keyboard_scanner import KeyboardScanner
from hardware.simulation.scanner_line import ScannerLine
from tests.hardware.device_setup import SOON_S, HandClock, Letters
from tests.patience import PATIENCE_S

MANY_REJECTS = 1000


class Driver(Protocol):
    def start(self, post: Callable[[Message], None]) -> None: ...
    def wait_listening(self, timeout_s: float) -> bool: ...
    def alive(self) -> bool: ...
    def check(self) -> str: ...
    def close(self) -> None: ...


@contextmanager
def listening(driver: Driver, letters: Letters) -> Iterator[Driver]:
    """The driver, as it listens to its scanner."""
    driver.start(letters.post)
    try:
        assert driver.wait_listening(SOON_S)
        yield driver
    finally:
        driver.close()


class Bench(Protocol):
    """A scanner in somebody's hand. `name` is the driver's in the registry, `mine` what is simulated."""

    name: str
    mine: ScannerLine | KeyboardScanner

    def driver(self) -> Driver:
        """A driver of it; several may be made."""

    def scan(self, text: str) -> None:
        """Read a code."""

    def scan_among_others(self, before: str, after: str) -> None:
        """Read two codes with all that the line carries beside codes before, between and behind them."""

    def half(self, text: str) -> None:
        """Send the code "1", begin with another one in the same moment, and stop in the middle."""

    def silence(self) -> None:
        """Let the line be silent for longer than any pause in a code."""

    def noise(self) -> None:
        """Send a thousand bytes of noise, or what noise is on this line."""

    def spoilt(self) -> None:
        """Send a code that cannot be read."""

    def move(self) -> None:
        """Change the speed it speaks at, or the place it is found at, while it is in use."""

    def plug(self) -> None:
        self.mine.plug()

    def unplug(self) -> None:
        self.mine.unplug()

    def close(self) -> None:
        self.mine.close()


NOISE = random.Random(104).randbytes(1000)
UNREADABLE = b"\xf8\x00\x80"  # as at a wrong speed


@dataclass
class SerialBench(Bench):
    folder: Path
    name: str = "serial"
    mine: ScannerLine = field(init=False)
    clock: HandClock = field(default_factory=HandClock)

    def __post_init__(self) -> None:
        self.mine = ScannerLine(self.folder, sends_at=9600, end=b"\r\n")

    def driver(self) -> Driver:
        return SerialScanner(SerialScanner.Options(port=self.mine.path), self.clock)

    def scan(self, text: str) -> None:
        self.mine.scan(text)

    def scan_among_others(self, before: str, after: str) -> None:
        self.mine.write(b"\r\n\n\t" + before.encode() + b"\r\n\r\n\t" + after.encode() + b"\t\r")

    def half(self, text: str) -> None:
        self.mine.write(b"1" + self.mine.end + text.encode())

    def silence(self) -> None:
        self.clock.s += 2 * SILENCE_S

    def noise(self) -> None:
        self.mine.write(NOISE)

    def spoilt(self) -> None:
        self.mine.write(UNREADABLE)

    def move(self) -> None:
        self.mine.unplug()
        self.mine.plug()  # the link leads to another tty


@dataclass
class HidBench(Bench):
    folder: Path
    name: str = "hid"
    end: str = "\r"
    mine: KeyboardScanner = field(init=False)
    clock: HandClock = field(default_factory=HandClock)

    def __post_init__(self) -> None:
        self.mine = KeyboardScanner(self.folder)

    def driver(self, **options: Any) -> Driver:
        return HidScanner(HidScanner.Options(**options), self.clock, root=self.folder, ioctl=self.mine.ioctl)

    def scan(self, text: str) -> None:
        self.mine.scan(text, self.end)

    def scan_among_others(self, before: str, after: str) -> None:
        for text in (before, after):
            self.mine.event(0x11, 0, 1)  # EV_LED: Num Lock is on
            self.mine.press(text[0])
            self.mine.event(0x01, 30, 2)  # EV_KEY: the kernel repeats a key that is held for long
            for char in text[1:] + "\r":
                self.mine.press(char)
            self.mine.event(0x01, 69, 1)  # Num Lock, down and up
            self.mine.event(0x01, 69, 0)

    def half(self, text: str) -> None:
        self.mine.press("1", self.end, *text)

    def silence(self) -> None:
        self.clock.s += 2 * SILENCE_S

    def noise(self) -> None:
        for code in (59, 1, 103, 111, 240):  # F1, Esc, Up, Delete, unknown
            for value in (1, 0):
                self.mine.event(0x01, code, value)
            self.mine.press("7")
            self.mine.press("\r")

    def spoilt(self) -> None:
        self.mine.event(0x01, 59, 1)  # F1

    def move(self) -> None:
        self.mine.unplug()
        self.mine.plug(11)


def auto(folder: Path, clock: HandClock, ioctl: Callable[[int, int, int], Any] = fcntl.ioctl) -> AutoScanner:
    """The driver for whatever is plugged into the machine whose file system begins at `folder`."""
    return AutoScanner(AutoScanner.Options(), clock, root=folder, ioctl=ioctl, comports=lambda: ())


@dataclass
class AutoSerialBench(SerialBench):
    name: str = "auto"

    def __post_init__(self) -> None:
        (self.folder / "dev").mkdir()
        self.mine = ScannerLine(self.folder / "dev", sends_at=115_200, end=b"\r\n")

    def driver(self) -> Driver:
        return auto(self.folder, self.clock)


@dataclass
class AutoKeyboardBench(HidBench):
    name: str = "auto"

    def driver(self, **options: Any) -> Driver:
        return auto(self.folder, self.clock, self.mine.ioctl)


BENCHES: dict[str, Callable[[Path], Bench]] = {
    "serial": SerialBench,
    "hid": HidBench,
    "auto with a serial port": AutoSerialBench,
    "auto with a keyboard": AutoKeyboardBench,
}
"""Every kind of scanner that there is a driver for."""


def use(bench: Bench, letters: Letters) -> list[Message]:
    """Hold cards before the scanner until one is heard, as people do; gives the faults on the way."""
    until_s = time.monotonic() + PATIENCE_S
    seen: list[Message] = []
    number = 1000
    while not _heard(seen):
        assert time.monotonic() < until_s, "no scan is heard any more"
        bench.scan(f"USE-{number}")
        number += 1
        seen += letters.until(Scanned, within_s=0.1)
        bench.silence()  # which ends what was spoilt
    bench.scan("USE-LAST")  # nothing of all that may come later, in the middle of a test
    while _heard(seen)[-1] != "USE-LAST":
        seen += letters.until(Scanned)
    heard = _heard(seen)
    assert heard == sorted(set(heard))
    assert all(text.startswith("USE-") for text in heard)
    return [message for message in seen if not isinstance(message, Scanned)]


def told_noise(bench: Bench, letters: Letters) -> DeviceFault:
    """Spoil a code again and again until it is told, which must not be before it has come three times.

    On a machine that is busy more are needed: the driver sees no silence between two that it reads at once.
    """
    told: list[Message] = []
    sent = 0
    while not told:
        assert sent < MANY_REJECTS, "noise is not told"
        bench.spoilt()
        sent += 1
        bench.silence()
        told = letters.until(DeviceFault, within_s=0.1)
    assert sent >= UNREADABLE_LIMIT
    assert isinstance(told[-1], DeviceFault)
    return told[-1]


def _heard(messages: list[Message]) -> list[str]:
    return [message.text for message in messages if isinstance(message, Scanned)]
