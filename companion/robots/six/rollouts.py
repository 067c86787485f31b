"""Deals of 6 nimmt! played to their end in many worlds, for every card or row that may be chosen now.

Several questions that have nothing to do with each other can be answered together, if as many sit at the
tables and hold as many cards: numpy needs hardly longer for ten times as many tables.

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
from companion.robots.six.tables import KEYS, Hands, Tables, code_of, later, policies
from companion.values import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.robots.six.seen import CardRows, SixPlayerView
    from companion.robots.six.tables import U16
    from companion.robots.six.worlds import Worlds

    Heads = NDArray[np.uint16]


class WhichCard(Value):
    """Which of these cards to play. All are tried in the same worlds, or `apart`: each in a part of them."""

    seen: SixPlayerView
    cards: Sequence[int]
    worlds: Worlds
    apart: bool = False


class WhichEnd(Value):
    """Which end of a turn is best: the rows after it, and the heads that every seat took, own one first."""

    seen: SixPlayerView
    ends: Sequence[tuple[CardRows, Sequence[int]]]
    worlds: Worlds


def ends_of_turn(seen: SixPlayerView) -> list[tuple[CardRows, Sequence[int]]]:
    """The ends that a turn can have whose lowest card is the own one and fits nowhere: one for each row."""
    ends: list[tuple[CardRows, Sequence[int]]] = []
    for row in range(len(seen.rows)):
        rows = [list(one) for one in seen.rows]
        taken = place(rows, seen.shown, partial(_always, row))
        own_first = [taken[seen.seat], *(heads for seat, heads in enumerate(taken) if seat != seen.seat)]
        ends.append((tuple(map(tuple, rows)), own_first))
    return ends


def _always(row: int, _rows: list[list[int]], _seat: int) -> int:
    return row


class TimeIsUp(Exception):
    """The deals were not played to their end in time."""


def of_cards(
    questions: Sequence[WhichCard], *, count_all: bool = False, up: Callable[[], bool] = never
) -> list[Heads]:
    """The heads that each card leads to, (counted, cards, worlds); the own seat is counted first.

    Each seat goes on in its way in each world. Raises `TimeIsUp`.
    """
    seats, size = questions[0].seen.seats, len(questions[0].seen.hand)
    others, table_of = seats - 1, policies(questions[0].seen.seats)
    hands, ways, codes, chances = [], [], [], []
    for asked in questions:
        hands.append(asked.worlds.hands << 8)
        ways.append(asked.worlds.ways)
        codes.append(_codes(asked.seen.rows, asked.worlds.ways.shape[1]))
        chances.append(asked.worlds.chance)
    theirs, all_seats = np.concatenate(hands, axis=2), np.concatenate(ways, axis=1)
    chance = np.concatenate(chances, axis=1)
    first = Hands(theirs, all_seats[1:], table_of, chance[1:]).play(np.concatenate(codes, axis=1))
    chance[1:] = later(chance[1:], size)

    shapes = []
    all_keys, all_hands, all_ways, all_chances, all_codes = [], [], [], [], []
    begin = 0
    for asked in questions:
        end, tried = begin + asked.worlds.ways.shape[1], len(asked.cards)
        parts = tried if asked.apart else 1
        many = (end - begin) // parts
        shapes.append((tried, many))
        keys = np.empty((seats, tried, many), np.uint16)
        keys[0] = KEYS[list(asked.cards)][:, None]
        keys[1:] = (KEYS[first[:, begin:end]] + _seat_bits(1, seats)).reshape(others, parts, many)
        left = np.empty((size - 1, seats, tried, many), np.uint16)
        for number, card in enumerate(asked.cards):
            rest = [other for other in asked.seen.hand if other != card]
            left[:, 0, number] = np.array(rest, np.uint16).reshape(-1, 1) << 8
        # The played card has been replaced by the last one, so the first ones are those that are left.
        left[:, 1:] = theirs[: size - 1, :, begin:end].reshape(size - 1, others, parts, many)
        on = np.empty((seats, tried, many), np.intp)
        on[:] = all_seats[:, begin:end].reshape(seats, parts, many)
        drawn = np.empty((seats, tried, many), np.uint32)
        drawn[:] = chance[:, begin:end].reshape(seats, parts, many)
        all_keys.append(keys.reshape(seats, -1))
        all_hands.append(left.reshape(size - 1, seats, tried * many))
        all_ways.append(on.reshape(seats, -1))
        all_chances.append(drawn.reshape(seats, -1))
        all_codes.append(_codes(asked.seen.rows, tried * many))
        begin = end
    tables = _tables(seats, np.concatenate(all_codes, axis=1), count_all=count_all)
    tables.place(np.concatenate(all_keys, axis=1))
    all_left = (np.concatenate(all_hands, axis=2), np.concatenate(all_ways, axis=1), table_of)
    left_hands = Hands(*all_left, np.concatenate(all_chances, axis=1))
    _play_on(tables, left_hands, up)
    return _parted(tables, shapes)


def of_ends(asked: WhichEnd, *, count_all: bool = False, up: Callable[[], bool] = never) -> Heads:
    """The heads that each end of a turn leads to, (counted, ends, worlds), with those of the turn itself.

    Raises `TimeIsUp`.
    """
    seats, size = asked.seen.seats, len(asked.seen.hand)
    many, tried = asked.worlds.ways.shape[1], len(asked.ends)
    codes = [_codes(rows, many) for rows, _ in asked.ends]
    tables = _tables(seats, np.concatenate(codes, axis=1), count_all=count_all)
    if size:
        hands = np.empty((size, seats, tried, many), np.uint16)
        hands[:, 0] = (np.array(asked.seen.hand, np.uint16) << 8).reshape(-1, 1, 1)
        hands[:, 1:] = (asked.worlds.hands << 8)[:, :, None, :]
        ways = np.repeat(asked.worlds.ways[:, None], tried, axis=1)
        chance = np.repeat(asked.worlds.chance[:, None], tried, axis=1).reshape(seats, -1)
        left = Hands(hands.reshape(size, seats, -1), ways.reshape(seats, -1), policies(seats), chance)
        _play_on(tables, left, up)
    heads: Heads = _parted(tables, [(tried, many)])[0]
    taken = np.array([taken for _, taken in asked.ends], np.uint16).T[: len(heads)]
    np.add(heads, taken[:, :, None], out=heads)
    return heads


def _codes(rows: CardRows, many: int) -> U16:
    return np.repeat(np.array([[code_of(row)] for row in rows], np.uint16), many, axis=1)


def _tables(seats: int, codes: U16, *, count_all: bool) -> Tables:
    tables = Tables(seats, codes.shape[1], range(seats) if count_all else (0,))
    tables.codes[:ROWS] = codes
    return tables


def _play_on(tables: Tables, hands: Hands, up: Callable[[], bool]) -> None:
    """Play all hands to their end."""
    seats = _seat_bits(0, tables.seats)
    keys = np.empty((tables.seats, tables.size), np.uint16)
    while hands.left:
        if up():
            raise TimeIsUp
        np.take(KEYS, hands.play(tables.codes), out=keys, mode="clip")
        np.add(keys, seats, out=keys)
        tables.place(keys)


def _parted(tables: Tables, shapes: Sequence[tuple[int, int]]) -> list[Heads]:
    """The heads of each question, as (counted, tried, worlds)."""
    found, begin = [], 0
    for tried, many in shapes:
        end = begin + tried * many
        found.append(tables.heads[:, begin:end].reshape(-1, tried, many))
        begin = end
    return found


def _seat_bits(first: int, seats: int) -> U16:
    return np.arange(first << 3, seats << 3, 8, dtype=np.uint16).reshape(-1, 1)
