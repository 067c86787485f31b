"""The numbers of 11 nimmt!: which card may lie on which. They go round: after 100 comes 1."""

from collections.abc import Mapping
from typing import Final

from companion.core.cards import Card
from companion.games.eleven.options import CARDS

ALL: Final = frozenset(Card(card) for card in range(1, CARDS + 1))

REACH: Final = 10
"""A card may be this much above the top of its pile (11 nimmt! rulebook, rule 2)."""


def above(card: Card, top: Card) -> int:
    """By how much a card is above another, counting on from 100 to 1: 0 to 99 (rulebook, rule 3)."""
    return (card - top) % CARDS


def is_lower(card: Card, top: Card) -> bool:
    """Whether a card that does not fit is refused because it is lower (rule 1), not because it is too high.

    On 91 to 100 low cards can follow (rule 3), so a low card is too high there: 7 is 11 above 96. What lies
    nearer below the top than above it stays lower: 90 on 96.
    """
    goes_round = top + REACH > CARDS
    return card < top and not (goes_round and above(card, top) <= CARDS // 2)


def fits(card: Card, top: Card) -> bool:
    """Whether a card may go on a top."""
    return 1 <= above(card, top) <= REACH


FITTING: Final[Mapping[Card, frozenset[Card]]] = {
    top: frozenset(card for card in ALL if fits(card, top)) for top in ALL
}
"""The cards that go on each top."""
