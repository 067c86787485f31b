"""Choosing by worlds: the best one, the proposed one in doubt, and in time."""

from itertools import count
from random import Random

import pytest

from companion.robots.rollouts import NO_LIMIT, Budget, best_of


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


@pytest.mark.parametrize(("think_s", "tried", "taken"), [(1, 0, 2), (3, 2, 2), (4, 3, 0), (9, 7, 0)])
def test_when_the_time_is_up_it_is_the_best_so_far(think_s: float, tried: int, taken: int) -> None:
    ticks = count()
    costs = []

    def cost(_world: None, choice: int) -> float:
        costs.append(choice)
        return float(choice)

    budget = Budget(lambda: float(next(ticks)), think_s)
    assert best_of((2, 1, 0), 0, lambda: None, cost, 10**6, budget) == taken
    assert len(costs) == tried  # the clock is looked at before each of them


@pytest.mark.parametrize("tried", range(1, 12))
def test_a_world_in_which_not_all_were_tried_says_nothing(tried: int) -> None:
    """Each world costs more than the one before, so who is tried once more would seem to cost more."""
    worlds, costs = count(), []

    def cost(world: int, choice: int) -> float:
        costs.append(choice)
        return 10.0 * world + choice

    budget = Budget(lambda: 0.0 if len(costs) < tried else 1.0, 1.0)
    expected = 2 if tried < 3 else 0
    assert best_of((2, 1, 0), 0, lambda: next(worlds), cost, 10**6, budget) == expected
    assert len(costs) == tried


def test_a_single_choice_needs_no_world() -> None:
    tried: list[str] = []

    def cost(_world: None, choice: str) -> float:
        tried.append(choice)
        return 0.0

    assert best_of("a", 0, lambda: None, cost, 10, NO_LIMIT) == "a"
    assert not tried
