"""From the keys of a US keyboard to characters.

A scanner that acts as a keyboard presses the keys that have the characters of a code on a US keyboard: that
is how it is sold. The layout of the console may make other characters of them. So the keys are read, by the
numbers that the kernel gives them (linux/input-event-codes.h), and that layout is never used.
"""

from __future__ import annotations

from typing import Final

_SHIFTS: Final = frozenset((42, 54))
_MODIFIERS: Final = frozenset((29, 56, 97, 100, 125, 126))  # Ctrl, Alt and Meta, left and right
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

NO_CHARACTER: Final = b"\x00"
"""Stands for a key that is no character of a code: it makes the line invalid, as a byte of noise does."""


class UsKeyboard:
    """What is typed, key by key."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """All keys count as released."""
        self._down: set[int] = set()
        self._caps = False

    def key(self, code: int, value: int) -> bytes:
        """A key goes down (1) or up (0), or is repeated by the kernel (2, ignored); gives what it types."""
        if code in _SHIFTS or code in _MODIFIERS:
            (self._down.discard if value == 0 else self._down.add)(code)
            return b""
        if value != 1 or code in _NUM_LOCKS:
            return b""
        if code == _CAPS_LOCK:
            self._caps = not self._caps
            return b""
        if self._down & _MODIFIERS:
            return NO_CHARACTER
        if code in _ALWAYS:
            return _ALWAYS[code].encode("ascii")
        shifted = bool(self._down & _SHIFTS)
        if self._caps and _PLAIN.get(code, "").isalpha():
            shifted = not shifted
        char = (_SHIFTED if shifted else _PLAIN).get(code)
        return NO_CHARACTER if char is None else char.encode("ascii")
