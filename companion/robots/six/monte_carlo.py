"""Monte Carlo players as other programs have them, for comparison in the arena.

Both imagine hands by chance, whatever was played, play each deal to its end and take the card that costs
least in the mean. They follow the descriptions of those programs, with the engine of this package. They take
the row with the fewest heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from companion.robots.rollouts import seed_of
from companion.robots.six.plain import cheapest
from companion.robots.six.rollouts import WhichCard, of_cards
from companion.robots.six.tables import Way
from companion.robots.six.worlds import any_worlds
from companion.values import Value

if TYPE_CHECKING:
    from companion.robots.six.seen import SixPlayerView


class GreedyRollouts(Value):
    """Everybody goes on greedily; all cards in the same worlds; own heads against those of the others."""

    seed: int = 0
    worlds: int = 64

    def card(self, seen: SixPlayerView) -> int:
        """The card with the fewest own heads, compared with the mean of the others."""
        return self.cards([seen])[0]

    def cards(self, seen: Sequence[SixPlayerView]) -> list[int]:
        """The cards for questions that have nothing to do with each other, of as many seats and cards."""
        if len(seen[0].hand) == 1:
            return [one.hand[0] for one in seen]
        asked = [
            WhichCard(one, one.hand, any_worlds(one, _chance(self.seed, one), self.worlds, Way.GREEDY))
            for one in seen
        ]
        chosen = []
        for one, found in zip(seen, of_cards(asked, Way.GREEDY, count_all=True), strict=True):
            heads = found.sum(axis=2, dtype=np.int64)
            chosen.append(one.hand[int((heads[0] * (one.seats - 1) - heads[1:].sum(axis=0)).argmin())])
        return chosen

    def row(self, seen: SixPlayerView) -> int:
        """The row with the fewest heads."""
        return cheapest(seen.rows)


class RandomRollouts(Value):
    """Everybody goes on by chance; each card in worlds of its own; own heads."""

    seed: int = 0
    worlds: int = 50

    def card(self, seen: SixPlayerView) -> int:
        """The card with the fewest own heads."""
        return self.cards([seen])[0]

    def cards(self, seen: Sequence[SixPlayerView]) -> list[int]:
        """The cards for questions that have nothing to do with each other, of as many seats and cards."""
        if len(seen[0].hand) == 1:
            return [one.hand[0] for one in seen]
        asked = []
        for one in seen:
            worlds = any_worlds(one, _chance(self.seed, one), self.worlds * len(one.hand), Way.RANDOM)
            asked.append(WhichCard(one, one.hand, worlds, apart=True))
        found = of_cards(asked, Way.RANDOM)
        return [
            one.hand[int(heads[0].sum(axis=1, dtype=np.int64).argmin())]
            for one, heads in zip(seen, found, strict=True)
        ]

    def row(self, seen: SixPlayerView) -> int:
        """The row with the fewest heads."""
        return cheapest(seen.rows)


def _chance(seed: int, seen: SixPlayerView) -> np.random.PCG64:
    return np.random.PCG64(seed_of(seed, seen.rows, seen.hand))
