"""A barcode scanner that acts as a keyboard, by the kernel's input events; a serial one is always better.

The device is taken for ourselves alone: else every card would be typed into the login of the console as well.
The keys are read, not the characters, so the layout of the console does not matter (see `us_keyboard`).
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from hardware.errors import HardwareError
from hardware.options import option
from hardware.scanner.framing import SILENCE_S, End, Framer
from hardware.scanner.input_devices import (
    ABOUT,
    AUTO,
    EVENT,
    GRAB,
    KEY,
    SYN,
    SYN_DROPPED,
    SYN_REPORT,
    Keyboard,
    check_device,
    events,
    keyboard_at,
)
from hardware.scanner.reading import REJECTS_TOLD, Reading
from hardware.scanner.us_keyboard import NO_CHARACTER, UsKeyboard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hardware.ports import Message

SETTLE_S: Final = 0.05
"""After opening, no key for so long: what comes before that is the rear half of a code."""
LONGEST_SETTLE_S: Final = 1.0

_DEVICE: Final = "scanner"
_CHUNK: Final = 64 * EVENT.size


class HidScanner:
    """The scanner port over a keyboard. It posts `Scanned`, and `DeviceFault`/`DeviceRecovered` of "scanner".

    `root` is where the kernel's file system begins, and `ioctl` how it is asked: a simulated keyboard brings
    its own.
    """

    @dataclass(frozen=True, slots=True)
    class Options:
        """Which keyboard is the scanner, and what it types after a code. It must be set to a US keyboard."""

        device: str = option(ABOUT, AUTO)
        end: str = option(
            "the key after a code: cr is Enter; auto accepts any of them",
            "auto",
            among=tuple(end.value for end in (End.AUTO, End.CR, End.TAB, End.SILENCE)),
        )
        silence_s: float = option(
            "seconds without a key after which a code is complete (or broken off, if its end is missing)",
            SILENCE_S,
            low=0.02,
            high=2.0,
        )

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
        self._options = options
        self._now_s = now_s
        self._root = root
        self._ioctl = ioctl
        self._reading = Reading(self._serve, self._explained, now_s)

    def start(self, post: Callable[[Message], None]) -> None:
        """Begin; the device is opened in the thread. A second start without a close is a `RuntimeError`."""
        self._reading.start(post)

    def wait_listening(self, timeout_s: float) -> bool:
        """Wait until a scan would be heard; False if it is not in time."""
        return self._reading.wait_listening(timeout_s)

    def alive(self) -> bool:
        """Whether the reading thread lives."""
        return self._reading.alive()

    def check(self) -> str:
        """Find the keyboard, take it and let it go."""
        try:
            with self._opened() as (keyboard, _):
                return f"{keyboard.name} at {keyboard.path}; scan a code to see what it types"
        except HardwareError:
            raise
        except OSError as lost:
            raise HardwareError(_DEVICE, *(self._explained(lost) or ("", ""))) from lost

    def close(self) -> None:
        """Stop the thread and let the keyboard go. More than once does no harm."""
        self._reading.close()

    # ----------------------------------------------------------------------------- the thread

    def _serve(self) -> None:
        """Take the keyboard and read until it is lost or the driver is closed."""
        with self._opened() as (_, file), _Bell() as bell, self._reading.interrupted_by(bell.ring):
            until_s = self._now_s() + LONGEST_SETTLE_S
            while self._read(file, bell, SETTLE_S) and self._now_s() < until_s:
                pass
            if not self._reading.leaving.is_set():
                self._reading.listens()
                self._listen(file, bell)

    def _listen(self, file: int, bell: _Bell) -> None:
        framer = Framer(End(self._options.end), silence_s=self._options.silence_s)
        typing = _Typing()
        rejected_before = 0
        while not self._reading.leaving.is_set():
            due_s = framer.due_s
            data = self._read(file, bell, None if due_s is None else max(0.0, due_s - self._now_s()))
            typed = typing.typed(data)
            codes = framer.feed(typed, self._now_s()) if typed else framer.silent(self._now_s())
            for code in codes:
                self._reading.hand_on(code)
                rejected_before = framer.rejected
            if framer.rejected - rejected_before >= REJECTS_TOLD:
                self._reading.ill(
                    "keys are typed, but no readable code",
                    "set the scanner to a US keyboard layout, and set device under [scanner] to the scanner",
                )

    def _read(self, file: int, bell: _Bell, wait_s: float | None) -> bytes:
        """The events that come first within `wait_s`; nothing if none does, or the bell rings."""
        ready, _, _ = select.select([file, bell.file], [], [], wait_s)
        if file not in ready:
            return b""
        data = os.read(file, _CHUNK)
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return data

    @contextmanager
    def _opened(self) -> Iterator[tuple[Keyboard, int]]:
        """The keyboard and its open file, for ourselves alone."""
        keyboard = keyboard_at(self._options.device, self._root)
        file = os.open(keyboard.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            self._ioctl(file, GRAB, 1)
            yield keyboard, file
        finally:
            os.close(file)  # and with it the grab

    def _explained(self, lost: BaseException) -> tuple[str, str] | None:
        if not isinstance(lost, OSError):
            return None
        where = self._options.device
        if lost.errno == errno.EBUSY:
            return "another program is using the scanner's keyboard", "close that program"
        if lost.errno in (errno.EACCES, errno.EPERM):
            return (
                "no permission to open the scanner's keyboard",
                "add your user to the group input, or install the udev rule of nimmt-companion",
            )
        if lost.errno in (errno.ENOTTY, errno.EINVAL, errno.EISDIR):
            return (
                f"{where} is not a keyboard",
                "set device under [scanner]; `nimmt doctor` lists the keyboards",
            )
        # Gone in the middle of a read, or not there at all: the same to people, and so told once.
        try:
            keyboard_at(where, self._root)
        except HardwareError as absent:
            return absent.fault, absent.check
        return (
            f"the scanner's keyboard is not connected: {where}",
            "plug it in, or set device under [scanner]",
        )


Options = HidScanner.Options


class _Typing:
    """From events to characters; after events were lost, the line is spoilt and all keys count as up."""

    def __init__(self) -> None:
        self._keyboard = UsKeyboard()
        self._lost = False

    def typed(self, data: bytes) -> bytes:
        """What these events type."""
        typed = b""
        for kind, code, value in events(data):
            if (kind, code) == (SYN, SYN_DROPPED):
                self._lost = True
                self._keyboard.forget()
                typed += NO_CHARACTER
            elif self._lost:  # until the next report they are fragments (linux: input/event-codes)
                self._lost = (kind, code) != (SYN, SYN_REPORT)
            elif kind == KEY:
                typed += self._keyboard.key(code, value)
        return typed


class _Bell:
    """Ends a `select` from another thread."""

    def __init__(self) -> None:
        self.file, self._rope = os.pipe()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.file)
        os.close(self._rope)

    def ring(self) -> None:
        """End it, or the next one."""
        os.write(self._rope, b"!")
