"""Deals of 6 nimmt! played to their end in many worlds, for every card or row that may be chosen now.

Before each turn a clock may say that the time is up: then nothing is found, for deals that are played to
different turns say nothing of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from companion.core.cards import ROWS
from companion.robots.rollouts import never
from companion.robots.six.plain import place
from companion.robots.six.tables import KEYS, Hands, Tables, Way, code_of, policies
from companion.values import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.robots.six.seen import CardRows, SixPlayerView
    from companion.robots.six.tables import U16
    from companion.robots.six.worlds import Worlds

    Heads = NDArray[np.uint16]


class EndOfTurn(Value):
    """How a turn can end: the rows after it, and the heads that every seat took, own one first."""

    rows: CardRows
    taken: Sequence[int]


def ends_of_turn(seen: SixPlayerView) -> list[EndOfTurn]:
    """The ends that a turn can have whose lowest card is the own one and fits nowhere: one for each row."""
    ends = []
    for row in range(len(seen.rows)):
        rows = [list(one) for one in seen.rows]
        taken = place(rows, seen.shown, partial(_always, row))
        own_first = [taken[seen.seat], *(heads for seat, heads in enumerate(taken) if seat != seen.seat)]
        ends.append(EndOfTurn(tuple(map(tuple, rows)), own_first))
    return ends


def _always(row: int, _rows: list[list[int]], _seat: int) -> int:
    return row


class TimeIsUp(Exception):
    """The deals were not played to their end in time."""


def of_cards(
    seen: SixPlayerView,
    cards: Sequence[int],
    worlds: Worlds,
    me: Way,
    *,
    count_all: bool = False,
    up: Callable[[], bool] = never,
) -> Heads:
    """The heads that each card leads to, (counted, cards, worlds); the own seat is counted first.

    I go on with the way `me`, each other seat with its own in each world. Raises `TimeIsUp`.
    """
    size, tried, many = len(seen.hand), len(cards), worlds.ways.shape[1]
    theirs = np.left_shift(worlds.hands, np.uint16(8))
    first = Hands(theirs, worlds.ways, policies(seen.seats)).play(_codes(seen.rows, many))
    keys = np.empty((seen.seats, tried, many), np.uint16)
    keys[0] = KEYS[list(cards)][:, None]
    keys[1:] = (KEYS[first] + _seat_bits(1, seen.seats))[:, None, :]
    hands = np.empty((size - 1, seen.seats, tried, many), np.uint16)
    for number, card in enumerate(cards):
        rest = [other for other in seen.hand if other != card]
        hands[:, 0, number] = np.array(rest, np.uint16).reshape(-1, 1) << 8
    # The played card has been replaced by the last one, so the first ones are those that are left.
    hands[:, 1:] = theirs[: size - 1, :, None, :]
    tables = _tables(seen.seats, _codes(seen.rows, tried * many), count_all=count_all)
    tables.place(keys.reshape(seen.seats, -1))
    return _played_on(tables, hands, worlds, me, up)


def of_ends(
    seen: SixPlayerView,
    ends: Sequence[EndOfTurn],
    worlds: Worlds,
    me: Way,
    *,
    count_all: bool = False,
    up: Callable[[], bool] = never,
) -> Heads:
    """The heads that each end of a turn leads to, (counted, ends, worlds), with those of the turn itself.

    Raises `TimeIsUp`.
    """
    many = worlds.ways.shape[1]
    codes = np.concatenate([_codes(end.rows, many) for end in ends], axis=1)
    tables = _tables(seen.seats, codes, count_all=count_all)
    hands = np.empty((len(seen.hand), seen.seats, len(ends), many), np.uint16)
    hands[:, 0] = (np.array(seen.hand, np.uint16) << 8).reshape(-1, 1, 1)
    hands[:, 1:] = (worlds.hands << 8)[:, :, None, :]
    heads = _played_on(tables, hands, worlds, me, up)
    taken = np.array([end.taken for end in ends], np.uint16).T[: len(heads)]
    np.add(heads, taken[:, :, None], out=heads)
    return heads


def _codes(rows: CardRows, many: int) -> U16:
    return np.repeat(np.array([[code_of(row)] for row in rows], np.uint16), many, axis=1)


def _tables(seats: int, codes: U16, *, count_all: bool) -> Tables:
    tables = Tables(seats, codes.shape[1], range(seats) if count_all else (0,))
    tables.codes[:ROWS] = codes
    return tables


def _played_on(tables: Tables, hands: U16, worlds: Worlds, me: Way, up: Callable[[], bool]) -> Heads:
    """The heads, (counted, tried, worlds), once all hands, (cards, seats, tried, worlds), are played."""
    size, seats, tried, many = hands.shape
    ways = np.empty((seats, tried, many), np.intp)
    ways[0], ways[1:] = me, worlds.ways[:, None, :]
    left = Hands(hands.reshape(size, seats, tables.size), ways.reshape(seats, -1), policies(seats))
    of_seats = _seat_bits(0, seats)
    keys = np.empty((seats, tables.size), np.uint16)
    while left.left:
        if up():
            raise TimeIsUp
        np.take(KEYS, left.play(tables.codes), out=keys, mode="clip")
        np.add(keys, of_seats, out=keys)
        tables.place(keys)
    return tables.heads.reshape(-1, tried, many)


def _seat_bits(first: int, seats: int) -> U16:
    return np.arange(first << 3, seats << 3, 8, dtype=np.uint16).reshape(-1, 1)
