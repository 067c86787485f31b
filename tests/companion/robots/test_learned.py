"""The ways that were learned: their weights, how well they play, and the programs that learn them."""

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.cards import ROW_LENGTH, TURNS
from companion.games.six.options import SEATS
from companion.robots.arena import six_rounds, standing
from companion.robots.arena.standing import Entry, SixRound
from companion.robots.six import learned
from companion.robots.six.learned import (
    FILE,
    MOST_HEADS,
    PARTS,
    STEPS,
    STRONG_FILE,
    STRONG_PARTS,
    Learned,
)
from companion.robots.six.plain import Greedy, Normal
from companion.robots.six.seen import SixPlayer
from tests.companion.robots.positions import moment
from tools import fit, learn

KIB_64 = 64 * 1024


def test_the_weights_are_there_for_every_number_of_players_and_in_a_small_file() -> None:
    assert FILE.stat().st_size + STRONG_FILE.stat().st_size <= KIB_64
    assert sorted(learned.every()) == list(SEATS)
    for found in learned.every().values():
        assert np.array(found.step).shape == (len(PARTS), ROW_LENGTH, len(STEPS) + 1)
        assert np.array(found.heads).shape == (len(PARTS), ROW_LENGTH, MOST_HEADS + 1)
        assert np.array(found.low).shape == (len(PARTS), MOST_HEADS + 1)
        assert np.array(found.row).shape == (len(PARTS), ROW_LENGTH)
    assert [learned.part(left) for left in range(TURNS, 0, -1)] == [0] * 3 + [1] * 3 + [2] * 4


def test_the_weights_of_strong_players_are_there_for_four() -> None:
    assert list(learned.strong()) == [4]
    found = learned.strong()[4]
    assert np.array(found.step).shape == (len(STRONG_PARTS), ROW_LENGTH, len(STEPS) + 1)
    assert np.array(found.heads).shape == (len(STRONG_PARTS), ROW_LENGTH, MOST_HEADS + 1)
    assert np.array(found.low).shape == (len(STRONG_PARTS), MOST_HEADS + 1)
    for left in range(TURNS, 0, -1):  # the tables of both ways are side by side
        at = learned.part(left, STRONG_PARTS)
        assert learned.part(left) == learned.part(STRONG_PARTS[at] + 1)


def test_it_plays_into_a_short_row_rather_than_as_the_fifth_card() -> None:
    seen = replace(moment(1, 4, 4)[0], rows=((10, 11, 12, 13), (40, 41), (70,), (90,)), hand=(19, 43, 66))
    assert Learned().card(seen) == 43
    assert (
        Learned().card(replace(seen, rows=((10,), (40, 41, 42, 44, 45), (70,), (90,)), hand=(11, 55))) == 11
    )


def test_it_takes_one_head_rather_than_many() -> None:
    seen = moment(1, 4, 4)[0]
    rows = ((55, 66), (77, 88), (96,), (44, 99))
    assert Learned().row(replace(seen, rows=rows, shown=(2, 97, 98, 100))) == 2


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_it_has_fewer_heads_than_the_simple_players(seats: int) -> None:
    others = [Normal(), Greedy()][: seats - 1] * seats
    players = [Entry(type(one).__name__, one, float) for one in (Learned(), *others[: seats - 1])]
    first, *rest = standing.standing(players, list(six_rounds.play(players, range(200), 5, matches=False)))
    assert first.name == "Learned"
    assert all(first.points < 0.93 * line.points for line in rest)


def test_learning_can_be_repeated_and_lowers_what_is_paid() -> None:
    before, after, again = (learn.learn(3, 1, times, 900) for times in (0, 15, 15))
    assert after == again
    assert learn.paid(3, after, 2) < 0.95 * learn.paid(3, before, 2)


def test_rounds_that_were_played_tell_how_their_players_play() -> None:
    def rounds(player: SixPlayer, seed: int) -> list[fit.Choice]:
        players = [Entry("one", player, float)] * 4
        results = six_rounds.play(players, range(12), seed, matches=False)
        records = [one for result in results for one in result.records if isinstance(one, SixRound)]
        return [choice for one in records for choice in fit.choices(one)]

    normal, good = rounds(Normal(), 1), rounds(Learned(), 1)
    of_normal, of_good = fit.fit(normal), fit.fit(good)
    assert of_normal == fit.fit(normal)
    for weights, own, other in (
        (of_normal, rounds(Normal(), 2), rounds(Learned(), 2)),
        (of_good, rounds(Learned(), 2), rounds(Normal(), 2)),
    ):
        by_chance = float(np.mean([-np.log(len(cards)) for _, cards, _ in own]))
        assert fit.likelihood(weights, own) > by_chance + 0.5
        assert fit.likelihood(weights, own) > fit.likelihood(weights, other) + 0.3
