"""Laws for every robot of 6 nimmt!: legal, the same for the same sight, blind to hidden cards."""

from random import Random
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.robots.levels import Level, robot
from companion.robots.six.hard import Hard
from companion.robots.six.plain import Learned, Normal, place
from companion.robots.six.seen import SixPlayer, SixPlayerView
from companion.robots.six.tables import Policy
from companion.robots.six.worlds import KINDS, Beliefs, priors
from tests.companion.robots.positions import forced, moment, moments, played_by
from tests.examples import examples
from tools.arena import Greedy, MonteCarlo

ROBOTS: Final[dict[str, SixPlayer]] = {
    "easy": robot("six", Level.EASY, 1),
    "normal": Normal(),
    "good": robot("six", Level.GOOD),
    "hard": Hard(1, tables=60, hands=40, blocks=2),
    "greedy": Greedy(),
    "mcs-50": MonteCarlo(1, worlds=5),
}


@pytest.mark.parametrize("name", ROBOTS)
@given(seen=moments(), random=st.randoms(use_true_random=False))
@examples(8)
def test_a_robot_always_takes_the_same_row(name: str, seen: list[SixPlayerView], random: Random) -> None:
    for _ in range(9):
        if one := forced(seen, random):
            row = ROBOTS[name].row(one)
            assert row in range(4)
            assert ROBOTS[name].row(one) == row
            return


@given(seen=moments(most_seats=6), random=st.randoms(use_true_random=False))
@examples(8)
def test_worlds_of_the_hard_robot_hold_no_card_it_has_seen(seen: list[SixPlayerView], random: Random) -> None:
    one = forced(seen, random) or seen[0]
    worlds = Beliefs(one, np.random.PCG64(1), 30).worlds(20)
    assert worlds.hands.shape == (len(one.hand), one.seats - 1, 20)
    own = {*one.hand, *one.shown, *(card for row in one.rows for card in row)}
    own.update(card for turn in one.turns for card in turn.cards)
    for world in range(20):
        hands = worlds.hands[:, :, world].ravel().tolist()
        assert len(set(hands)) == len(hands)
        assert own.isdisjoint(hands)
        assert set(hands) <= set(range(1, 105))


def test_the_last_card_is_played_without_thinking() -> None:
    for one in moment(8, 5, 9):
        for other in ROBOTS.values():
            assert (other.card(one),) == one.hand


def test_easy_does_not_look_at_the_rows_for_a_free_card() -> None:
    cards = {robot("six", Level.EASY, seed).card(moment(1, 4, 0)[0]) for seed in range(60)}
    assert cards == set(moment(1, 4, 0)[0].hand)


def test_the_hard_robot_sees_who_plays_how() -> None:
    players = [Greedy(), Normal(), robot("six", Level.EASY, 3), robot("six", Level.GOOD)]
    turns = tuple(played_by(players, seed) for seed in range(3))
    seen = replace(moment(1, 4, 0)[0], earlier=turns)
    found = priors(seen)
    likely = [KINDS[int(place)].policy for place in found.argmax(axis=1)]
    assert likely == [Policy.GREEDY, Policy.GAP, Policy.RANDOM, Policy.LEARNED]


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
