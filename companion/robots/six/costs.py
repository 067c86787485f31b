"""What each card or row would cost, as the hard robot reckons it: in the same worlds for all of them.

Late in a deal few of the imagined deals explain all that was played, and most worlds are one of those few. So
how much worlds differ says little of how sure the robot can be. Where a choice seems worse than another one,
both are compared again, in worlds from deals that are imagined anew several times: how much these comparisons
differ is the error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.robots.chance import seed_of
from companion.robots.six.policies import Way
from companion.robots.six.rollouts import WhichCard, WhichEnd, ends_of_turn, of_cards, of_ends
from companion.robots.six.worlds import Beliefs, Worlds
from companion.values import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.robots.six.rollouts import Heads
    from companion.robots.six.seen import SixPlayerView

_HANDS: Final = 12_000
"""So many hands of the others are weighed each time."""

_WORLDS: Final = 300
_AGAIN: Final = 10
"""So often two choices are compared, each time in deals that are imagined anew."""

WORTH_TELLING: Final = 0.5
"""A difference of fewer heads is not looked at again: it is no mistake that is worth telling."""


class ChoiceCost(Value):
    """A card or row that was chosen beside the best one: own heads until the end of the deal, in the mean.

    `error` is the standard error of the difference of the two; None where it is not worth telling.
    """

    best: int
    of_played: float
    of_best: float
    error: float | None = None


def compare(seen: SixPlayerView, played: int, seed: int = 0) -> ChoiceCost:
    """What a card of the hand costs beside the best card, which may be the same one."""

    def heads(cards: Sequence[int], worlds: Worlds) -> Heads:
        return of_cards([WhichCard(seen, cards, worlds)], Way.GAP)[0]

    return _compared(seen, seen.hand, played, heads, seed_of(seed, seen.rows, seen.hand))


def compare_rows(seen: SixPlayerView, taken: int, seed: int = 0) -> ChoiceCost:
    """What taking a row for the own card costs beside the best row, which may be the same one; from 0."""
    ends = ends_of_turn(seen)

    def heads(rows: Sequence[int], worlds: Worlds) -> Heads:
        return of_ends(WhichEnd(seen, [ends[row] for row in rows], worlds), Way.GAP)

    return _compared(seen, range(len(ends)), taken, heads, seed_of(seed, seen.rows, seen.hand, seen.shown))


def _compared(
    seen: SixPlayerView,
    choices: Sequence[int],
    chosen: int,
    heads: Callable[[Sequence[int], Worlds], Heads],
    seed: int,
) -> ChoiceCost:
    """The best of the choices; what seems best in some worlds is there better than it is, so not by them."""

    def means(some: Sequence[int], number: int) -> NDArray[np.float64]:
        random = np.random.PCG64(seed_of(seed, number))
        worlds = Beliefs(seen, random, max(1, _HANDS // (seen.seats - 1))).worlds(_WORLDS)
        found: NDArray[np.float64] = heads(some, worlds)[0].astype(np.float64).mean(axis=1)
        return found

    first = means(choices, 0)
    best, place = int(first.argmin()), choices.index(chosen)
    if first[place] - first[best] <= WORTH_TELLING:
        return ChoiceCost(choices[best], float(first[place]), float(first[best]))
    again = np.array([means((chosen, choices[best]), number) for number in range(1, _AGAIN + 1)])
    error = float((again[:, 0] - again[:, 1]).std(ddof=1)) / _AGAIN**0.5
    of_chosen, of_best = again.mean(axis=0)
    return ChoiceCost(choices[best], float(of_chosen), float(of_best), error)
