"""How many players sit at each table: four, and three or five where the number needs it."""

from __future__ import annotations

from typing import Final

FEWEST: Final = 3
USUAL: Final = 4
MOST: Final = 5


def table_sizes(players: int, most: int = MOST) -> tuple[int, ...]:
    """The sizes of the tables for so many players, the large ones first; none for fewer than three players.

    As few tables as possible are not of four. Between two tables of three and two of five it takes those of
    three. Nobody sits out. With `most` 4 there are no tables of five, except that five players sit at one
    table.
    """
    if players < FEWEST:
        return ()
    five = players % USUAL == 1
    if five and (most >= MOST or players == MOST):
        return (MOST, *(USUAL,) * (players // USUAL - 1))
    threes = -players % USUAL
    return (*(USUAL,) * ((players - threes * FEWEST) // USUAL), *(FEWEST,) * threes)
