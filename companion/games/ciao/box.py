"""The box of Ciao!: its name, its players, how many of each card it has and what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.ciao.cards import KINDS, Card, Kind, kind
from companion.text.sentence import say

if TYPE_CHECKING:
    from collections.abc import Mapping

TITLE: Final = "CIAO!"
SEATS: Final = range(2, 7)
CODE: Final = "CI"
BGG_ID: Final = 0
STARTER: Final = say("THE YOUNGEST BEGINS")
DEALS: Final = 5
"""Deals of a match if nothing else was agreed (house rule HC-13)."""
DEALT: Final = 7
"""Cards dealt to each player (Ciao! rulebook, Setup)."""
PENALTY: Final = 3
"""Cards to draw for a mistake, a +3 or a missing thank you (Ciao! rulebook, How to play; Special cards)."""


def _in_the_box(one: Kind) -> int:
    if one.trouble:
        return 3
    if one.joker:
        return 2
    return 4 if one.icon is None else 1


BOX: Final[Mapping[str, int]] = {name: _in_the_box(one) for name, one in KINDS.items()}
"""How many there are of each kind: 90 cards (Ciao! rulebook, figure 1; house rule HC-10)."""


def copies(counts: Mapping[str, int]) -> tuple[Card, ...]:
    """Every copy by its name; a kind that exists once needs no number."""
    return tuple(
        Card(name if number == 1 else f"{name}#{copy}")
        for name, number in counts.items()
        for copy in range(1, number + 1)
    )


DECK: Final[tuple[Card, ...]] = copies(BOX)
"""The 90 cards in the order of their codes: `DECK[0]` has the number 1."""


def worth(card: str) -> int:
    """What one card in a hand costs."""
    return kind(card).worth


def points(cards: tuple[Card, ...]) -> int:
    """What cards in a hand cost together."""
    return sum(map(worth, cards))
