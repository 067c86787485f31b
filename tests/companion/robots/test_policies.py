"""Each policy of the imagined tables of 6 nimmt! does what its name says; chance has fixed seeds."""

from collections.abc import Iterator

import numpy as np
import pytest

from companion.robots.six import plain, tables
from companion.robots.six.plain import A_HEAD, STRONG_PARTS, Learned, Normal, cost, part, row_for
from companion.robots.six.seen import CardRows, SixPlayer, SixPlayerView
from companion.robots.six.tables import LOWER, VARIANTS, Hands, Policy, code_of, codes_of, drawn, policies
from companion.robots.six.worlds import deals_of
from tests.companion.robots.positions import moment
from tools.arena import Greedy

MANY = 20_000


def played(policy: int, seen: SixPlayerView, many: int = 1, seed: int = 1) -> Iterator[list[int]]:
    """What a seat with this hand plays by this policy in many worlds, turn by turn, if the rows stay so."""
    codes = codes_of(seen.rows, many)
    cards = np.empty((len(seen.hand), 1, many), np.uint16)
    cards[:] = np.array(seen.hand).reshape(-1, 1, 1) << 8
    chance = drawn(np.random.PCG64(seed), 1, many)
    hands = Hands(cards, np.full((1, many), policy, np.intp), policies(seen.seats), chance)
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


def test_who_plays_any_card_does_not_always_play_the_same_from_a_hand_that_is_known() -> None:
    """With two players and a deck of 24, all cards that are not seen are the hand of the other."""
    seen = SixPlayerView(2, 0, ((1,), (2,), (3,), (4,)), tuple(range(5, 15)), deck=24)
    random, policy = np.random.PCG64(1), np.full((1, MANY), Policy.RANDOM, np.intp)
    hands = Hands(deals_of(seen, random, MANY) << np.uint16(8), policy, policies(2), drawn(random, 1, MANY))
    cards = hands.play(np.full((4, MANY), code_of((1,)), np.uint16))[0]
    assert far_from_even(np.bincount(cards - 15, minlength=10)) < 5


@pytest.mark.parametrize(
    ("policy", "player"), [(Policy.GREEDY, Greedy()), (Policy.GAP, Normal()), (Policy.LEARNED, Learned())]
)
def test_a_policy_plays_as_the_player_that_it_is_taken_from(policy: Policy, player: SixPlayer) -> None:
    for seed in range(40):
        for seen in moment(seed, 2 + seed % 9, seed % 10):
            assert next(played(policy, seen)) == [player.card(seen)]


def test_the_tables_of_strong_players_choose_cards_as_often_as_their_weights_say() -> None:
    weights, often, expected = plain.weights(plain.STRONG_FILE)[4], 0.0, 0.0
    for seed in range(150):
        seen = moment(seed, 4, seed % 9)[0]
        # Cards that fit nowhere are alike to a table: they are one choice, the lowest of them.
        differ = list(dict.fromkeys(difference(seen.rows, card) for card in seen.hand))
        cards = [next(card for card in seen.hand if difference(seen.rows, card) == where) for where in differ]
        score = np.exp(-tables.avoided(weights)[part(len(seen.hand), STRONG_PARTS)][differ] / A_HEAD)
        likely = score / score.sum()
        first = int(likely.argmax())
        assert next(played(Policy.STRONG, seen)) == [cards[first]]
        variants = [next(played(Policy.STRONG + number, seen))[0] for number in range(1, VARIANTS + 1)]
        often += variants.count(cards[first]) / VARIANTS
        expected += float(likely[first])
    assert 0.93 * expected < often < 1.07 * expected, (often, expected)
