"""What a deck has seen in a picture. Imports no numpy, so that pages and messages can use it."""

from __future__ import annotations

import math
from typing import TypeAlias

from companion.values import Value

Corners: TypeAlias = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four points in pixels of the picture, x to the right and y down, clockwise from the card's upper left."""


def centre(corners: Corners) -> tuple[float, float]:
    """The middle of a card, in pixels of the picture."""
    return sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4


def apart(one: Corners, other: Corners) -> bool:
    """Whether two places differ by more than half the width of a card."""
    (x, y), (to_x, to_y) = centre(one), centre(other)
    (left, top), (right, bottom) = one[:2]
    return math.hypot(to_x - x, to_y - y) > math.hypot(right - left, bottom - top) / 2


class Seen(Value):
    """A card in a picture."""

    corners: Corners
    """Where it lies. Where `code` is empty, it may be upside down."""

    code: str = ""
    """The code of the card, as `companion.core.codes.card_code` writes it; empty where it is not sure."""

    candidates: tuple[str, ...] = ()
    """The codes it could be, the likeliest first, where it is not sure; empty: nothing of this deck."""

    margin: float = 0.0
    """How much more it is like this card than like any other, from 0 (no difference) to about 1."""
