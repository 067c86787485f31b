"""What a deck has seen in a picture. Imports no numpy, so that pages and messages can use it."""

from __future__ import annotations

import math
from typing import Final, TypeAlias

from companion.values import Value

Corners: TypeAlias = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four points in pixels of the picture, x to the right and y down, clockwise from the card's upper left."""

_ONE_PLACE: Final = 0.12
"""Two cards whose centres are closer, in heights of a card, lie at the same place. In a fan they do not."""


def centre(corners: Corners) -> tuple[float, float]:
    """The middle of a card, in pixels of the picture."""
    return sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4


class Seen(Value):
    """A card in a picture, or what may be one."""

    corners: Corners
    """Where it lies. Where `code` is empty, it may be upside down."""
    code: str = ""
    """The code of the card, as `companion.core.codes.card_code` writes it; empty where it is not sure."""
    candidates: tuple[str, ...] = ()
    """The codes it could be, the likeliest first, where it is not sure; empty: nothing of this deck."""
    partly: bool = False
    """Whether another card lies on it."""

    @property
    def height_px(self) -> float:
        """Its longer side."""
        a, b, c, _ = self.corners
        return max(math.dist(a, b), math.dist(b, c))

    def lies_at(self, other: Seen) -> bool:
        """Whether two cards lie at the same place."""
        return math.dist(centre(self.corners), centre(other.corners)) < _ONE_PLACE * min(
            self.height_px, other.height_px
        )
