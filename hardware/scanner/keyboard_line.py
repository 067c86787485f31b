"""A keyboard that is a scanner: its events, taken for this program alone, become codes.

Otherwise every card would be typed into the console as well.
"""

from __future__ import annotations

import errno
import os
import select
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from hardware.background import WakePipe
from hardware.errors import HardwareError, sentence
from hardware.scanner.framing import Framer
from hardware.scanner.input_devices import EVENT, GRAB, Keyboard, UsKeyboard, keyboard_at, no_access
from hardware.scanner.source import UNREADABLE_LIMIT, Receiver, Source

if TYPE_CHECKING:
    from pathlib import Path

SETTLE_S: Final = 0.05
"""After opening, there must be no key for so long: what comes before that is the second half of a code."""
LONGEST_SETTLE_S: Final = 1.0

_CHUNK: Final = 64 * EVENT.size


class KeyboardSource(Source):
    """Opens the scanner's keyboard for itself alone, and cuts the keys into codes with a `framer`.

    `device` is as in the configuration of the driver "hid"; `advice` is for keys that are no codes. `root` is
    where the kernel's file system begins, `ioctl` how it is asked.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it reads, and the machine
        self,
        device: str,
        framer: Framer,
        advice: str,
        now_s: Callable[[], float],
        root: Path,
        ioctl: Callable[[int, int, int], Any],
    ) -> None:
        self._device = device
        self._framer = framer
        self._advice = advice
        self._now_s = now_s
        self._root = root
        self._ioctl = ioctl
        self._file = -1
        self._keyboard = Keyboard(device, device, "")
        self._wake: WakePipe | None = None
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
            receiver.scanned(self._keyboard.scanned(code.text, code.at_s))
        if framer.rejected >= UNREADABLE_LIMIT:
            receiver.unreadable(sentence("keys are typed, but no readable code"), self._advice)

    @property
    def rejected(self) -> int:
        """How many lines since the newest code were no codes: what a person types is none."""
        return self._framer.rejected

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
        return f"{keyboard.name} at {keyboard.path}; scan a code to see what it types"

    def explain(self, lost: BaseException) -> tuple[str, str] | None:
        if not isinstance(lost, OSError):
            return None
        where = self._device
        if (refused := no_access(lost)) is not None:
            return refused
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
            sentence("the scanner that acts as a keyboard is not connected: {where}", where=where),
            sentence("plug it in, or set device under [scanner]"),
        )

    def _connect(self) -> Keyboard:
        """Open the keyboard's file and have its events for ourselves alone."""
        keyboard = self._keyboard = keyboard_at(self._device, self._root)
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
