"""One table of 6 nimmt! in plain Python, and the players that decide at once, without numpy.

Robots reason with it, and the tests hold it and the batched `tables` equal to the referee. It explains
nothing and refuses nothing: that is what the referee is for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from companion.core.cards import HIGHEST, ROW_LENGTH, Card, bullheads
from companion.robots.rollouts import seed_of
from companion.values import Value

if TYPE_CHECKING:
    from companion.robots.six.seen import SixPlayerView


HEADS: Final = (0, *(bullheads(Card(card)) for card in range(1, HIGHEST + 1)))
"""The heads of every card, by its number."""

Row = list[int]


def row_for(rows: Sequence[Sequence[int]], card: int) -> int | None:
    """The row that a card belongs to; None if it is lower than every end."""
    best, end = None, 0
    for index, row in enumerate(rows):
        if end < row[-1] < card:
            best, end = index, row[-1]
    return best


def cost(row: Sequence[int]) -> int:
    return sum([HEADS[card] for card in row])


def cheapest(rows: Sequence[Sequence[int]]) -> int:
    """The row with the fewest heads; of several the first."""
    costs = [cost(row) for row in rows]
    return costs.index(min(costs))


def price_of(rows: Sequence[Sequence[int]], card: int) -> int:
    """What a card costs that is placed now; the cheapest row where it fits nowhere."""
    row = row_for(rows, card)
    if row is None:
        return min(map(cost, rows))
    return cost(rows[row]) if len(rows[row]) == ROW_LENGTH else 0


def place(
    rows: list[Row], cards: Sequence[int], choose: Callable[[list[Row], int], int] | None = None
) -> list[int]:
    """Place the cards of a turn, one of every seat, from the lowest to the highest; the rows change.

    Returns the heads that each seat takes. `choose` says which row a seat takes whose card fits nowhere,
    from the rows as they are then and the seat; without it, it is the cheapest.
    """
    taken = [0] * len(cards)
    for seat in sorted(range(len(cards)), key=cards.__getitem__):
        card = cards[seat]
        index = row_for(rows, card)
        if index is None:
            index = cheapest(rows) if choose is None else choose(rows, seat)
            full = True
        else:
            full = len(rows[index]) == ROW_LENGTH
        if full:
            taken[seat] = cost(rows[index])
            rows[index] = [card]
        else:
            rows[index].append(card)
    return taken


class Easy(Value):
    """Plays any card, as a child that sees only its hand; takes the shortest row, of several the first."""

    seed: int = 0

    def card(self, seen: SixPlayerView) -> int:
        return Random(seed_of(self.seed, seen.rows, seen.hand)).choice(seen.hand)

    def row(self, seen: SixPlayerView) -> int:
        lengths = [len(row) for row in seen.rows]
        return lengths.index(min(lengths))


class Normal(Value):
    """Plays the card that is nearest above the end of its row and free; takes the cheapest row."""

    def card(self, seen: SixPlayerView) -> int:
        """The smallest gap without cost; if every card costs, the cheapest one, of several the lowest."""

        def wanted(card: int) -> tuple[bool, int, int]:
            price, row = price_of(seen.rows, card), row_for(seen.rows, card)
            gap = 0 if row is None else card - seen.rows[row][-1]
            return (price > 0, price or gap, card)

        return min(seen.hand, key=wanted)

    def row(self, seen: SixPlayerView) -> int:
        return cheapest(seen.rows)
