"""Each policy of the imagined tables of 6 nimmt! does what its name says; chance has fixed seeds."""

from collections.abc import Iterator

import numpy as np
import pytest

from companion.robots.six.plain import Learned, Normal, cost, row_for
from companion.robots.six.seen import CardRows, SixPlayer, SixPlayerView
from companion.robots.six.tables import LOWER, HandArrays, Policy, code_of, codes_of, drawn, policies
from tests.companion.robots.positions import moment
from tools.arena import Greedy

MANY = 20_000


def played(policy: int, seen: SixPlayerView, many: int = 1, seed: int = 1) -> Iterator[list[int]]:
    """What a seat with this hand plays by this policy in many worlds, turn by turn, if the rows stay so."""
    codes = codes_of(seen.rows, many)
    cards = np.empty((len(seen.hand), 1, many), np.uint16)
    cards[:] = np.array(seen.hand).reshape(-1, 1, 1) << 8
    chance = drawn(np.random.PCG64(seed), 1, many)
    hands = HandArrays(cards, np.full((1, many), policy, np.intp), policies(seen.seats), chance)
    while hands.left:
        yield hands.play(codes)[0].tolist()


def difference(rows: CardRows, card: int) -> int:
    """The place of a card in the table of a policy."""
    row = row_for(rows, card)
    if row is None:
        return LOWER | min(map(cost, rows)) << 3
    return (card << 8) - code_of(rows[row])


def far_from_even(often: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> float:
    """How far counts are from being all alike: chi-square in standard deviations above its mean."""
    even = often.sum() / often.size
    freedom = often.size - 1
    return float((((often - even) ** 2 / even).sum() - freedom) / (2 * freedom) ** 0.5)


@pytest.mark.parametrize("turns", [0, 3, 7])
def test_who_plays_any_card_plays_each_card_as_often_as_the_others(turns: int) -> None:
    for seed in range(5):
        seen = moment(seed, 4, turns)[0]
        size = len(seen.hand)
        first, second, *_ = (np.searchsorted(seen.hand, cards) for cards in played(Policy.RANDOM, seen, MANY))
        assert far_from_even(np.bincount(first, minlength=size)) < 5
        pairs = np.bincount(first * size + second, minlength=size * size).reshape(size, size)
        assert not pairs.diagonal().any()
        assert far_from_even(pairs[~np.eye(size, dtype=bool)]) < 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "player"), [(Policy.GREEDY, Greedy()), (Policy.GAP, Normal()), (Policy.LEARNED, Learned())]
)
def test_a_policy_plays_as_the_player_that_it_is_taken_from(policy: Policy, player: SixPlayer) -> None:
    for seed in range(40):
        for seen in moment(seed, 2 + seed % 9, seed % 10):
            assert next(played(policy, seen)) == [player.card(seen)]
