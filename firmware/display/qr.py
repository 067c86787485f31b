"""QR codes for a display: the smallest code for a text, in modules."""

from functools import lru_cache
from typing import Any


@lru_cache(maxsize=8)
def modules(text: str) -> tuple[bytes, ...]:
    """The lines of the code without an empty margin, 1 is dark. Takes some 10 ms on a laptop.

    Raises `ValueError` for a text that has no room in any code. The error correction is the lowest: the
    larger modules that it allows help more than redundancy, as nothing lies on a display.
    """
    return tuple(map(bytes, _made(text).matrix))


@lru_cache(maxsize=32)
def width(text: str) -> int:
    """How many modules wide and high the code of a text is, in a third of the time. Raises as `modules`."""
    return len(_made(text, mask=0).matrix)


def _made(text: str, mask: int | None = None) -> Any:  # noqa: ANN401 - segno has no types
    """A code. To find the best of the eight masks is most of the work; the size is the same with each."""
    import segno  # takes a hundred milliseconds: not at the start of the program

    encoding = None if text.isascii() else "utf-8"
    return segno.make_qr(text, error="l", boost_error=False, mask=mask, encoding=encoding)
