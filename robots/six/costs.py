"""What each card or row would cost, as the hard robot reckons it: in the same worlds for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from robots.seeds import seed_of
from robots.six.policies import Way
from robots.six.rollouts import WhichCard, WhichEnd, ends_of_turn, of_cards, of_ends
from robots.six.worlds import Believed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robots.six.seen import Seen

_DEALS: Final = 20_000
"""Deals that are weighed, divided by the number of the others."""

_WORLDS: Final = 300


@dataclass(frozen=True, slots=True)
class Compared:
    """A card or row that was chosen beside the best one: own heads until the end of the deal, in the mean.

    `error` is the standard error of the difference of the two.
    """

    best: int
    of_played: float
    of_best: float
    error: float


def compare(seen: Seen, played: int, seed: int = 0) -> Compared:
    """What a card of the hand costs beside the best card, which may be the same one.

    The best card is chosen in one half of the worlds, and the two are compared in the other half: what seems
    best in some worlds is there better than it is.
    """
    random = np.random.PCG64(seed_of(seed, seen.rows, seen.hand))
    believed = Believed(seen, random, max(1, _DEALS // (seen.seats - 1)))
    best = seen.hand[int(_heads(seen, seen.hand, believed).mean(axis=1).argmin())]
    of_played, of_best = _heads(seen, (played, best), believed)
    return _compared(best, of_played, of_best)


def compare_rows(seen: Seen, taken: int, seed: int = 0) -> Compared:
    """What taking a row for the own card costs beside the best row, which may be the same one; from 0.

    It is done as for cards: the best row is chosen in other worlds.
    """
    random = np.random.PCG64(seed_of(seed, seen.rows, seen.hand, seen.shown))
    believed = Believed(seen, random, max(1, _DEALS // (seen.seats - 1)))
    ends = ends_of_turn(seen)
    first, second = (
        of_ends(WhichEnd(seen, ends, believed.worlds(_WORLDS)), Way.GAP)[0].astype(np.float64)
        for _ in range(2)
    )
    best = int(first.mean(axis=1).argmin())
    return _compared(best, second[taken], second[best])


def _compared(best: int, of_played: NDArray[np.float64], of_best: NDArray[np.float64]) -> Compared:
    error = float((of_played - of_best).std()) / _WORLDS**0.5
    return Compared(best, float(of_played.mean()), float(of_best.mean()), error)


def _heads(seen: Seen, cards: tuple[int, ...], believed: Believed) -> NDArray[np.float64]:
    """The own heads for each card in each of so many new worlds."""
    asked = WhichCard(seen, cards, believed.worlds(_WORLDS))
    found: NDArray[np.float64] = of_cards([asked], Way.GAP)[0][0].astype(np.float64)
    return found
