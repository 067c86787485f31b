"""The easy and the normal robot for 6 nimmt!: they decide at once, and without numpy."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from companion.robots.chance import seed_of
from companion.robots.six.round import ROW_LENGTH, cheapest, cost, row_for
from companion.values import Value

if TYPE_CHECKING:
    from companion.robots.six.seen import SixPlayerView


class Easy(Value):
    """Plays any card, as a child that sees only its hand; takes the shortest row, of several the first."""

    seed: int = 0

    def card(self, seen: SixPlayerView) -> int:
        return Random(seed_of(self.seed, seen.rows, seen.hand)).choice(seen.hand)

    def row(self, seen: SixPlayerView) -> int:
        lengths = [len(row) for row in seen.rows]
        return lengths.index(min(lengths))


class Normal(Value):
    """Plays the card that is nearest above the end of its row and free; takes the cheapest row."""

    def card(self, seen: SixPlayerView) -> int:
        """The smallest gap without cost; if every card costs, the cheapest one, of several the lowest."""

        def wanted(card: int) -> tuple[int, int, int]:
            row = row_for(seen.rows, card)
            if row is None:
                return (1, cost(seen.rows[cheapest(seen.rows)]), card)
            if len(seen.rows[row]) == ROW_LENGTH:
                return (1, cost(seen.rows[row]), card)
            return (0, card - seen.rows[row][-1], card)

        return min(seen.hand, key=wanted)

    def row(self, seen: SixPlayerView) -> int:
        """The row with the fewest heads."""
        return cheapest(seen.rows)


class Greedy(Value):
    """Plays the card that costs least now, of several the lowest; takes the cheapest row."""

    def card(self, seen: SixPlayerView) -> int:
        """The card that costs least now."""

        def costs(card: int) -> tuple[int, int]:
            row = row_for(seen.rows, card)
            if row is None:
                return (cost(seen.rows[cheapest(seen.rows)]), card)
            return (cost(seen.rows[row]) if len(seen.rows[row]) == ROW_LENGTH else 0, card)

        return min(seen.hand, key=costs)

    def row(self, seen: SixPlayerView) -> int:
        """The row with the fewest heads."""
        return cheapest(seen.rows)
