"""The hard robot of 6 nimmt! answers in time, by a simulated clock: what is done between two looks is short.

Those of the other games look at it in `best_of` (test_rollouts), and in time they are by test_laws_of_robots.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest

from companion.robots.rollouts import NO_LIMIT, Budget
from companion.robots.six.hard import Hard
from companion.robots.six.plain import Normal
from companion.robots.six.seen import SixPlayerView
from tests.companion.robots.positions import forced, moment
from tests.examples import TIMES

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


@pytest.mark.slow
def test_a_clock_that_runs_faster_changes_no_card_and_no_row_as_long_as_time_is_left() -> None:
    for seed in range(round(75 * TIMES)):
        seen = moment(seed, 2 + seed % 9, seed % 9, earlier=seed % 2, target=66 * (seed % 2))[0]
        row = forced([seen] * seen.seats, Random(seed))
        found = set()
        for times in (0, 1, 64, 1000):
            clock = Clock(0.001 * times)
            budget = Budget(clock, 3600.0) if times else NO_LIMIT
            robot = Hard(seed, tables=20, hands=100, blocks=2, budget=budget)
            found.add(robot.card(seen) if row is None else robot.row(row))
            assert clock.looks > 0 or not times
        assert len(found) == 1


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
    assert Hard(1, budget=Budget(whole, THINK_S)).row(seen) == Hard(1).row(seen)
    for jumps_at in range(2, whole.looks + 1):
        clock = Clock(jumps_at=jumps_at)
        assert Hard(1, budget=Budget(clock, THINK_S)).row(seen) == Normal().row(seen)
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
