"""Deals of 6 nimmt! played to their end in many worlds, for every card or row that may be chosen now."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from companion.core.cards import ROWS
from companion.robots.six.plain import place
from companion.robots.six.tables import KEYS, Hands, Tables, code_of, later, policies

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.robots.six.seen import CardRows, SixPlayerView
    from companion.robots.six.tables import U16
    from companion.robots.six.worlds import Worlds

    Heads = NDArray[np.uint16]
    TurnEnd = tuple[CardRows, Sequence[int]]
    """The rows after a turn, and the heads that every seat took in it, the own one first."""


def of_cards(seen: SixPlayerView, cards: Sequence[int], worlds: Worlds, *, count_all: bool = False) -> Heads:
    """The heads that each of these cards of the hand leads to, (counted, cards, worlds).

    All cards are tried in the same worlds. The own seat is counted first, with `count_all` also the others.
    """
    seats, size, many, tried = seen.seats, len(seen.hand), worlds.ways.shape[1], len(cards)
    theirs, chance = worlds.hands << np.uint16(8), worlds.chance.copy()
    others = Hands(theirs, worlds.ways[1:], policies(seats), chance[1:])
    first = others.play(_codes(seen.rows, many))
    chance[1:] = later(chance[1:], size)
    keys = np.empty((seats, tried, many), np.uint16)
    keys[0] = KEYS[list(cards)][:, None]
    keys[1:] = (KEYS[first] + _seat_bits(seats)[1:])[:, None]
    left = np.empty((size - 1, seats, tried, many), np.uint16)
    for number, card in enumerate(cards):
        rest = [other for other in seen.hand if other != card]
        left[:, 0, number] = np.array(rest, np.uint16).reshape(-1, 1) << 8
    # The played card has been replaced by the last one, so the first ones are those that are left.
    left[:, 1:] = theirs[: size - 1, :, None]
    tables = _tables(seats, _codes(seen.rows, tried * many), count_all=count_all)
    tables.place(keys.reshape(seats, -1))
    return _played_on(tables, left, worlds.ways, chance)


def ends_of_turn(seen: SixPlayerView) -> list[TurnEnd]:
    """The ends that a turn can have whose lowest card is the own one and fits nowhere: one for each row."""
    ends: list[TurnEnd] = []
    for row in range(len(seen.rows)):
        rows = [list(one) for one in seen.rows]
        taken = place(rows, seen.shown, partial(_always, row))
        own_first = [taken[seen.seat], *(heads for seat, heads in enumerate(taken) if seat != seen.seat)]
        ends.append((tuple(map(tuple, rows)), own_first))
    return ends


def _always(row: int, _rows: list[list[int]], _seat: int) -> int:
    return row


def of_ends(
    seen: SixPlayerView, ends: Sequence[TurnEnd], worlds: Worlds, *, count_all: bool = False
) -> Heads:
    """The heads that each of these ends of a turn leads to, (counted, ends, worlds), with its own."""
    seats, size, many = seen.seats, len(seen.hand), worlds.ways.shape[1]
    hands = np.empty((size, seats, len(ends), many), np.uint16)
    hands[:, 0] = (np.array(seen.hand, np.uint16) << 8).reshape(-1, 1, 1)
    hands[:, 1:] = (worlds.hands << 8)[:, :, None]
    codes = np.concatenate([_codes(rows, many) for rows, _ in ends], axis=1)
    heads = _played_on(_tables(seats, codes, count_all=count_all), hands, worlds.ways, worlds.chance)
    heads += np.array([taken for _, taken in ends], np.uint16).T[: len(heads), :, None]
    return heads


def _codes(rows: CardRows, many: int) -> U16:
    return np.repeat(np.array([[code_of(row)] for row in rows], np.uint16), many, axis=1)


def _tables(seats: int, codes: U16, *, count_all: bool) -> Tables:
    tables = Tables(seats, codes.shape[1], range(seats) if count_all else (0,))
    tables.codes[:ROWS] = codes
    return tables


def _played_on(tables: Tables, hands: U16, ways: NDArray[np.intp], chance: NDArray[np.uint32]) -> Heads:
    """The heads when hands, (cards, seats, tried, worlds), are played to their end."""
    left, seats, tried, many = hands.shape
    cards = hands.reshape(left, seats, tried * many)
    playing = Hands(cards, np.tile(ways, tried), policies(seats), np.tile(chance, tried))
    while playing.left:
        tables.place(KEYS[playing.play(tables.codes)] + _seat_bits(seats))
    return tables.heads.reshape(-1, tried, many)


def _seat_bits(seats: int) -> U16:
    return np.arange(0, seats << 3, 8, dtype=np.uint16).reshape(-1, 1)
