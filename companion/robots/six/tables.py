"""Thousands of tables of 6 nimmt! side by side in numpy, all at the same turn.

Theory of operation
-------------------
A row is one number of 16 bits, its *code*: `tail << 8` less `heads << 3 | cards - 1`. The difference between
`card << 8` and a code then holds, from the high bits down, how far the card is above the end of the row, the
heads in the row and how many cards lie in it. So the smallest of four unsigned differences is the row that
the card belongs to, together with all that is to be known of that row. A card that is lower than the end
wraps round to `LOWER` or more, and if the smallest is there, the card fits nowhere. Only the lowest card of
a turn can: whatever row it takes, the others fit on it.

Nothing is allocated while tables play: every operation writes to an array that was made with the `Tables`.
Numbers that operations share are arrays as well, for numpy is slow to turn a Python number into one.

*Ways to play* (`Way`, `policies`) look at one card at a time: how far it is above the end of its row, how
many cards and heads lie there, or what the cheapest row costs if it fits nowhere. All this is the difference
above, so a policy is a table with `ENTRIES` entries, or one for each part of a deal. Of a hand (`Hands`), the
card with the lowest entry is played; of equal ones the lowest card. Entries are multiples of 128, so that the
card fits in below. Who plays any card (`Way.RANDOM`) looks at no table, for each card is to be as likely as
the others: a number that was drawn for this seat at this table says at which place of the hand the next card
is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from math import comb, prod
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.core.cards import HIGHEST, ROW_LENGTH, ROWS
from companion.robots.six import learned
from companion.robots.six.learned import A_HEAD, STRONG_PARTS, part
from companion.robots.six.plain import HEADS, cost

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    U16 = NDArray[np.uint16]
    U32 = NDArray[np.uint32]
    Rows = Sequence[Sequence[int]]

    from companion.robots.six.learned import Weights

LOWER: Final = 0x8000
"""From here on a difference says that the card is lower than the end of the row."""

ENTRIES: Final = LOWER + 0x100
"""The entries of a table: of a card that fits nowhere, only the heads of the cheapest row matter."""

KEYS: Final = (np.arange(HIGHEST + 1, dtype=np.uint16) << 7) | np.array(HEADS, np.uint16)
"""Each card as it is given to `Tables.place`; the seat is added at its place, `seat << 3`."""


def _number(value: int) -> U16:
    return np.array([value], np.uint16)


_ONE, _TWO, _THREE, _SEVEN, _EIGHT = map(_number, (1, 2, 3, 7, 8))
_LOW_BYTE, _HEADS_OF_ROW, _CARD_OF_KEY, _SEAT_OF_KEY = map(_number, (0xFF, 0xF8, 0xFF80, 0x78))
_ZERO, _LOWER = _number(0), _number(LOWER)
_INDEX: Final = np.arange(ROWS, dtype=np.uint16).reshape(ROWS, 1)


def code_of(row: Sequence[int]) -> int:
    return (row[-1] << 8) - (cost(row) << 3 | len(row) - 1) & 0xFFFF


@lru_cache(maxsize=16)
def network(size: int) -> tuple[tuple[int, int], ...]:
    """The comparisons that sort so many numbers: Batcher's merge exchange (Knuth, 5.2.2, algorithm M)."""
    if size < 2:  # noqa: PLR2004 - one number is sorted
        return ()
    pairs: list[tuple[int, int]] = []
    top = 1 << (size - 1).bit_length() - 1
    p = top
    while p > 0:
        q, r, d = top, 0, p
        while True:
            pairs.extend((i, i + d) for i in range(size - d) if i & p == r)
            if q == p:
                break
            d, q, r = q - p, q >> 1, p
        p >>= 1
    return tuple(pairs)


class Tables:
    """So many tables for so many seats; `counted` are the seats whose heads are wanted, by default all.

    `codes` are the rows, (4, tables). `heads` are what each counted seat has taken, (counted, tables).
    """

    def __init__(self, seats: int, size: int, counted: Sequence[int] | None = None) -> None:
        self.seats: Final = seats
        self.size: Final = size
        wanted = range(seats) if counted is None else counted
        self.codes: Final = np.zeros((ROWS, size), np.uint16)
        self.heads: Final = np.zeros((len(wanted), size), np.uint16)
        self._wanted: Final = tuple(_number(seat << 3) for seat in wanted)
        self._network: Final = network(seats)
        self._four = np.empty((ROWS, size), np.uint16)
        self._fits = np.empty((ROWS, size), np.uint16)
        self._here = np.empty((ROWS, size), np.bool_)
        self._cheapest = np.empty((ROWS, size), np.bool_)
        self._low = np.empty(size, np.bool_)
        self._pair = np.empty((2, size), np.uint16)
        self._ones = [np.empty(size, np.uint16) for _ in range(6)]
        self._pool = [np.empty(size, np.uint16) for _ in range(seats + 2)]

    def lay(self, rows: Rows) -> None:
        """The same rows at every table; nobody has taken anything."""
        for index, row in enumerate(rows):
            self.codes[index] = code_of(row)
        self.heads[:] = 0

    def place(self, keys: U16) -> None:
        """One turn: a card of every seat, as `KEYS` with the seat, (seats, tables); the keys stay so."""
        rows, pool, own = list(keys), self._pool, set[int]()
        for one, other in self._network:
            low, high = pool.pop(), pool.pop()
            np.minimum(rows[one], rows[other], out=low)
            np.maximum(rows[one], rows[other], out=high)
            for place, found in ((one, low), (other, high)):
                if place in own:
                    pool.append(rows[place])
                else:
                    own.add(place)
                rows[place] = found
        self._place_lowest(rows[0])
        for key in rows[1:]:
            self._place_next(key)
        pool.extend(rows)

    def _differences(self, key: U16, card: U16) -> U16:
        """How each row differs from the card; returns the smallest difference, in the first array of ones."""
        fits, pair, best = self._fits, self._pair, self._ones[0]
        np.bitwise_and(key, _CARD_OF_KEY, out=card)
        np.left_shift(card, _ONE, out=card)
        np.subtract(card, self.codes, out=fits)
        np.minimum(fits[:2], fits[2:], out=pair)
        np.minimum(pair[0], pair[1], out=best)
        return best

    def _place_lowest(self, key: U16) -> None:
        """The first card of a turn, which may have to take the row with the fewest heads."""
        best, card, pays, full = self._ones[:4]
        four, fits, here, cheapest, low = self._four, self._fits, self._here, self._cheapest, self._low
        self._differences(key, card)
        np.equal(fits, best, out=here)
        np.greater_equal(best, _LOWER, out=low)
        # The rows by what they cost; of two that cost the same the first.
        np.subtract(_ZERO, self.codes, out=four)
        np.bitwise_and(four, _HEADS_OF_ROW, out=four)
        np.bitwise_or(four, _INDEX, out=four)
        np.minimum(four[:2], four[2:], out=self._pair)
        np.minimum(self._pair[0], self._pair[1], out=full)
        np.equal(four, full, out=cheapest)
        np.bitwise_xor(cheapest, here, out=cheapest)
        np.bitwise_and(cheapest, low, out=cheapest)
        np.bitwise_xor(here, cheapest, out=here)
        np.multiply(here, fits, out=four)
        np.add(four[:2], four[2:], out=self._pair)
        np.add(self._pair[0], self._pair[1], out=best)
        np.right_shift(best, _TWO, out=full)
        np.bitwise_and(full, _ONE, out=full)
        np.bitwise_or(full, low, out=full)
        self._put(key, best, pays, full)

    def _place_next(self, key: U16) -> None:
        """Another card of a turn: it fits somewhere."""
        best, card, pays, full = self._ones[:4]
        self._differences(key, card)
        np.equal(self._fits, best, out=self._here)
        np.right_shift(best, _TWO, out=full)
        np.bitwise_and(full, _ONE, out=full)
        self._put(key, best, pays, full)

    def _put(self, key: U16, best: U16, pays: U16, full: U16) -> None:
        """Lay the card on the row that is marked; `full` is 1 where it takes the row, else 0."""
        row, kept = self._ones[4:6]
        np.bitwise_and(best, _LOW_BYTE, out=row)
        np.subtract(full, _ONE, out=kept)  # all bits where the row is kept, none where it is taken
        # A mask of bits costs less than a product.
        if self._wanted:
            np.right_shift(row, _THREE, out=pays)
            np.multiply(pays, full, out=pays)
            spent = self._ones[1]
            mine = self._low
            np.bitwise_and(key, _SEAT_OF_KEY, out=spent)
            for seat, heads in zip(self._wanted, self.heads, strict=True):
                np.equal(spent, seat, out=mine)
                np.multiply(mine, pays, out=full)
                np.add(heads, full, out=heads)
        np.add(row, _ONE, out=row)
        np.bitwise_and(row, kept, out=row)
        np.bitwise_and(key, _SEVEN, out=kept)
        np.left_shift(kept, _THREE, out=kept)
        np.add(row, kept, out=row)
        np.subtract(best, row, out=best)
        np.multiply(self._here, best, out=self._four)
        np.add(self.codes, self._four, out=self.codes)


def shuffled(random: np.random.PCG64, size: int, cards: int) -> NDArray[np.uint32]:
    """So many orders of the numbers 0 to `cards - 1`, (size, cards), the number in the low seven bits.

    Each number gets 25 bits of chance and all are sorted: that is quicker than to swap cards one by one. Two
    of the same chance are in the order of their numbers, which happens to one of 6,000 decks.
    """
    many = size * cards
    keys = random.random_raw((many + 1) // 2).view(np.uint32)[:many].reshape(size, cards)
    np.bitwise_and(keys, np.uint32(0xFFFFFF80), out=keys)
    np.bitwise_or(keys, np.arange(cards, dtype=np.uint32), out=keys)
    keys.sort(axis=1)
    return keys


def drawn(random: np.random.PCG64, *shape: int) -> U32:
    """Numbers that decide in which order hands are played, as far as that is left to chance.

    At each turn the rest of the division by the number of cards that are left is the place of the card, and
    the quotient decides about the turns to come (`later`). Ten cards have 3,628,800 orders, and no order
    is more likely than another by more than a thousandth.
    """
    many = prod(shape)
    numbers: U32 = random.random_raw((many + 1) // 2).view(np.uint32)[:many].reshape(shape)
    return numbers


def later(chance: U32, left: int) -> U32:
    """What decides about the turns to come, once one of the cards that were `left` is played."""
    return chance // np.uint32(left)


def chances(random: np.random.PCG64, many: int) -> Numbers:
    """Numbers from 0 to below 1."""
    raw: NDArray[np.uint64] = random.random_raw(many)
    return np.right_shift(raw, np.uint64(11)).astype(np.float64) * 2.0**-53


_ALL: Final = np.arange(1 << 16, dtype=np.int64)
_HEADS: Final = _ALL >> 3 & 31
_LAID: Final = (_ALL & 7) + 1
_GAP: Final = _ALL >> 8
_NOWHERE: Final = _ALL >= LOWER
_FULL: Final = (_LAID >= ROW_LENGTH) & ~_NOWHERE
_COST: Final = np.where(_NOWHERE | _FULL, _HEADS, 0)
_MOST: Final = 509


class Way(IntEnum):
    """A way of playing; the value is its place in `policies`."""

    RANDOM = 0
    """Any card, each with the same chance."""
    GREEDY = 1
    """The card that costs least now; of several the lowest."""
    GAP = 2
    """The card that is nearest above the end of its row, if that costs nothing; else as greedy."""
    RISK = 3
    """The card that costs least in the mean if the others play any cards that fit somewhere."""
    LEARNED = 4
    """As was learned by playing (`learned`)."""
    STRONG = 5
    """As strong players do (`learned.strong`); the same as `LEARNED` where their weights are not known."""


VARIANTS: Final = 6
"""The number of tables with random noise by which imagined strong players play: see `policies`."""


def simple(seats: int) -> NDArray[np.int64]:
    """The tables of the ways that nobody had to learn, in the order of `Way`, (ways, differences).

    All cards are the same to who plays any: see `Hands`.
    """
    gap = np.where(_COST > 0, HIGHEST + _COST, np.minimum(_GAP, HIGHEST))
    return np.array([np.zeros_like(_COST), _COST, gap, _risk(seats)])


def entries_of(found: NDArray[np.int64] | NDArray[np.int32]) -> U16:
    """What is to be avoided as entries; what is to be avoided most is all alike."""
    entries: U16 = np.minimum(found, _MOST).astype(np.uint16) << np.uint16(7)
    return entries


_APART: Final = 4999
"""The noise of each part of a deal is that of the part before, shifted by this number of entries."""


@lru_cache(maxsize=2)
def policies(seats: int) -> U16:
    """The entries of all ways for this number of seats, (parts of a deal, ways and differences).

    The parts are `STRONG_PARTS`. The ways are in the order of `Way`, and after `Way.STRONG` come `VARIANTS`
    tables of the same way with noise. It has Gumbel's distribution: so the card with the lowest entry is each
    card with the chance that the weights give it. In each part of a deal other cards have the same noise.
    """
    by_playing = avoided(learned.every()[seats])
    strong = avoided(learned.strong()[seats]) if seats in learned.strong() else None
    numbers = chances(np.random.PCG64(seats), VARIANTS << 16).reshape(VARIANTS, -1)
    noise = np.round(A_HEAD * np.log(-np.log(np.maximum(numbers, 2.0**-53)))).astype(np.int32)
    found: U16 = np.empty((len(STRONG_PARTS), len(Way) + VARIANTS, ENTRIES), np.uint16)
    found[:, : Way.LEARNED] = entries_of(simple(seats))[:, :ENTRIES]
    for number, more in enumerate(STRONG_PARTS):
        of_part = by_playing[part(more + 1)]
        one = of_part if strong is None else strong[number]
        variants = one.astype(np.int32) + np.roll(noise, number * _APART, axis=1)
        variants -= variants.min(axis=1, keepdims=True)
        found[number, Way.LEARNED] = entries_of(of_part)[:ENTRIES]
        found[number, Way.STRONG] = entries_of(one)[:ENTRIES]
        found[number, Way.STRONG + 1 :] = entries_of(variants)[:, :ENTRIES]
    return found.reshape(len(STRONG_PARTS), -1)


def avoided(weights: Weights) -> NDArray[np.int64]:
    """How much each card is to be avoided by such weights, (parts of a deal, differences), 0 at least."""
    cards, step = (
        np.minimum(_LAID, ROW_LENGTH) - 1,
        np.searchsorted(learned.STEPS, np.where(_NOWHERE, 0, _GAP)),
    )
    found = []
    for by_step, by_heads, low in zip(weights.step, weights.heads, weights.low, strict=True):
        fits = np.array(by_step)[cards, step] + np.array(by_heads)[cards, _HEADS]
        both = np.where(_NOWHERE, np.array(low)[_HEADS], fits)
        found.append(both - both.min())
    return np.array(found)


def _risk(seats: int) -> NDArray[np.int64]:
    """What a card costs in the mean, in fifteenths of a head, if each other seat plays any of 80 cards."""
    others = seats - 1
    chance = np.minimum(np.arange(HIGHEST + 1) / 80, 1.0)  # by the cards in between
    rooms = np.arange(ROW_LENGTH)[:, None]
    takes = np.zeros((ROW_LENGTH, HIGHEST + 1))
    for come in range(others + 1):
        likely = comb(others, come) * chance**come * (1 - chance) ** (others - come)
        takes += np.where(come >= rooms, likely, 0)
    between, room = np.clip(_GAP - 1, 0, HIGHEST), np.clip(ROW_LENGTH - _LAID, 0, ROW_LENGTH - 1)
    none_comes = ((1 - chance) ** others)[between]
    filled = np.where(_FULL, _HEADS * none_comes, takes[room, between] * (_HEADS + room * 1.6))
    mean = np.where(_NOWHERE, _HEADS, filled)
    return np.round(mean * 15).astype(np.int64)


class Hands:
    """The cards that every seat holds at many tables, and what each plays; `ways` by seat and table.

    `cards` is (cards of a hand, seats, tables): `card << 8`, in any order, the first `left` in use.
    `chance` is a number from `drawn` by seat and table: it decides for those that play any card.
    """

    def __init__(
        self,
        cards: U16,
        ways: NDArray[np.intp],
        table_of: U16,
        chance: U32,
        parts: Sequence[int] = STRONG_PARTS,
    ) -> None:
        self.cards: Final = cards
        self.left = len(cards)
        self._table_of: Final = table_of
        self._parts: Final = parts
        self._any: Final = np.flatnonzero(ways == Way.RANDOM)
        self._chance = chance.ravel()[self._any]
        self._offset: Final = ways * ENTRIES
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
        np.take(self._table_of[part(left, self._parts)], index, out=differs, mode="clip")
        np.right_shift(cards, _EIGHT, out=other)
        np.add(differs, other, out=differs)
        best = self._best
        np.minimum.reduce(differs, axis=0, out=best)
        place = self._chance % np.uint32(left)
        best.reshape(-1)[self._any] = differs.reshape(left, -1)[place, self._any]
        self._chance = later(self._chance, left)
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


_CARD: Final = np.array([0x7F], np.uint16)
