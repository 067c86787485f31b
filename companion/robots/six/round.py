"""One table of 6 nimmt! in plain Python: where cards go and what they cost.

Robots reason with it, the arena plays with it, and the tests hold it and the batched `tables` equal to the
referee. It explains nothing and refuses nothing: that is what the referee is for.
"""

from collections.abc import Callable, Sequence
from typing import Final

from companion.core.cards import HIGHEST, Card, bullheads

ROWS: Final = 4
ROW_LENGTH: Final = 5
TURNS: Final = 10
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
