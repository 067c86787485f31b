"""The ways that were learned: their weights, and how well they play."""

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.cards import ROW_LENGTH, TURNS
from companion.games.six.options import SEATS
from companion.robots.six import plain
from companion.robots.six.plain import FILE, STRONG_FILE, Learned, Normal, part, place, weights
from companion.robots.six.seen import SixPlayer
from tests.companion.robots.positions import moment, played_by
from tools.arena import Greedy

KIB_64 = 64 * 1024
HEADS = 32  # a row has at most 31


def test_the_weights_are_there_for_every_number_of_players_and_in_a_small_file() -> None:
    assert FILE.stat().st_size + STRONG_FILE.stat().st_size <= KIB_64
    assert sorted(weights(FILE)) == list(SEATS)
    for found in weights(FILE).values():
        assert np.array(found.step).shape == (len(plain.PARTS), ROW_LENGTH, len(plain.STEPS) + 1)
        assert np.array(found.heads).shape == (len(plain.PARTS), ROW_LENGTH, HEADS)
        assert np.array(found.low).shape == (len(plain.PARTS), HEADS)
        assert np.array(found.row).shape == (len(plain.PARTS), ROW_LENGTH)
    assert [part(left) for left in range(TURNS, 0, -1)] == [0] * 3 + [1] * 3 + [2] * 4


def test_the_weights_of_strong_players_are_there_for_four() -> None:
    assert list(weights(STRONG_FILE)) == [4]
    found = weights(STRONG_FILE)[4]
    assert np.array(found.step).shape == (len(plain.STRONG_PARTS), ROW_LENGTH, len(plain.STEPS) + 1)
    assert np.array(found.heads).shape == (len(plain.STRONG_PARTS), ROW_LENGTH, HEADS)
    assert np.array(found.low).shape == (len(plain.STRONG_PARTS), HEADS)
    for left in range(TURNS, 0, -1):  # the tables of both ways are side by side
        at = part(left, plain.STRONG_PARTS)
        assert part(left) == part(plain.STRONG_PARTS[at] + 1)


def test_it_plays_into_a_short_row_rather_than_as_the_fifth_card() -> None:
    seen, rows = moment(1, 4, 4)[0], ((10, 11, 12, 13), (40, 41), (70,), (90,))
    assert Learned().card(replace(seen, rows=rows, hand=(19, 43, 66))) == 43
    full = ((10,), (40, 41, 42, 44, 45), (70,), (90,))
    assert Learned().card(replace(seen, rows=full, hand=(11, 55))) == 11


def test_it_takes_one_head_rather_than_many() -> None:
    seen = moment(1, 4, 4)[0]
    rows = ((55, 66), (77, 88), (96,), (44, 99))
    assert Learned().row(replace(seen, rows=rows, shown=(2, 97, 98, 100))) == 2


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_it_has_fewer_heads_than_the_simple_players(seats: int) -> None:
    simple: list[SixPlayer] = [Normal(), Greedy()]
    players = [Learned(), *(simple * seats)[: seats - 1]]
    heads = np.zeros(seats)
    for number in range(200 * seats):
        turned = number % seats  # all play every hand
        turns = played_by([*players[turned:], *players[:turned]], number // seats)
        taken = [place([list(row) for row in turn.rows], turn.cards) for turn in turns]
        heads += np.roll(np.sum(taken, axis=0), turned)
    assert all(heads[0] < 0.93 * others for others in heads[1:])
