"""Hard robots answer in time, by a simulated clock: what is done between two looks at it is short."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from companion.games.ciao.options import BOX
from companion.games.ciao.table import Stage
from companion.games.eleven.options import CARDS
from companion.robots.ciao import players as ciao
from companion.robots.ciao.deal import PASS
from companion.robots.ciao.players import CiaoPlayerView as CiaoSeen
from companion.robots.eleven import players as eleven
from companion.robots.eleven.deal import bits
from companion.robots.eleven.players import ElevenPlayerView as ElevenSeen
from companion.robots.rollouts import Budget
from companion.robots.six.hard import Hard
from companion.robots.six.plain import Normal
from companion.robots.six.seen import SixPlayerView
from tests.companion.robots.positions import forced, moment

THINK_S = 0.5


@dataclass
class Clock:
    """Each look at it takes so many seconds; after some looks it jumps by an hour."""

    look_s: float = 0.0
    jumps_at: int = -1
    looks: int = 0
    now_s: float = 0.0

    def __call__(self) -> float:
        self.looks += 1
        self.now_s += self.look_s + (3600.0 if self.looks == self.jumps_at else 0.0)
        return self.now_s

    @property
    def took_s(self) -> float:
        """Since the first look."""
        return self.now_s - self.look_s


def of_six(
    played: int, *, earlier: int = 0, blocks: int = 3
) -> tuple[SixPlayerView, Callable[[Clock | None], Hard]]:
    """A moment of a deal, and a hard robot with all its thoughts."""
    seen = moment(5, 4, played, earlier=earlier, target=66)[1]
    return seen, lambda clock: Hard(1, budget=Budget(clock, THINK_S), blocks=blocks)


@pytest.mark.parametrize("played", [0, 3])
def test_a_clock_that_stands_still_changes_no_card(played: int) -> None:
    seen, robot = of_six(played, earlier=2)
    clock = Clock()
    assert robot(clock).card(seen) == robot(None).card(seen)
    turns_played_on = 3 * (10 - played - 1)
    weighed_at_once = 8
    assert clock.looks > turns_played_on + (weighed_at_once if played else 0)


@pytest.mark.parametrize("played", [0, 1, 5])
@pytest.mark.parametrize("look_s", [0.01, 0.07])
def test_pieces_that_take_long_on_a_busy_machine_end_before_the_limit(played: int, look_s: float) -> None:
    seen, robot = of_six(played, earlier=3)
    clock = Clock(look_s)
    assert robot(clock).card(seen) in seen.hand
    assert clock.took_s <= THINK_S


@pytest.mark.slow
def test_after_a_jump_of_the_clock_the_best_card_of_the_finished_blocks_is_played() -> None:
    seen, robot = of_six(4)
    whole = Clock()
    robot(whole).card(seen)
    one_block, two_blocks = (of_six(4, blocks=blocks)[1](None).card(seen) for blocks in (1, 2))
    quick, best = Normal().card(seen), robot(None).card(seen)
    cards = []
    for jumps_at in range(2, whole.looks + 2):
        clock = Clock(jumps_at=jumps_at)
        cards.append(robot(clock).card(seen))
        if jumps_at <= whole.looks:
            assert clock.looks <= jumps_at + 1, "no piece of work begins when the time is up"
    expected = [quick, one_block, two_blocks, best]
    assert [card for card, before in zip(cards, [None, *cards], strict=False) if card != before] == [
        card for card, before in zip(expected, [None, *expected], strict=False) if card != before
    ]
    assert len(set(expected)) > 1, "a moment at which thinking matters"


def test_a_row_is_taken_in_time() -> None:
    seen = next(one for seed in range(50) if (one := forced(moment(seed, 4, 3), Random(seed))))
    whole = Clock()
    assert Hard(1, budget=Budget(whole)).row(seen) == Hard(1).row(seen)
    for jumps_at in range(2, whole.looks + 1):
        clock = Clock(jumps_at=jumps_at)
        assert Hard(1, budget=Budget(clock)).row(seen) == Normal().row(seen)
        assert clock.looks <= jumps_at + 1
    slow = Clock(0.07)
    assert Hard(1, budget=Budget(slow, THINK_S)).row(seen) in range(4)
    assert slow.took_s <= THINK_S


def test_several_questions_together_have_the_time_of_all() -> None:
    seen = moment(5, 4, 3)
    clock = Clock(0.07)
    cards = Hard(1, budget=Budget(clock, THINK_S)).cards(seen)
    assert all(card in one.hand for card, one in zip(cards, seen, strict=True))
    assert THINK_S < clock.took_s <= 4 * THINK_S


def eleven_seen() -> ElevenSeen:
    cards = Random(4).sample(range(1, CARDS + 1), 16)
    tops = tuple(card - 1 for card in cards[10:])
    piles = tuple(1 << top for top in tops)
    return ElevenSeen(0, bits(cards[:10]), piles, tops, (10,) * 4, (1, 0, 0, 0), CARDS - 46)


def ciao_seen() -> tuple[CiaoSeen, list[int]]:
    kinds = [kind for kind, many in enumerate(BOX.values()) for _ in range(many)]
    Random(4).shuffle(kinds)
    hand, deck = tuple(sorted(kinds[:7])), tuple(BOX.values())
    seen = CiaoSeen(Stage.TURN, 0, hand, (7,) * 4, -1, (), deck, 0, 1, 0, (0,) * 4)
    return seen, [*sorted(set(seen.hand)), PASS]


def choices() -> dict[str, tuple[Callable[[Budget], Any], Any]]:
    """A question of each other game, and what a robot answers that has no time."""
    at_eleven, (at_ciao, cards) = eleven_seen(), ciao_seen()
    return {
        "eleven": (
            lambda budget: eleven.Hard(2, budget=budget).move(at_eleven),
            eleven.Hard(2, budget=Budget(Clock(1.0), THINK_S)).move(at_eleven),
        ),
        "ciao": (
            lambda budget: ciao.Hard(2, budget=budget).choose(at_ciao, cards),
            ciao.Hard(2, budget=Budget(Clock(1.0), THINK_S)).choose(at_ciao, cards),
        ),
    }


@pytest.mark.slow
@pytest.mark.parametrize("game", ["eleven", "ciao"])
def test_a_hard_robot_of_another_game_looks_at_the_clock_before_each_deal_that_it_plays_on(game: str) -> None:
    choose, quick = choices()[game]
    whole = Clock()
    best = choose(Budget(whole, THINK_S))
    assert best == choose(Budget())
    assert whole.looks > 60
    for jumps_at in range(2, whole.looks, 17):
        clock = Clock(jumps_at=jumps_at)
        found = choose(Budget(clock, THINK_S))
        assert clock.looks == jumps_at
        assert found == quick or jumps_at > 3
    slow = Clock(0.07)
    choose(Budget(slow, THINK_S))
    assert slow.took_s <= THINK_S
