"""What a place at a table is worth."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

POINTS: Final = {3: (6, 3, 0), 4: (6, 4, 2, 0), 5: (8, 6, 4, 2, 0)}
"""By the size of the table, the points of each place. Three players get 3 on average, as four do."""


def table_points(heads: Sequence[int], *, lowest_wins: bool = True) -> tuple[Fraction, ...]:
    """The points of each seat of a table, from the totals of the match. Equal totals share their places.

    >>> [str(points) for points in table_points([22, 35, 35, 71])]
    ['6', '3', '3', '0']
    """
    worth = POINTS[len(heads)]
    order = sorted(heads, reverse=not lowest_wins)
    shares = {
        total: Fraction(sum(worth[order.index(total) :][: order.count(total)]), order.count(total))
        for total in order
    }
    return tuple(shares[total] for total in heads)


def relative(heads: Sequence[int]) -> tuple[Fraction, ...]:
    """Of each seat, its heads divided by the average of the table: 1 is average, at tables of every size.

    Where this means nothing, because the sum is zero or a total is negative, it is 1 for everybody.
    """
    if min(heads) < 0 or not sum(heads):
        return (Fraction(1),) * len(heads)
    return tuple(Fraction(total * len(heads), sum(heads)) for total in heads)


def said(points: Fraction) -> str:
    """Points as people write them: `4`, `4½`. Points are whole or half, see `POINTS`."""
    whole, half = divmod(points, 1)
    return f"{int(whole) or ('' if half else 0)}{'½' if half else ''}"
