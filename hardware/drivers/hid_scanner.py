"""A barcode scanner that acts as a keyboard, by the kernel's input events. A serial scanner is always better.

The keyboard is taken for this program alone: otherwise every card would be typed into the console as well.
The keys are read, not the characters, so the layout of the console does not matter (see `UsKeyboard`).
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Struct

from hardware.background import WakePipe
from hardware.errors import HardwareError, sentence
from hardware.options import option
from hardware.scanner.framing import SILENCE_S, End, Framer
from hardware.scanner.input_devices import AUTO, EVENT, GRAB, Keyboard, UsKeyboard, check_device, keyboard_at
from hardware.scanner.source import UNREADABLE_LIMIT, Receiver, Source, SourceScanner

SETTLE_S: Final = 0.05
"""After opening, there must be no key for so long: what comes before that is the second half of a code."""
LONGEST_SETTLE_S: Final = 1.0

_DEVICE: Final = "scanner"
_CHUNK: Final = 64 * EVENT.size


class HidScanner(SourceScanner):
    """A scanner that types its codes as a keyboard does. Wiring: its USB plug.

    The keyboard is taken for this program alone, so nothing is typed into a console. It must be set to a US
    keyboard layout, as it is sold.

    ```toml
    [scanner]
    driver = "hid"
    device = "auto"
    ```

    ```python
    from hardware.drivers.hid_scanner import HidScanner

    scanner = HidScanner(HidScanner.Options())
    print(scanner.check())  # USB Barcode Scanner at /dev/input/event7; scan a code to see what it types
    scanner.start(print)
    ```
    """

    class Options(Struct, frozen=True):
        """Which keyboard is the scanner, and what it types after a code. It must use a US keyboard layout."""

        device: Annotated[
            str,
            option(
                "auto uses the only keyboard with a scanner's name; name:<part of the name> or "
                "usb:<vendor>:<product> selects one (`nimmt doctor` lists them); or give its file, "
                "preferably in /dev/input/by-id"
            ),
        ] = AUTO
        end: Annotated[
            str,
            option(
                "the key after a code: cr is Enter; auto accepts any of them",
                among=tuple(end.value for end in (End.AUTO, End.CR, End.TAB, End.SILENCE)),
            ),
        ] = "auto"
        silence_s: Annotated[
            float,
            option(
                "seconds without a key after which a code is complete (or broken off, if its end is missing)",
                low=0.02,
                high=2.0,
            ),
        ] = SILENCE_S

        def __post_init__(self) -> None:
            check_device(self.device)

    def __init__(
        self,
        options: Options,
        now_s: Callable[[], float] = time.monotonic,
        *,
        root: Path = Path("/"),
        ioctl: Callable[[int, int, int], Any] = fcntl.ioctl,
    ) -> None:
        """`root` is where the kernel's file system begins, `ioctl` how it is asked; tests have their own."""
        super().__init__(_KeyboardSource(options, now_s, root, ioctl), now_s)


Options = HidScanner.Options


class _KeyboardSource(Source):
    """Opens the scanner's keyboard for itself alone, and turns the keys into codes."""

    def __init__(
        self,
        options: Options,
        now_s: Callable[[], float],
        root: Path,
        ioctl: Callable[[int, int, int], Any],
    ) -> None:
        self._options = options
        self._now_s = now_s
        self._root = root
        self._ioctl = ioctl
        self._file = -1
        self._wake: WakePipe | None = None
        self._framer = Framer(End(options.end), silence_s=options.silence_s)
        self._typing = UsKeyboard()

    def open(self, receiver: Receiver) -> None:
        self._wake = WakePipe()
        self._connect()
        until_s = self._now_s() + LONGEST_SETTLE_S
        while self._receive(SETTLE_S) and self._now_s() < until_s:
            pass
        self._framer.forget()
        self._typing = UsKeyboard()

    def read(self, receiver: Receiver) -> None:
        framer, due_s = self._framer, self._framer.due_s
        data = self._receive(None if due_s is None else max(0.0, due_s - self._now_s()))
        for code in framer.feed(self._typing.typed(data), self._now_s()):
            receiver.scanned(code)
        if framer.rejected >= UNREADABLE_LIMIT:
            receiver.unreadable(
                sentence("keys are typed, but no readable code"),
                sentence(
                    "set the scanner to a US keyboard layout, and set device under [scanner] to the scanner"
                ),
            )

    def interrupt(self) -> None:
        if (wake := self._wake) is not None:
            wake.wake()

    def close(self) -> None:
        file, self._file = self._file, -1
        wake, self._wake = self._wake, None
        if file >= 0:
            os.close(file)  # and with it the grab
        if wake is not None:
            wake.close()

    def check(self) -> str:
        """Find the keyboard, take it for ourselves and release it."""
        try:
            keyboard = self._connect()
        finally:
            self.close()
        return sentence(
            "{keyboard} at {path}; scan a code to see what it types",
            keyboard=keyboard.name,
            path=keyboard.path,
        )

    def explain(self, lost: BaseException) -> tuple[str, str] | None:
        if not isinstance(lost, OSError):
            return None
        where = self._options.device
        if lost.errno == errno.EBUSY:
            return sentence("another program is using the scanner's keyboard"), sentence("close that program")
        if lost.errno in (errno.EACCES, errno.EPERM):
            return (
                sentence("no permission to open the scanner's keyboard"),
                sentence("add your user to the group input, or install the udev rule of nimmt-companion"),
            )
        if lost.errno in (errno.ENOTTY, errno.EINVAL, errno.EISDIR):
            return (
                sentence("{where} is not a keyboard", where=where),
                sentence("set device under [scanner]; `nimmt doctor` lists the keyboards"),
            )
        # Unplugged in the middle of a read, or not there at all: the same for people, so the same words.
        try:
            keyboard_at(where, self._root)
        except HardwareError as absent:
            return absent.fault, absent.check
        return (
            sentence("the scanner's keyboard is not connected: {where}", where=where),
            sentence("plug it in, or set device under [scanner]"),
        )

    def _connect(self) -> Keyboard:
        """Open the keyboard's file and have its events for ourselves alone."""
        keyboard = keyboard_at(self._options.device, self._root)
        self._file = os.open(keyboard.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        self._ioctl(self._file, GRAB, 1)
        return keyboard

    def _receive(self, wait_s: float | None) -> bytes:
        """The events that come first within `wait_s`; nothing if none does, or `interrupt` is called."""
        wake = self._wake
        others = [] if wake is None else [wake.file]
        ready, _, _ = select.select([self._file, *others], [], [], wait_s)
        if self._file not in ready:
            return b""
        data = os.read(self._file, _CHUNK)
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return data
