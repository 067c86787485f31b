"""A card that was seen on the table, and where. Imports no numpy."""

from __future__ import annotations

import math
from typing import Final

from companion.values import Value
from firmware.extensions.camera.seen import Corners, centre

_ONE_PLACE: Final = 0.12
"""Two cards whose centres are closer, in heights of a card, lie at the same place. In a fan they do not."""


class Card(Value):
    """A card on the table, or what may be one; `code` is empty where it is not sure."""

    corners: Corners
    code: str = ""
    candidates: tuple[str, ...] = ()

    @property
    def height_px(self) -> float:
        """Its longer side."""
        a, b, c, _ = self.corners
        return max(math.dist(a, b), math.dist(b, c))

    def lies_at(self, other: Card) -> bool:
        """Whether two cards lie at the same place."""
        return math.dist(centre(self.corners), centre(other.corners)) < _ONE_PLACE * min(
            self.height_px, other.height_px
        )
