"""The same deals at all tables: the cards of every hand follow from the seed.

At each table the player of seat 1 gets hand 1, and so on; at a smaller table the last hands are not used. The
rows are the same everywhere. The cards are put into this order before the round, and the box registers each
hand by scan (option "hands"). What was dealt and played can then be compared with the list: `wrong_cards`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tournament.lots import Lots
from tournament.sizes import MOST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CARDS: Final = 104
HAND: Final = 10
ROWS: Final = 4


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of one deal of 6 nimmt!: the first card of each row, and the hands by seat, each in order."""

    rows: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]


def deal(seed: str, round_: int, number: int) -> Deal:
    """Deal `number` (from 1) of a round."""
    cards = Lots(seed, "deal", round_, number).shuffled(range(1, CARDS + 1))
    hands = tuple(tuple(sorted(cards[ROWS + at * HAND :][:HAND])) for at in range(MOST))
    return Deal(tuple(sorted(cards[:ROWS])), hands)


def wrong_cards(
    planned: Deal, rows: Iterable[int], played: Sequence[Iterable[int]]
) -> tuple[tuple[int, int], ...]:
    """What does not belong: pairs of the seat (from 0; -1 for the rows) and a card not dealt there.

    `played` holds by seat the cards that are known to be this player's; it may be some of them only.
    """
    wrong = [(-1, card) for card in rows if card not in planned.rows]
    wrong += [
        (seat, card)
        for seat, (hand, cards) in enumerate(zip(planned.hands, played, strict=False))
        for card in cards
        if card not in hand
    ]
    return tuple(wrong)
