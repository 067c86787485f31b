"""Simple ways to play 6 nimmt!, as tables: how much each wants a card, by how the card differs from its row.

A way of playing looks at one card at a time: how far it is above the end of its row, how many cards and
heads lie there, or what the cheapest row costs if it fits nowhere. All this is the *difference* of `tables`,
a number of 16 bits, so a policy is a table with 65,536 entries. Of a hand, the card with the lowest entry is
played; of equal ones the lowest card. Entries are multiples of 128, so that the card fits in below.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.core.cards import HIGHEST
from companion.robots.six.tables import LOWER, ROWS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.robots.six.tables import U16

_ALL: Final = np.arange(1 << 16, dtype=np.int64)
_HEADS: Final = _ALL >> 3 & 31
_LAID: Final = (_ALL & 7) + 1
_GAP: Final = _ALL >> 8
_NOWHERE: Final = _ALL >= LOWER
_FULL: Final = (_ALL & 4 > 0) & ~_NOWHERE
_COST: Final = np.where(_NOWHERE | _FULL, _HEADS, 0)
_MOST: Final = 509


class Way(IntEnum):
    """A way of playing; the value is its place in `policies`."""

    RANDOM = 0
    """Any card."""
    GREEDY = 1
    """The card that costs least now; of several the lowest."""
    GAP = 2
    """The card that is nearest above the end of its row, if that costs nothing; else as greedy."""
    RISK = 3
    """The card that costs least if the others play any cards."""


@lru_cache(maxsize=16)
def policies(seats: int) -> U16:
    """The tables of all ways for so many seats, one after the other in the order of `Way`."""
    chance = np.random.PCG64(1).random_raw(1 << 14).view(np.uint16) % np.uint16(_MOST)
    gap = np.where(_COST > 0, HIGHEST + _COST, np.minimum(_GAP, HIGHEST))
    found = (chance, _COST, gap, _risk(seats))
    return np.concatenate([np.minimum(one, _MOST).astype(np.uint16) << 7 for one in found])


def _risk(seats: int) -> NDArray[np.int64]:
    """What a card costs in the mean, in fifteenths of a head, if each other seat plays any of 80 cards."""
    others = seats - 1
    chance = np.minimum(np.arange(HIGHEST + 1) / 80, 1.0)  # by the cards in between
    rooms = np.arange(5)[:, None]
    takes = np.zeros((5, HIGHEST + 1))
    for come in range(others + 1):
        likely = comb(others, come) * chance**come * (1 - chance) ** (others - come)
        takes += np.where(come >= rooms, likely, 0)
    between, room = np.clip(_GAP - 1, 0, HIGHEST), np.clip(5 - _LAID, 0, 4)
    none_comes = ((1 - chance) ** others)[between]
    filled = np.where(_FULL, _HEADS * none_comes, takes[room, between] * (_HEADS + room * 1.6))
    mean = np.where(_NOWHERE, _HEADS, filled)
    return np.round(mean * 15).astype(np.int64)


class Hands:
    """The cards that every seat holds at many tables, and what each plays; `ways` by seat and table.

    `cards` is (cards of a hand, seats, tables): `card << 8`, in any order, the first `left` in use.
    """

    def __init__(self, cards: U16, ways: NDArray[np.intp], table_of: U16) -> None:
        self.cards: Final = cards
        self.left = len(cards)
        self._table_of: Final = table_of
        self._offset: Final = ways << 16
        shape = cards.shape
        self._differs = np.empty(shape, np.uint16)
        self._other = np.empty(shape, np.uint16)
        self._index = np.empty(shape, np.intp)
        self._found = np.empty(shape, np.bool_)
        self._best = np.empty(shape[1:], np.uint16)
        self._change = np.empty(shape[1:], np.uint16)
        self._heads = np.empty((ROWS, shape[2]), np.uint16)
        self._least = np.empty(shape[2], np.uint16)
        self._pair = np.empty((2, shape[2]), np.uint16)

    def play(self, codes: U16) -> U16:
        """The card that each seat plays on these rows, (seats, tables); it leaves the hand."""
        left = self.left
        cards, differs, other = self.cards[:left], self._differs[:left], self._other[:left]
        np.subtract(cards, codes[0], out=differs)
        for code in codes[1:]:
            np.subtract(cards, code, out=other)
            np.minimum(differs, other, out=differs)
        np.minimum(differs, self._nowhere(codes), out=differs)
        index = self._index[:left]
        np.add(differs, self._offset, out=index)
        np.take(self._table_of, index, out=differs, mode="clip")
        np.right_shift(cards, _EIGHT, out=other)
        np.add(differs, other, out=differs)
        best = self._best
        np.minimum.reduce(differs, axis=0, out=best)
        self.left = left - 1
        found, change = self._found[: left - 1], self._change
        np.equal(differs[:-1], best, out=found)
        np.bitwise_and(best, _CARD, out=best)
        if left > 1:  # the last card takes the place of the one that is played
            np.left_shift(best, _EIGHT, out=change)
            np.subtract(cards[-1], change, out=change)
            np.multiply(found, change, out=other[:-1])
            np.add(cards[:-1], other[:-1], out=cards[:-1])
        return best

    def _nowhere(self, codes: U16) -> U16:
        """The difference of a card that fits nowhere: what the cheapest row costs."""
        heads, pair, least = self._heads, self._pair, self._least
        np.subtract(_ZERO, codes, out=heads)
        np.bitwise_and(heads, _HEADS_OF_ROW, out=heads)
        np.minimum(heads[:2], heads[2:], out=pair)
        np.minimum(pair[0], pair[1], out=least)
        np.bitwise_or(least, _LOWER, out=least)
        return least


_ZERO, _EIGHT, _CARD, _HEADS_OF_ROW, _LOWER = (
    np.array([number], np.uint16) for number in (0, 8, 0x7F, 0xF8, LOWER)
)
