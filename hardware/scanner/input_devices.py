"""The keyboards that the kernel knows, their events, and the characters that their keys type.

All that is needed are two stable interfaces of the kernel: the 24 bytes of an event with the request to have
a device alone (linux/input.h), and the files in /sys/class/input. The library for it, python-evdev, has no
wheels: it would need a compiler and the kernel's headers on the Raspberry Pi.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterator
from os.path import realpath
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from hardware.errors import HardwareError, sentence
from hardware.ports import Scanned

if TYPE_CHECKING:
    from pathlib import Path

EVENT: Final = struct.Struct("@llHHi")
"""struct input_event: seconds and microseconds of the kernel's size, then type, code and value."""
GRAB: Final = 0x40044590
"""EVIOCGRAB: with 1, events go to this file only, and not to the console; EBUSY if already grabbed."""

SYN, KEY = 0x00, 0x01
SYN_REPORT, SYN_DROPPED = 0, 3
"""Codes of type `SYN`: a set of events is complete; the kernel's queue was full and events are lost."""

AUTO: Final = "auto"
_SCANNER_WORDS: Final = ("barcode", "bar code", "scan", "reader", "imager")
_TYPES: Final = (2, 11, 28, 30)  # KEY_1, KEY_0, KEY_ENTER, KEY_A: it can type a code
_DEVICE: Final = "scanner"


class Keyboard(Struct, frozen=True):
    """A keyboard, as the kernel describes it; `usb` are its ids as `lsusb` prints them."""

    path: str
    name: str
    usb: str

    def is_like(self, other: Keyboard) -> bool:
        """Whether the other one is of the same make, or the same in another place."""
        return (self.name, self.usb) == (other.name, other.usb)

    def scanned(self, text: str, at_s: float) -> Scanned:
        """A code that this scanner has typed."""
        return Scanned(
            text, at_s, otherwise=on_other_keyboards(text), scanner=f"{self.name} {self.usb}".strip()
        )


def keyboards(root: Path) -> list[Keyboard]:
    """The keyboards of the machine with this file system root."""
    return sorted(_found(root), key=lambda keyboard: keyboard.path)


def keyboard_at(device: str, root: Path) -> Keyboard:
    """The keyboard that matches a configured `device` now. Raises `HardwareError`."""
    there = keyboards(root)
    if not device.startswith(("name:", "usb:")) and device != AUTO:
        named = (keyboard for keyboard in there if keyboard.path == realpath(device))
        return next(named, Keyboard(device, device, ""))
    if device == AUTO:
        chosen = [keyboard for keyboard in there if names_a_scanner(keyboard.name)]
    elif device.startswith("usb:"):
        chosen = [keyboard for keyboard in there if keyboard.usb == device[4:].lower()]
    else:
        chosen = [keyboard for keyboard in there if device[5:].lower() in keyboard.name.lower()]
    # A scanner may be two keyboards of one name (one for media keys); the first of them types.
    if len({keyboard.name for keyboard in chosen}) == 1:
        return chosen[0]
    listed = "; ".join(f"{keyboard.name} is usb:{keyboard.usb}" for keyboard in there) or "no keyboards"
    fault = sentence(
        "several keyboards could be the scanner"
        if chosen
        else "the scanner that acts as a keyboard is not connected"
    )
    raise HardwareError(
        _DEVICE, fault, sentence("plug it in, or set device under [scanner]; found: {listed}", listed=listed)
    )


def names_a_scanner(name: str) -> bool:
    """Whether the name of a device says that it reads codes; many scanners have a name that does not."""
    return any(word in name.lower() for word in _SCANNER_WORDS)


def no_access(lost: OSError) -> tuple[str, str] | None:
    """The fault and what to check, where a keyboard is there and cannot be had; None for other errors."""
    if lost.errno == errno.EBUSY:
        return sentence("another program is using the scanner that acts as a keyboard"), sentence(
            "close that program"
        )
    if lost.errno in (errno.EACCES, errno.EPERM):
        return (
            sentence("no permission to open the scanner that acts as a keyboard"),
            sentence("add your user to the group input, or install the udev rule of nimmt-companion"),
        )
    return None


def check_device(device: str) -> None:
    """Raise `ValueError` for a text that names no device."""
    kind, _, rest = device.partition(":")
    if kind == "usb":
        parts = rest.split(":")
        if [len(part) for part in parts] != [4, 4] or set("".join(parts).lower()) - set("0123456789abcdef"):
            raise ValueError(f"device {device!r} is not a USB id of the form usb:<vendor>:<product>")
    elif not device.startswith("/") and device != AUTO and not (kind == "name" and rest):
        raise ValueError(f"device {device!r} is not a file, usb:<vendor>:<product>, name:<part> or auto")


def _found(root: Path) -> Iterator[Keyboard]:
    for place in (root / "sys/class/input").glob("event*"):
        try:
            facts = {
                fact: (place / "device" / fact).read_text(encoding="utf-8", errors="replace").strip()
                for fact in ("name", "capabilities/key", "id/vendor", "id/product")
            }
        except OSError:  # unplugged in this moment
            continue
        if _types(facts["capabilities/key"]):
            usb = f"{facts['id/vendor']}:{facts['id/product']}"
            yield Keyboard(str(root / "dev/input" / place.name), facts["name"], usb)


def _types(keys: str) -> bool:
    """Whether these keys can type a code: a bit for each key, in words of a long, the lowest word last."""
    width = 8 * struct.calcsize("@l")
    words = [int(word, 16) for word in reversed(keys.split())]
    return all(code // width < len(words) and words[code // width] >> code % width & 1 for code in _TYPES)


_SHIFTS: Final = frozenset((42, 54))
_MODIFIERS: Final = frozenset((29, 56, 97, 100, 125, 126))  # Ctrl, Alt and Meta, left and right
_CTRLS: Final = frozenset((29, 97))
_ALTS: Final = frozenset((56, 100))
_CAPS_LOCK: Final = 58
_NUM_LOCKS: Final = frozenset((69, 70))  # Num Lock and Scroll Lock: a digit of the pad is a digit

_ROWS: Final = (
    (2, "1234567890-=", "!@#$%^&*()_+"),
    (16, "qwertyuiop[]", "QWERTYUIOP{}"),
    (30, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    (43, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
)
_PAD: Final = {55: "*", 71: "7", 72: "8", 73: "9", 74: "-", 75: "4", 76: "5", 77: "6", 78: "+"} | {
    79: "1", 80: "2", 81: "3", 82: "0", 83: ".", 98: "/"
}  # fmt: skip
_PLAIN: Final = {first + place: char for first, row, _ in _ROWS for place, char in enumerate(row)}
_SHIFTED: Final = {first + place: char for first, _, row in _ROWS for place, char in enumerate(row)}
_ALWAYS: Final = {15: "\t", 28: "\r", 57: " ", 96: "\r"} | _PAD

NO_CHARACTER: Final = b"\x7f"
"""Stands for a key that is no character of a code: it makes the line invalid, as a byte of noise does."""


_DIGITS: Final = "!@#$%^&*()`", "12345678900"
"""Digits with Shift, as in France, Belgium and on Czech keyboards; the 0 beside the 1 is Hungarian."""
_LETTERS: Final = {
    "QWERTY": ("", ""),  # US, UK, Italian, Spanish, Portuguese, Scandinavian, Dutch, Turkish Q, Persian
    "QWERTZ": ("yz", "zy"),  # German, Swiss, Hungarian, Czech
    "AZERTY": ("aqwz;", "qazwm"),  # French, Belgian
    "DVORAK": ("rtyuiopsdfghjkl;xcvbn,./", "pyfgcrloeuidhtnsqjkxbwvz"),
    "FGĞIOD": ("qwrtyuiop[]asdfhjkl;\\zcvnm,", "fgiodrnhpqwuieatkmlyxjvczsb"),  # Turkish F
}
_SHIFT: Final = str.maketrans("".join(row for _, row, _ in _ROWS), "".join(row for *_, row in _ROWS))
_LAYOUTS: Final = {
    name: str.maketrans(keys + keys.translate(_SHIFT) + _DIGITS[0], types + types.upper() + _DIGITS[1])
    for name, (keys, types) in _LETTERS.items()
}


def on_other_keyboards(text: str) -> tuple[tuple[str, str], ...]:
    """What the keys of this text type on other keyboards, by the letters that begin them, where that differs.

    Only letters and digits: the hyphen is on five keys, and a code is read whichever comes in its place.
    """
    typed = ((name, text.translate(keys)) for name, keys in _LAYOUTS.items())
    return tuple((name, other) for name, other in typed if other != text)


class UsKeyboard:
    """What is typed on a US keyboard, key by key.

    A scanner that acts as a keyboard presses the keys that have the characters of a code on a US keyboard:
    that is how it is sold. The layout of the console may make other characters of them, and is never used.
    The numbers are those of the kernel (linux/input-event-codes.h).
    """

    def __init__(self) -> None:
        self._lost = False
        self.forget()

    def forget(self) -> None:
        """All keys count as released."""
        self._down: set[int] = set()
        self._caps = False
        self._number = ""  # that is typed on the pad while Alt is down: of a character, in any country

    def typed(self, data: bytes) -> bytes:
        """The characters that events type. Lost events make the line invalid."""
        typed = b""
        for _, _, kind, code, value in EVENT.iter_unpack(data):
            if (kind, code) == (SYN, SYN_DROPPED):
                self._lost = True
                self.forget()
                typed += NO_CHARACTER
            elif self._lost:  # events are fragments until the next report (linux: input/event-codes)
                self._lost = (kind, code) != (SYN, SYN_REPORT)
            elif kind == KEY:
                typed += self.key(code, value)
        return typed

    def key(self, code: int, value: int) -> bytes:
        """A key goes down (1) or up (0), or is repeated by the kernel (2, ignored); gives what it types."""
        if code in _SHIFTS or code in _MODIFIERS:
            (self._down.discard if value == 0 else self._down.add)(code)
            number, self._number = self._number, ""
            return b"" if not number else bytes((min(int(number), NO_CHARACTER[0]),))
        if value != 1 or code in _NUM_LOCKS:
            return b""
        if code == _CAPS_LOCK:
            self._caps = not self._caps
            return b""
        if self._down & _MODIFIERS:
            if self._down & _MODIFIERS <= _ALTS and _PAD.get(code, "").isdecimal():
                self._number = (self._number + _PAD[code])[:9]  # as long as no number of a character is
                return b""
            if self._down & _MODIFIERS <= _CTRLS and (sign := _PLAIN.get(code, "").upper()) > "@":
                return bytes((ord(sign) & 0x1F,))  # Ctrl-M is Enter, Ctrl-] the separator GS
            return NO_CHARACTER
        if code in _ALWAYS:
            return _ALWAYS[code].encode("ascii")
        shifted = bool(self._down & _SHIFTS)
        if self._caps and _PLAIN.get(code, "").isalpha():
            shifted = not shifted
        char = (_SHIFTED if shifted else _PLAIN).get(code)
        return NO_CHARACTER if char is None else char.encode("ascii")
