"""How large a code is printed: as requested, otherwise as large as its place allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from firmware.paper.symbols import DOT_MM

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST_MM: Final = 0.25
"""The smallest module size that is chosen unless one was given, in mm."""
ENLARGED: Final = 1.5
"""How much larger the codes of badges and the control sheet are than those of cards, if there is room."""


def largest(most: float, fits: Callable[[float], bool], least: float = LEAST_MM) -> float | None:
    """The largest module from `most` down to `least` that fits; None if none does.

    Between the two only whole dots of a printer with 600 dots an inch are tried.
    """
    half = DOT_MM / 2
    between = (dots * half for dots in range(int(most / half), int(least / half), -1))
    return next((size for size in (most, *between, least) if least <= size <= most and fits(size)), None)
