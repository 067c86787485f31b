"""Choosing by worlds: the best one, the proposed one in doubt, and in time."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from robots.rollouts import NO_LIMIT, Budget, best_of


def chosen(costs: list[float], proposed: int, noise: float, budget: Budget = NO_LIMIT) -> int:
    random = Random(3)

    def cost(world: float, choice: int) -> float:
        return costs[choice] + noise * random.gauss(0, 1) + world

    return best_of(range(len(costs)), proposed, random.random, cost, 30, budget)


@pytest.mark.parametrize("best", range(5))
def test_the_choice_that_costs_least_is_taken(best: int) -> None:
    costs = [float(place != best) for place in range(5)]
    assert {chosen(costs, proposed, 0.1) for proposed in range(5)} == {best}


def test_in_doubt_it_is_the_proposed_one() -> None:
    assert [chosen([0.0] * 4, proposed, 0.0) for proposed in range(4)] == [0, 1, 2, 3]
    taken = sum(chosen([5.0 + 1e-3, 5.0], 0, 20.0) == 0 for _ in range(5))
    assert taken in (0, 5)  # the same worlds, the same answer


def test_when_the_time_is_up_it_is_the_best_so_far() -> None:
    ticks = count()
    tried = []

    def cost(_world: None, choice: int) -> float:
        tried.append(choice)
        return float(choice)

    budget = Budget(lambda: float(next(ticks)), 3.0)
    assert best_of((2, 1, 0), 0, lambda: None, cost, 10**6, budget) == 0
    assert len(tried) == 3 * 3  # three worlds, after which the clock says that it is over


def test_a_single_choice_needs_no_world() -> None:
    tried: list[str] = []

    def cost(_world: None, choice: str) -> float:
        tried.append(choice)
        return 0.0

    assert best_of("a", 0, lambda: None, cost, 10, NO_LIMIT) == "a"
    assert not tried
