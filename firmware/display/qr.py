"""QR codes for a display: the smallest code for a text, in modules.

A code has one mode for each part of a text. Capitals, digits and a few signs take 5.5 bits in one of them and
8 in another, and a change of the mode takes 15 or 20 bits. So an address, which has both, is divided where
that makes it shorter: on a display of 64 pixels this decides whether it can be shown.
"""

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
    return tuple(map(bytes, _made(text, divided=_divided_is_smaller(text)).matrix))


@lru_cache(maxsize=32)
def width(text: str) -> int:
    """How many modules wide and high the code of a text is, in a third of the time. Raises as `modules`."""
    return len(_made(text, divided=_divided_is_smaller(text), mask=0).matrix)


def _divided_is_smaller(text: str) -> bool:
    """Whether the code is smaller if the text is divided at each change of the mode."""
    if len(segments(text)) == 1:
        return False
    whole, divided = (_made(text, divided=divided, mask=0) for divided in (False, True))
    return len(divided.matrix) < len(whole.matrix)


@lru_cache(maxsize=32)
def _made(text: str, *, divided: bool, mask: int | None = None) -> Any:  # noqa: ANN401 - segno has no types
    """A code. To find the best of the eight masks is most of the work; the size is the same with each."""
    import segno  # takes a hundred milliseconds: not at the start of the program

    encoding = None if text.isascii() else "utf-8"
    content: Any = text
    if divided:
        content = [
            (part, segno.consts.MODE_MAPPING[mode], encoding if mode == "byte" else None)
            for part, mode in segments(text)
        ]
    return segno.make_qr(
        content, error="l", boost_error=False, mask=mask, encoding=None if divided else encoding
    )


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
