"""Choosing by worlds: the best one, and the proposed one in doubt."""

from random import Random

import pytest

from companion.robots.rollouts import best_of


def chosen(costs: list[float], proposed: int, noise: float) -> int:
    random = Random(3)

    def cost(world: float, choice: int) -> float:
        return costs[choice] + noise * random.gauss(0, 1) + world

    return best_of(range(len(costs)), proposed, random.random, cost, 30)


@pytest.mark.parametrize("best", range(5))
def test_the_choice_that_costs_least_is_taken(best: int) -> None:
    costs = [float(place != best) for place in range(5)]
    assert {chosen(costs, proposed, 0.1) for proposed in range(5)} == {best}


def test_in_doubt_it_is_the_proposed_one() -> None:
    assert [chosen([0.0] * 4, proposed, 0.0) for proposed in range(4)] == [0, 1, 2, 3]
    taken = sum(chosen([5.0 + 1e-3, 5.0], 0, 20.0) == 0 for _ in range(5))
    assert taken in (0, 5)  # the same worlds, the same answer


def test_a_single_choice_needs_no_world() -> None:
    tried: list[str] = []

    def cost(_world: None, choice: str) -> float:
        tried.append(choice)
        return 0.0

    assert best_of("a", 0, lambda: None, cost, 10) == "a"
    assert not tried
