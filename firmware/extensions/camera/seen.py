"""What a deck has seen in a picture. Imports no numpy, so that pages and messages can use it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, TypeVar

from companion.values import Value
from hardware.ports import ExtensionMessage

Corners: TypeAlias = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four points in pixels of the picture, x to the right and y down, clockwise from the card's upper left."""

Card = TypeVar("Card")

_ONE_PLACE: Final = 0.12
"""Two cards whose centres are closer, in heights of a card, lie at the same place. In a fan they do not."""


def centre(corners: Corners) -> tuple[float, float]:
    """The middle of a card, in pixels of the picture."""
    return sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4


def in_order(cards: Iterable[Card], corners_of: Callable[[Card], Corners]) -> list[Card]:
    """As people read: row by row. Cards whose centres differ less than half a card in height are one row."""
    rows: list[list[Card]] = []
    for card in sorted(cards, key=lambda card: centre(corners_of(card))[1]):
        top, high = centre(corners_of(card))[1], [y for _, y in corners_of(card)]
        if rows and top - centre(corners_of(rows[-1][0]))[1] < (max(high) - min(high)) / 2:
            rows[-1].append(card)
        else:
            rows.append([card])
    return [card for row in rows for card in sorted(row, key=lambda card: centre(corners_of(card)))]


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

    def lies_at(self, other: Seen, off: float = _ONE_PLACE) -> bool:
        """Whether two cards lie at the same place, or no farther `off` than this, in heights of a card."""
        high_px = min(self.height_px, other.height_px)
        return math.dist(centre(self.corners), centre(other.corners)) < off * high_px


class CardsLie(ExtensionMessage, frozen=True):
    """All cards that are seen on a table in which nothing moves, and what was laid since it was read last.

    Codes are those with which a deck is taught. `asked`: the whole table was read because somebody asked.
    """

    cards: tuple[Seen, ...]
    came: tuple[str, ...] = ()
    """What was laid, in the order in which people read."""
    unsure: tuple[tuple[str, ...], ...] = ()
    """For each card that was laid and may be one of several: which, the likeliest first."""
    first: bool = False
    """Whether all of that lay there before the table was looked at."""
    asked: bool = False
