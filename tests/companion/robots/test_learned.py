"""The ways that were learned: their weights, and how well they play."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.cards import ROW_LENGTH
from companion.games.six.options import SEATS
from companion.robots.six import plain
from companion.robots.six.plain import FILE, STRONG_FILE, Learned, Normal, place, weights
from companion.robots.six.seen import SixPlayer
from tests.companion.robots.positions import moment, played_by
from tools.arena import Greedy

KIB_32 = 32 * 1024
HEADS = 32  # a row has at most 31


@pytest.mark.parametrize(
    ("file", "players", "parts"), [(FILE, [*SEATS], plain.PARTS), (STRONG_FILE, [4], plain.STRONG_PARTS)]
)
def test_a_file_has_every_weight_for_its_numbers_of_players(
    file: Path, players: list[int], parts: tuple[int, ...]
) -> None:
    assert file.stat().st_size <= KIB_32
    assert sorted(weights(file)) == players
    for found in weights(file).values():
        assert np.array(found.step).shape == (len(parts), ROW_LENGTH, len(plain.STEPS) + 1)
        assert np.array(found.heads).shape == (len(parts), ROW_LENGTH, HEADS)
        assert np.array(found.low).shape == (len(parts), HEADS)
        assert np.array(found.row).shape == ((len(parts), ROW_LENGTH) if file == FILE else (0,))


def test_it_plays_into_a_short_row_rather_than_as_the_fifth_card() -> None:
    seen, rows = moment(1, 4, 4)[0], ((10, 11, 12, 13), (40, 41), (70,), (90,))
    assert Learned().card(replace(seen, rows=rows, hand=(19, 43, 66))) == 43
    full = ((10,), (40, 41, 42, 44, 45), (70,), (90,))
    assert Learned().card(replace(seen, rows=full, hand=(11, 55))) == 11


def test_it_takes_one_head_rather_than_many() -> None:
    seen = moment(1, 4, 4)[0]
    rows = ((55, 66), (77, 88), (96,), (44, 99))
    assert Learned().row(replace(seen, rows=rows, shown=(2, 97, 98, 100))) == 2


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
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
