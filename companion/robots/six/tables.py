"""Thousands of tables of 6 nimmt! side by side in numpy, all at the same turn.

Theory of operation
-------------------
A row is one number of 16 bits, its *code*: `tail << 8` less `heads << 3 | cards - 1`. The difference between
`card << 8` and a code then holds, from the high bits down, how far the card is above the end of the row, the
heads in the row and how many cards lie in it. So the smallest of four unsigned differences is the row that
the card belongs to, together with all that is to be known of that row. A card that is lower than the end
wraps round to `LOWER` or more, and if the smallest is there, the card fits nowhere. Only the lowest card of
a turn can: whatever row it takes, the others fit on it.

*Policies* (`Policy`, `policies`) look at one card at a time: how far it is above the end of its row, how
many cards and heads lie there, or what the cheapest row costs if it fits nowhere. All this is the difference
above, so a policy is a table with `ENTRIES` entries for each part of a deal. Of a hand (`HandArrays`), the
card with the lowest entry is played; of equal ones the lowest card. Entries are multiples of 128, so that the
card fits in below. Who plays any card (`Policy.RANDOM`) looks at no table, for each card is to be as likely
as the others: a number that was drawn for this seat at this table says at which place of the hand the next
card is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.core.cards import HIGHEST, ROW_LENGTH, ROWS
from companion.robots.six import plain
from companion.robots.six.plain import A_HEAD, HEADS, STRONG_PARTS, Weights, cost, part
from companion.robots.six.seen import CardRows

Numbers = NDArray[np.float64]
U16 = NDArray[np.uint16]
U32 = NDArray[np.uint32]

LOWER: Final = 0x8000
"""From here on a difference says that the card is lower than the end of the row."""

ENTRIES: Final = LOWER + 0x100
"""The entries of a table: of a card that fits nowhere, only the heads of the cheapest row matter."""

KEYS: Final[U16] = np.arange(HIGHEST + 1, dtype=np.uint16) << np.uint16(7) | np.array(HEADS, np.uint16)
"""Each card as it is given to `Tables.place`; the seat is added at its place, `seat << 3`."""

_INDEX: Final = np.arange(ROWS, dtype=np.uint16).reshape(ROWS, 1)


def codes_of(rows: Sequence[Sequence[int]], tables: int = 1) -> U16:
    """The codes of the same rows at each of the tables, (4, tables)."""
    codes = [[(row[-1] << 8) - (cost(row) << 3 | len(row) - 1) & 0xFFFF] for row in rows]
    return np.repeat(np.array(codes, np.uint16), tables, axis=1)


@lru_cache(maxsize=16)
def network(size: int) -> tuple[tuple[int, int], ...]:
    """The comparisons that sort so many numbers: Batcher's odd-even mergesort (Knuth, 5.3.4)."""
    merged = [1 << power for power in range((size - 1).bit_length())]
    return tuple(
        (left, left + apart)
        for half in merged
        for apart in merged[merged.index(half) :: -1]
        for left in range(apart % half, size - apart)
        if (left - apart % half) // apart % 2 == 0 and left // (2 * half) == (left + apart) // (2 * half)
    )


class Tables:
    """Tables with this many seats and these rows; `counted` are the seats whose heads are wanted.

    `codes` are the rows, (4, tables). `heads` are what each counted seat has taken, (counted, tables).
    """

    def __init__(self, seats: int, codes: U16, counted: Sequence[int]) -> None:
        self.codes: Final = codes
        self.heads: Final = np.zeros((len(counted), codes.shape[1]), np.uint16)
        self._counted: Final = counted
        self._network: Final = network(seats)

    def place(self, keys: U16) -> None:
        """One turn: a card of every seat, as `KEYS` with the seat, (seats, tables)."""
        keys_of_turn = list(keys)
        for left, right in self._network:
            low, high = keys_of_turn[left], keys_of_turn[right]
            keys_of_turn[left], keys_of_turn[right] = np.minimum(low, high), np.maximum(low, high)
        for place, key in enumerate(keys_of_turn):
            self._place(key, lowest=place == 0)

    def _place(self, key: U16, *, lowest: bool) -> None:
        """One card; only the lowest one of a turn may have to take the row with the fewest heads."""
        differs = ((key & 0xFF80) << 1) - self.codes
        best = np.minimum.reduce(differs, axis=0)
        here = differs == best
        if lowest:
            nowhere = best >= LOWER
            costs = -self.codes & 0xF8 | _INDEX  # of two rows that cost the same the first
            here = np.where(nowhere, costs == np.minimum.reduce(costs, axis=0), here)
            best = np.add.reduce(here * differs, axis=0, dtype=np.uint16)
            full = best >> 2 & 1 | nowhere
        else:
            full = best >> 2 & 1
        row = best & 0xFF
        pays = (row >> 3) * full
        seat = key & 0x78
        for place, counted in enumerate(self._counted):
            self.heads[place] += pays * (seat == counted << 3)
        kept = full - 1  # all bits where the row is kept, none where it is taken
        row = (row + 1 & kept) + ((key & 7) << 3)
        self.codes[:] += here * (best - row)


def shuffled(random: np.random.PCG64, size: int, cards: int) -> U32:
    """So many orders of the numbers 0 to `cards - 1`, (size, cards), the number in the low seven bits.

    Each number gets 25 bits of chance and all are sorted: that is quicker than to swap cards one by one. Two
    of the same chance are in the order of their numbers, which happens to one of 6,000 decks.
    """
    many = size * cards
    keys = random.random_raw((many + 1) // 2).view(np.uint32)[:many].reshape(size, cards)
    keys &= np.uint32(0xFFFFFF80)
    keys |= np.arange(cards, dtype=np.uint32)
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
"""What is to be avoided more is all alike: it has room in an entry no more."""


class Policy(IntEnum):
    """How a player chooses a card; the value is its place in `policies`."""

    RANDOM = 0
    """Any card, each with the same chance."""
    GREEDY = 1
    """The card that costs least now; of several the lowest."""
    GAP = 2
    """The card that is nearest above the end of its row, if that costs nothing; else as greedy."""
    LEARNED = 3
    """As was learned by playing (`plain.FILE`)."""
    STRONG = 4
    """As strong players do (`plain.STRONG_FILE`); the same as `LEARNED` where their weights are not known."""


VARIANTS: Final = 6
"""The number of tables with random noise by which imagined strong players play: see `policies`."""


_APART: Final = 4999
"""The noise of each part of a deal is that of the part before, shifted by this number of entries."""


@lru_cache(maxsize=2)
def policies(seats: int) -> U16:
    """The entries of all policies for this number of seats, (parts of a deal, policies and differences).

    The parts are `STRONG_PARTS`. The policies are in the order of `Policy`, and after the strong one come
    `VARIANTS` tables of it with noise. It has Gumbel's distribution: so the card of the lowest entry is each
    card with the chance that the weights give it. In each part of a deal other cards have the same noise.
    """
    by_playing = avoided(plain.weights(plain.FILE)[seats])
    known = plain.weights(plain.STRONG_FILE)
    strong = avoided(known[seats]) if seats in known else None
    numbers = chances(np.random.PCG64(seats), VARIANTS << 16).reshape(VARIANTS, -1)
    noise = np.round(A_HEAD * np.log(-np.log(np.maximum(numbers, 2.0**-53)))).astype(np.int64)
    gap = np.where(_COST > 0, HIGHEST + _COST, np.minimum(_GAP, HIGHEST))
    found: U16 = np.empty((len(STRONG_PARTS), len(Policy) + VARIANTS, ENTRIES), np.uint16)
    for number, more in enumerate(STRONG_PARTS):
        of_part = by_playing[part(more + 1)]
        base = of_part if strong is None else strong[number]
        variants = base + np.roll(noise, number * _APART, axis=1)
        variants -= variants.min(axis=1, keepdims=True)
        tables = (np.zeros_like(_COST), _COST, gap, of_part, base, *variants)
        found[number] = [np.minimum(table[:ENTRIES], _MOST) << 7 for table in tables]
    return found.reshape(len(STRONG_PARTS), -1)


def avoided(weights: Weights) -> NDArray[np.int64]:
    """How much each card is to be avoided by such weights, (parts of a deal, differences), 0 at least."""
    cards = np.minimum(_LAID, ROW_LENGTH) - 1
    step = np.searchsorted(plain.STEPS, np.where(_NOWHERE, 0, _GAP))
    fits = np.array(weights.step)[:, cards, step] + np.array(weights.heads)[:, cards, _HEADS]
    found: NDArray[np.int64] = np.where(_NOWHERE, np.array(weights.low)[:, _HEADS], fits)
    found -= found.min(axis=1, keepdims=True)
    return found


def entries(rows: CardRows, seats: int, deck: int, left: int) -> U16:
    """What each policy makes of each card on these rows, (policies, cards from 0): the lowest is played.

    Each hand has `left` cards.
    """
    cards = np.arange(deck + 1, dtype=np.uint16)
    differs = ((cards << 8) - codes_of(rows)).min(axis=0)
    nowhere = LOWER | min(map(cost, rows)) << 3
    differs = np.minimum(differs, np.uint16(nowhere)).astype(np.intp)
    policy = (np.arange(len(Policy), dtype=np.intp) * ENTRIES)[:, None]
    found: U16 = np.take(policies(seats)[part(left, STRONG_PARTS)], policy + differs) + cards
    return found


class HandArrays:
    """The cards that every seat holds at many tables, and what each plays; `policy` by seat and table.

    `cards` is (cards of a hand, seats, tables): `card << 8`, in any order, the first `left` in use.
    `chance` is a number from `drawn` by seat and table: it decides for those that play any card.
    """

    def __init__(self, cards: U16, policy: NDArray[np.intp], table_of: U16, chance: U32) -> None:
        self.cards: Final = cards
        self.left = len(cards)
        self._table_of: Final = table_of
        self._any: Final = np.flatnonzero(policy == Policy.RANDOM)
        self._chance = chance.ravel()[self._any]
        self._offset: Final = policy * ENTRIES

    def play(self, codes: U16) -> U16:
        """The card that each seat plays on these rows, (seats, tables); it leaves the hand."""
        left, cards = self.left, self.cards[: self.left]
        differs = cards - codes[0]
        for code in codes[1:]:
            np.minimum(differs, cards - code, out=differs)
        # A card that fits nowhere costs what the cheapest row does.
        np.minimum(differs, np.minimum.reduce(-codes & 0xF8, axis=0) | LOWER, out=differs)
        entries = np.take(self._table_of[part(left, STRONG_PARTS)], differs + self._offset, mode="clip")
        entries += cards >> 8
        best: U16 = np.minimum.reduce(entries, axis=0)
        place = self._chance % np.uint32(left)
        best.reshape(-1)[self._any] = entries.reshape(left, -1)[place, self._any]
        self._chance = later(self._chance, left)
        self.left = left - 1
        # The last card takes the place of the one that is played.
        np.copyto(cards[:-1], cards[-1], where=entries[:-1] == best)
        return best & np.uint16(0x7F)
