"""Monte Carlo players as other programs have them, for comparison in the arena.

Both imagine hands by chance, whatever was played, play each deal to its end and take the card that costs
least in the mean. They follow the descriptions of those programs, with the engine of this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from companion.robots.rollouts import seed_of
from companion.robots.six.plain import cheapest
from companion.robots.six.rollouts import WhichCard, WhichEnd, ends_of_turn, of_cards, of_ends
from companion.robots.six.tables import Way
from companion.robots.six.worlds import any_worlds
from companion.values import Value

if TYPE_CHECKING:
    from companion.robots.six.seen import SixPlayerView


class Rollouts(Value):
    """Everybody goes on by the same `way`.

    All cards are tried in the same worlds, own heads count against those of the others, and the row with the
    fewest heads is taken; or each card is tried `apart`, in worlds of its own, own heads count alone, and a
    row is chosen by rollouts as well.
    """

    seed: int
    worlds: int
    way: Way
    apart: bool

    def card(self, seen: SixPlayerView) -> int:
        """The card with the fewest heads."""
        return self.cards([seen])[0]

    def cards(self, seen: Sequence[SixPlayerView]) -> list[int]:
        """The cards for questions that have nothing to do with each other, of as many seats and cards."""
        size = len(seen[0].hand)
        if size == 1:
            return [one.hand[0] for one in seen]
        asked = []
        for one in seen:
            random = np.random.PCG64(seed_of(self.seed, one.rows, one.hand))
            worlds = any_worlds(one, random, self.worlds * (size if self.apart else 1), self.way)
            asked.append(WhichCard(one, one.hand, worlds, apart=self.apart))
        chosen = []
        for one, found in zip(seen, of_cards(asked, count_all=not self.apart), strict=True):
            heads = found.sum(axis=2, dtype=np.int64)
            costs = heads[0] if self.apart else heads[0] * (one.seats - 1) - heads[1:].sum(axis=0)
            chosen.append(one.hand[int(costs.argmin())])
        return chosen

    def row(self, seen: SixPlayerView) -> int:
        """The row with the fewest heads, now or until the end of the deal."""
        if not self.apart:
            return cheapest(seen.rows)
        random = np.random.PCG64(seed_of(self.seed, seen.rows, seen.hand, seen.shown))
        worlds = any_worlds(seen, random, self.worlds, self.way)
        heads = of_ends(WhichEnd(seen, ends_of_turn(seen), worlds))
        return int(heads[0].sum(axis=1).argmin())


def greedy_rollouts(seed: int = 0, worlds: int = 64) -> Rollouts:
    return Rollouts(seed, worlds, Way.GREEDY, apart=False)


def random_rollouts(seed: int = 0, worlds: int = 50) -> Rollouts:
    return Rollouts(seed, worlds, Way.RANDOM, apart=True)
