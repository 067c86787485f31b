"""A scanner that acts as a keyboard: the kernel's files about it in a folder, and the events of its keys.

The event file is a FIFO. It behaves as the kernel does: the keys of a keyboard that no program has grabbed go
to the console (`console` keeps what would be typed there), a second grab is refused, and what was typed
before the file was opened is not in it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import struct
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

_EVENT: Final = struct.Struct("@llHHi")
_GRAB: Final = 0x40044590
_SYN, _KEY, _MSC = 0, 1, 4
_SHIFT: Final = 42
_ENTER: Final = "\r"
_FAST_S: Final = 0.008  # a USB keyboard is asked so often
_KEYS: Final = "ffffffffffffffff"  # of the first word: all of them, as cheap scanners say


class KeyboardScanner:
    """A scanner's keyboard, plugged in from the start; its device file is `node`. Its driver may be a thread.

    `folder` is where the simulated machine's file system begins; several keyboards may share it.
    """

    def __init__(
        self, folder: Path, name: str = "USB Barcode Scanner", *, usb: str = "1a2b:3c4d", number: int = 7
    ) -> None:
        self.console = ""
        self._folder: Final = folder
        self._name: Final = name
        self._usb: Final = usb
        self._write = -1
        self._at_us = 0
        self._holder: int | None = None  # the file that has grabbed it
        self._grabbing = threading.RLock()  # a driver may grab it while somebody types
        self.plug(number)

    @property
    def node(self) -> Path:
        """Its event file; the number is that of the last `plug`."""
        return self._folder / "dev/input" / f"event{self._number}"

    def plug(self, number: int = 7) -> None:
        """Plug it in; the kernel gives it this number."""
        self._number = number
        facts = self._folder / "sys/class/input" / f"event{number}" / "device"
        vendor, product = self._usb.split(":")
        for fact, value in {
            "name": self._name,
            "id/vendor": vendor,
            "id/product": product,
            "capabilities/key": f"1 {_KEYS}" if struct.calcsize("@l") > 4 else f"1 {_KEYS[:8]} {_KEYS[:8]}",  # noqa: PLR2004 - a word of 32 bits
        }.items():
            place = facts / fact
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(value + "\n", encoding="utf-8")
        self.node.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(self.node)
        self._write = os.open(self.node, os.O_RDWR | os.O_NONBLOCK)

    def unplug(self) -> None:
        """Unplug it, even in the middle of a code."""
        if self._write >= 0:
            self.node.unlink()
            shutil.rmtree(self._folder / "sys/class/input" / f"event{self._number}")
            os.close(self._write)
            self._write, self._holder = -1, None

    def ioctl(self, file: int, request: int, argument: int) -> int:
        """The kernel's answer for this keyboard; the real ioctl for other files."""
        if self._write < 0 or not os.path.sameopenfile(file, self._write):
            return fcntl.ioctl(file, request, argument)
        if request != _GRAB:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        with self._grabbing:
            if argument and self._grabbed() and self._holder != file:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
            self._holder = file if argument else None
            # A grab is of the open file, and its number may be that of another one later: a flag marks it.
            flags = fcntl.fcntl(file, fcntl.F_GETFL)
            fcntl.fcntl(file, fcntl.F_SETFL, flags | os.O_APPEND if argument else flags & ~os.O_APPEND)
        return 0

    def scan(self, text: str, end: str = _ENTER) -> None:
        self.press(*text, *end)

    def press(self, *chars: str, each_s: float = _FAST_S) -> None:
        """Press the keys for these characters of a US keyboard; the kernel sees one each `each_s`."""
        events = []
        for char in chars:
            code, shifted = _CODES[char]
            strokes = [(code, 1), (code, 0)]
            self._at_us += round(each_s * 1e6)
            at = divmod(self._at_us, 1_000_000)
            for key, value in [(_SHIFT, 1), *strokes, (_SHIFT, 0)] if shifted else strokes:
                events.append(_EVENT.pack(*at, _MSC, 4, 0x70000 + key))  # a USB keyboard sends this first
                events.append(_EVENT.pack(*at, _KEY, key, value))
                events.append(_EVENT.pack(*at, _SYN, 0, 0))
        grabbed = self._grabbed()
        self.write(b"".join(events))
        if not grabbed:
            self.console += "".join(chars)

    def event(self, kind: int, code: int, value: int) -> None:
        """One event as the kernel writes it."""
        self.write(_EVENT.pack(0, 0, kind, code, value))

    def write(self, data: bytes) -> None:
        """Send any events; they are lost where the file is not open."""
        if self._write >= 0 and self._is_open():
            os.write(self._write, data)

    def _is_open(self) -> bool:
        """Whether somebody else has the file open, too."""
        for file in (int(one.name) for one in Path("/proc/self/fd").iterdir()):
            with suppress(OSError):  # the folder itself, which is closed by now
                if file != self._write and os.path.sameopenfile(file, self._write):
                    return True
        return False

    def close(self) -> None:
        self.unplug()

    def _grabbed(self) -> bool:
        """Whether the file that grabbed it is still open; closing it ends the grab."""
        with self._grabbing:
            if self._holder is None or self._write < 0:
                return False
            try:
                marked = fcntl.fcntl(self._holder, fcntl.F_GETFL) & os.O_APPEND
                held = bool(marked) and os.path.sameopenfile(self._holder, self._write)
            except OSError:
                held = False
            if not held:
                self._holder = None
            return held


def _codes() -> dict[str, tuple[int, bool]]:
    """The key of each character and whether it needs Shift (linux/input-event-codes.h, US keyboard)."""
    codes = {_ENTER: (28, False), "\t": (15, False), " ": (57, False)}
    plain = {2: "1234567890-=", 16: "qwertyuiop[]", 30: "asdfghjkl;'`", 43: "\\zxcvbnm,./"}
    shifted = {2: "!@#$%^&*()_+", 16: "QWERTYUIOP{}", 30: 'ASDFGHJKL:"~', 43: "|ZXCVBNM<>?"}
    for rows, with_shift in ((plain, False), (shifted, True)):
        for first, row in rows.items():
            codes |= {char: (first + place, with_shift) for place, char in enumerate(row)}
    return codes


_CODES: Final = _codes()
