"""Which of several choices is best, by playing each to the end in the same sampled worlds.

After each round of worlds the worse half of the choices is dropped, and those that are surely worse: so more
worlds are left for those that may be best, and none are needed once it is clear which one is. A quick rule
proposes a choice; another one takes its place only if it was better by more than chance would make it.

How much is thought is a number of worlds, and chance follows from seeds: so an answer is the same on every
machine, however slow or busy it is.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from math import sqrt
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from companion.values import Value

T = TypeVar("T")
W = TypeVar("W")
S = TypeVar("S", bound=Struct)

_ROUNDS: Final = 3
_SURELY: Final = 0.5
"""By so many standard errors a choice must be better than the proposed one."""

_NEVER: Final = 2.0
"""A choice that is worse than the best one by so many standard errors is dropped."""


def best_of(
    choices: Sequence[T], proposed: int, world: Callable[[], W], cost: Callable[[W, T], float], worlds: int
) -> T:
    """The choice with the least mean cost; `proposed` is the place of the one to keep in doubt.

    `world` samples what is hidden, and `cost` plays a choice to the end in it without changing it. Each
    choice is tried in about `worlds` worlds in the mean.
    """
    costs: list[list[float]] = [[] for _ in choices]
    left = list(range(len(choices)))
    for _ in range(_ROUNDS):
        if len(left) == 1:
            break
        for _ in range(max(2, worlds * len(choices) // (_ROUNDS * len(left)))):
            sampled = world()
            for place in left:
                costs[place].append(cost(sampled, choices[place]))
        sums = [sum(costs[place]) for place in left]
        best = costs[left[sums.index(min(sums))]]
        half = [left[place] for place in better_half(sums)]
        kept = [(place, *_difference(costs[place], best)) for place in left if place in (*half, proposed)]
        left = [place for place, mean, error in kept if mean <= _NEVER * error]
    found = min(left, key=lambda place: sum(costs[place]))
    if proposed in left:
        mean, error = _difference(costs[proposed], costs[found])
        found = found if mean > _SURELY * error else proposed
    return choices[found]


def better_half(costs: Sequence[float]) -> list[int]:
    """The places of the half of some choices that costs less, ascending; of more than one at least two."""
    return sorted(sorted(range(len(costs)), key=costs.__getitem__)[: max(2, (len(costs) + 1) // 2)])


def beyond_others(points: Sequence[int], seat: int) -> float:
    """By how much the points of a seat are more than the mean of the others."""
    own = points[seat]
    return own - (sum(points) - own) / (len(points) - 1)


def _difference(costs: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """By how much it costs more than the other in the same worlds, in the mean, and the standard error."""
    more = [cost - other for cost, other in zip(costs, others, strict=True)]
    many = max(1, len(more))
    mean = sum(more) / many
    return mean, sqrt(sum((value - mean) ** 2 for value in more) / max(1, many - 1) / many)


def copy(deal: S) -> S:
    """A deal that can be played on without a change to this one."""
    return type(deal)(*(field.copy() if isinstance(field, list) else field for field in astuple(deal)))


def places(cards: int) -> list[int]:
    """The places of the bits, ascending, from 0."""
    return [place for place in range(cards.bit_length()) if cards >> place & 1]


def dealt(cards: list[int], sizes: Sequence[int], seat: int, own: int) -> list[int]:
    """Hands of these sizes, as bits, of cards from the end of a list; that of one seat is `own`."""
    hands = [own if place == seat else 0 for place in range(len(sizes))]
    for place, size in enumerate(sizes):
        if place != seat:
            for _ in range(min(size, len(cards))):
                hands[place] |= 1 << cards.pop()
    return hands


def seed_of(*of: object) -> int:
    """A whole number of 64 bits that follows from these values, the same on every machine.

    A `Value` counts by its fields alone, so that its class can get another name.
    """
    plain = tuple(astuple(part) if isinstance(part, Value) else part for part in of)
    return int.from_bytes(blake2b(repr(plain).encode(), digest_size=8).digest(), "little")
