"""Any barcode scanner on USB, as it is sold: a serial port, or a keyboard that types its codes."""

from __future__ import annotations

import fcntl
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from hardware.errors import HardwareError, sentence
from hardware.scanner.framing import End, Framer
from hardware.scanner.input_devices import keyboards, names_a_scanner
from hardware.scanner.keyboard_line import KeyboardSource
from hardware.scanner.keyboard_watch import UNKNOWN, FoundScan, KeyboardWatch
from hardware.scanner.serial_line import LINK, SerialSource, named_device, only_device
from hardware.scanner.source import UNREADABLE_LIMIT, Receiver, Source, SourceScanner
from hardware.scanner.speed import SpeedSearch

if TYPE_CHECKING:
    from serial.tools.list_ports_common import ListPortInfo

_DEVICE: Final = "scanner"


class AutoScanner(SourceScanner):
    """The scanner that is plugged in, whatever it acts as. Wiring: its USB plug.

    A serial port that is named as a scanner is taken first, then such a keyboard, then the only serial port.
    Any other keyboard is listened to, and stays what it is, until it types a code as fast as no person can:
    then it is the scanner, and that scan counts. If a person types on it, it is a keyboard again.

    ```toml
    [scanner]
    driver = "auto"
    ```

    ```python
    from hardware.drivers.auto_scanner import AutoScanner

    scanner = AutoScanner(AutoScanner.Options())
    print(scanner.check())  # USB Barcode Scanner at /dev/input/event7; scan a code to see what it types
    scanner.start(print)
    ```
    """

    class Options(Struct, frozen=True):
        """Nothing to set: it takes any scanner with a USB plug, as it is sold."""

    def __init__(
        self,
        options: Options,
        now_s: Callable[[], float] = time.monotonic,
        *,
        root: Path = Path("/"),
        ioctl: Callable[[int, int, int], Any] = fcntl.ioctl,
        comports: Callable[[], Iterable[ListPortInfo]] | None = None,
    ) -> None:
        """`root` and `ioctl` as of `HidScanner`, `comports` as of pyserial; tests have their own."""
        super().__init__(_AnySource(now_s, root, ioctl, comports or _comports), now_s)


Options = AutoScanner.Options


def _comports() -> Iterable[ListPortInfo]:
    try:
        from serial.tools.list_ports import comports
    except ImportError:  # then only a keyboard can be the scanner
        return ()
    return comports()


class _AnySource(Source):
    """Chooses a source whenever it is opened, and another one when a better one is there."""

    def __init__(
        self,
        now_s: Callable[[], float],
        root: Path,
        ioctl: Callable[[int, int, int], Any],
        comports: Callable[[], Iterable[ListPortInfo]],
    ) -> None:
        self._now_s = now_s
        self._root = root
        self._ioctl = ioctl
        self._comports = comports
        self._speed = SpeedSearch()
        self._lock = threading.Lock()  # `interrupt` never reaches a source that is being closed
        self._is_open = False  # guarded by the lock
        self._source: Source | None = None
        self._chosen: tuple[str, ...] = ()
        self._typed: FoundScan | None = None
        """The code that a keyboard has typed whose name does not say that it is a scanner."""

    def open(self, receiver: Receiver) -> None:
        self._use(self._choice(), receiver)

    def read(self, receiver: Receiver) -> None:
        source = self._source
        if source is None:
            return
        if isinstance(source, KeyboardWatch):
            receiver.unreadable(*UNKNOWN)
        source.read(receiver)
        if isinstance(source, KeyboardWatch) and source.scan is not None:
            self._typed = source.scan
            receiver.scanned(source.scan.code)
        elif isinstance(source, KeyboardSource) and source.rejected >= UNREADABLE_LIMIT:
            self._typed = None  # somebody types on it
        elif not isinstance(source, KeyboardWatch):
            return
        choice = self._choice()
        if choice[0] == _WATCHED and isinstance(source, KeyboardWatch):
            source.watch(keyboards(self._root))
        elif choice != self._chosen:
            self.close()
            self._use(choice, receiver)

    def interrupt(self) -> None:
        with self._lock:
            if self._is_open and self._source is not None:
                self._source.interrupt()

    def close(self) -> None:
        with self._lock:
            was_open, self._is_open = self._is_open, False
        if was_open and self._source is not None:
            self._source.close()

    def check(self) -> str:
        self._chosen = self._choice()
        self._source = self._made(self._chosen)
        said = self._source.check()
        if self._chosen[0] == _WATCHED:
            raise HardwareError(_DEVICE, *UNKNOWN)
        return said

    def explain(self, lost: BaseException) -> tuple[str, str] | None:
        try:
            if self._choice()[0] == _WATCHED and self._chosen[:1] != (_WATCHED,):
                return UNKNOWN
        except HardwareError as absent:
            return absent.fault, absent.check
        return None if self._source is None else self._source.explain(lost)

    def _use(self, choice: tuple[str, ...], receiver: Receiver) -> None:
        source = self._made(choice)
        self._source, self._chosen = source, choice
        with self._lock:
            self._is_open = True
        source.open(receiver)

    def _choice(self) -> tuple[str, ...]:
        """What is to be read now: its kind and its device files. Raises `HardwareError` if there is none."""
        link = str(self._root / LINK[1:])
        if (port := named_device(self._comports, link)) is not None:
            return _SERIAL, port
        there = keyboards(self._root)
        for one in there:
            if names_a_scanner(one.name):
                return _NAMED, one.path
        if (port := only_device(self._comports, link)) is not None:
            return _SERIAL, port
        for one in there:
            if self._typed and self._typed.keyboard.is_like(one):  # it may have been plugged in again
                return _TYPED, one.path
        if not there:
            raise HardwareError(_DEVICE, *_ABSENT)
        return (_WATCHED,)

    def _made(self, choice: tuple[str, ...]) -> Source:
        if choice == (_WATCHED,):
            return KeyboardWatch(keyboards(self._root), self._now_s)
        kind, device = choice
        if kind == _SERIAL:
            return SerialSource(device, self._speed, Framer(), self._now_s)
        end = self._typed.end if self._typed and kind == _TYPED else End.AUTO
        return KeyboardSource(device, Framer(end), _ADVICE, self._now_s, self._root, self._ioctl)


_SERIAL, _NAMED, _TYPED, _WATCHED = "serial", "named", "typed", "watched"

_ADVICE: Final = sentence(
    "reset the scanner to its factory settings with the codes in its manual; Enter (CR) ends a code"
)
_ABSENT: Final = sentence("no scanner is plugged in"), sentence("plug it into a USB port")
