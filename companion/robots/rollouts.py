"""Which of several choices is best, by playing each to the end in the same sampled worlds.

After each round of worlds the worse half of the choices is dropped, and those that are surely worse: so more
worlds are left for those that may be best, and none are needed once it is clear which one is. A quick rule
proposes a choice; another one takes its place only if it was better by more than chance would make it.

How much is thought is a number of worlds, the same on every machine. A clock only ends what would take far
too long: it is looked at after each deal that was played to its end, so that thinking ends in time also where
other programs leave it little of the processor.

Chance can be repeated: it follows from seeds.
"""

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from math import inf, sqrt
from typing import Final, TypeVar

from msgspec.structs import astuple

from companion.values import Value

T = TypeVar("T")
W = TypeVar("W")

_ROUNDS: Final = 3
_SURELY: Final = 0.5
"""By so many standard errors a choice must be better than the proposed one."""

_NEVER: Final = 2.0
"""A choice that is worse than the best one by so many standard errors is dropped."""


TO_WEIGH: Final = 0.4
"""After this part of its time a robot weighs no more deals. An answer that came sooner was not cut short."""

IN_TIME: Final = 0.85
"""After this part of its time a robot comes to an end: the last piece of work takes a while too."""


def never() -> bool:
    """For who has no clock: the time is not up."""
    return False


class Budget(Value):
    """How long may be thought at most: `think_s` seconds of `clock`; None: for ever.

    It is there for emergencies: where time is left, an answer does not depend on it.
    """

    clock: Callable[[], float] | None = None
    think_s: float = inf

    def until(self, *parts: float, questions: int = 1) -> tuple[Callable[[], bool], ...]:
        """Begin to think: a function for each part, which says whether that part of the time is over.

        The whole time is `think_s` for each of the `questions`; a part is a fraction of it, such as 0.5.
        """
        clock = self.clock
        if clock is None:
            return (never,) * len(parts)
        began_s, think_s = clock(), questions * self.think_s
        return tuple(partial(_is_later, clock, began_s + part * think_s) for part in parts)


def _is_later(clock: Callable[[], float], end_s: float) -> bool:
    return clock() >= end_s


NO_LIMIT: Final = Budget()


def best_of(  # noqa: PLR0917 - what is chosen, and by what
    choices: Sequence[T],
    proposed: int,
    world: Callable[[], W],
    cost: Callable[[W, T], float],
    worlds: int,
    budget: Budget,
) -> T:
    """The choice with the least mean cost; `proposed` is the place of the one to keep in doubt.

    `world` samples what is hidden, and `cost` plays a choice to the end in it without changing it. Each
    choice is tried in about `worlds` worlds in the mean. When the time is up, it is the best one so far: in
    the worlds in which all that are left were tried, and the proposed one if there is none.
    """
    if len(choices) == 1:
        return choices[0]
    (up,) = budget.until(IN_TIME)
    costs: list[list[float]] = [[] for _ in choices]
    left = list(range(len(choices)))
    for _ in range(_ROUNDS):
        for _ in range(max(2, worlds * len(choices) // (_ROUNDS * len(left)))):
            sampled = world()
            found = []
            for place in left:
                if up():
                    return choices[_best(costs, left, proposed)] if costs[left[0]] else choices[proposed]
                found.append(cost(sampled, choices[place]))
            for place, more in zip(left, found, strict=True):
                costs[place].append(more)
        sums = [sum(costs[place]) for place in left]
        best = costs[left[sums.index(min(sums))]]
        half = [left[place] for place in better_half(sums)]
        left = [place for place in left if place in (*half, proposed) and not _worse(costs[place], best)]
        if len(left) == 1:
            return choices[left[0]]
    return choices[_best(costs, left, proposed)]


def better_half(costs: Sequence[float]) -> list[int]:
    """The places of the half of some choices that costs less, ascending; of more than one at least two."""
    return sorted(sorted(range(len(costs)), key=costs.__getitem__)[: max(2, (len(costs) + 1) // 2)])


def beyond_others(points: Sequence[int], seat: int) -> float:
    """By how much the points of a seat are more than the mean of the others."""
    own = points[seat]
    return own - (sum(points) - own) / (len(points) - 1)


def _best(costs: Sequence[Sequence[float]], left: Sequence[int], proposed: int) -> int:
    best = min(left, key=lambda place: sum(costs[place]))
    if proposed not in left:
        return best
    mean, error = _difference(costs[proposed], costs[best])
    return best if mean > _SURELY * error else proposed


def _worse(costs: Sequence[float], best: Sequence[float]) -> bool:
    mean, error = _difference(costs, best)
    return mean > _NEVER * error


def _difference(costs: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """By how much it costs more than the other in the same worlds, in the mean, and the standard error."""
    more = [cost - other for cost, other in zip(costs, others, strict=True)]
    many = len(more)
    mean = sum(more) / many
    return mean, sqrt(sum((one - mean) ** 2 for one in more) / max(1, many - 1) / many)


def places(cards: int) -> list[int]:
    """The places of the bits, ascending, from 0."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return found


def seed_of(*of: object) -> int:
    """A whole number of 64 bits that follows from these values, the same on every machine.

    A `Value` counts by its fields alone, so that its class can get another name.
    """
    plain = tuple(astuple(one) if isinstance(one, Value) else one for one in of)
    return int.from_bytes(blake2b(repr(plain).encode(), digest_size=8).digest(), "little")
