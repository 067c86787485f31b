"""QR codes for a display: the smallest code for a text, in modules.

A code has one mode for each part of a text. Capitals, digits and a few signs take 5.5 bits in one of them and
8 in another, and a change of the mode takes 15 or 20 bits. So an address, which has both, is divided where
that makes it shorter: on a display of 64 pixels this decides whether it can be shown.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

_ALPHANUMERIC: Final = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
_MODES: Final = ("alphanumeric", "byte")
_HALF_BITS: Final = {"alphanumeric": 11, "byte": 16}
"""For one character, or one byte."""
_BEGIN_HALF_BITS: Final = {"alphanumeric": 30, "byte": 40}
"""For the mode and the length before a part, in a code of version 10 and more; smaller ones need less."""


@lru_cache(maxsize=8)
def modules(text: str) -> tuple[bytes, ...]:
    """The lines of the code without an empty margin, 1 is dark. Takes some 10 ms on a laptop.

    Raises `ValueError` for a text that has no room in any code. The error correction is the lowest: the
    larger modules that it allows help more than redundancy, as nothing lies on a display.
    """
    import segno  # takes a hundred milliseconds: not at the start of the program

    encoding = None if text.isascii() else "utf-8"
    divided: Any = [
        (part, segno.consts.MODE_MAPPING[mode], encoding if mode == "byte" else None)
        for part, mode in segments(text)
    ]
    whole = segno.make_qr(text, error="l", boost_error=False, encoding=encoding)
    parts = segno.make_qr(divided, error="l", boost_error=False)
    return tuple(map(bytes, min(whole, parts, key=lambda code: len(code.matrix)).matrix))


def segments(text: str) -> list[tuple[str, str]]:
    """A text in parts with their modes, such that all together take the fewest bits."""
    ways: dict[str, tuple[int, tuple[tuple[int, str], ...]]] = {
        mode: (_BEGIN_HALF_BITS[mode], ((0, mode),)) for mode in _MODES
    }
    for place, character in enumerate(text):
        costs = {"byte": _HALF_BITS["byte"] * len(character.encode())}
        if character in _ALPHANUMERIC:
            costs["alphanumeric"] = _HALF_BITS["alphanumeric"]
        ways = {
            mode: min(
                (
                    (bits + cost, starts)
                    if before == mode
                    else (bits + cost + _BEGIN_HALF_BITS[mode], (*starts, (place, mode)))
                )
                for before, (bits, starts) in ways.items()
            )
            for mode, cost in costs.items()
        }
    _, starts = min(ways.values())
    ends = [place for place, _ in starts[1:]] + [len(text)]
    found = [(text[place:end], mode) for (place, mode), end in zip(starts, ends, strict=True)]
    return [(part, mode) for part, mode in found if part]
