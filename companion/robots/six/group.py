"""Robots that sit at a table of 6 nimmt!: they hold the cards, and answer what the referee asks.

The group deals, and so it knows every hand; each robot is given its own one and what everybody has seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.cards import HIGHEST
from companion.games.six import Bots
from companion.robots.six.round import place
from companion.robots.six.seen import Seen, Turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.cards import Card, Seat
    from companion.core.game import RandomSource
    from companion.games.six.table import Table
    from companion.robots.six.player import SixPlayer


class Group(Bots):
    """One robot for each player, in the order of seats; `rng` shuffles, `target` points end the match."""

    def __init__(self, robots: Sequence[SixPlayer], rng: RandomSource, target: int = 66) -> None:
        super().__init__(rng)
        self._robots: Final = robots
        self._target: Final = target
        self._deck = HIGHEST
        self._turn_cards: tuple[int, ...] = ()
        self._rows: tuple[tuple[int, ...], ...] = ()
        self._chosen = 0
        self._turns: tuple[Turn, ...] = ()
        self._earlier: tuple[tuple[Turn, ...], ...] = ()
        self._heads = (0,) * len(robots)
        self._totals = (0,) * len(robots)

    def begin(self) -> None:
        """A new deal begins; the deal before is known to all."""
        self._finish_turn()
        self._totals = tuple(total + heads for total, heads in zip(self._totals, self._heads, strict=True))
        if self._turns:
            self._earlier = (*self._earlier, self._turns)
        self._heads, self._turns = (0,) * len(self._robots), ()

    def cards(self, state: Table) -> Mapping[Seat, Card]:
        """The card that each of them plays."""
        self._finish_turn()
        self._deck = state.deck
        self._rows = tuple(tuple(map(int, row)) for row in state.rows)
        played = {
            seat: robot.card(self._seen(at, seat))
            for (at, robot), seat in zip(enumerate(self._robots), state.players, strict=True)
        }
        self._turn_cards = tuple(played.values())
        return {seat: next(one for one in self.hands[seat] if one == card) for seat, card in played.items()}

    def row(self, state: Table, seat: Seat) -> int:
        """The row that the owner of the lowest card takes."""
        at = state.players.index(seat)
        self._chosen = self._robots[at].row(self._seen(at, seat, self._turn_cards))
        return self._chosen

    def _finish_turn(self) -> None:
        """Note the turn that was placed since."""
        if not self._turn_cards:
            return
        rows = [list(row) for row in self._rows]
        taken = place(rows, self._turn_cards, lambda _rows, _seat: self._chosen)
        self._heads = tuple(had + more for had, more in zip(self._heads, taken, strict=True))
        self._turns = (*self._turns, Turn(self._rows, self._turn_cards))
        self._turn_cards = ()

    def _seen(self, at: int, seat: Seat, shown: tuple[int, ...] = ()) -> Seen:
        return Seen(
            len(self._robots),
            at,
            self._rows,
            tuple(sorted(map(int, self.hands[seat]))),
            self._turns,
            self._earlier,
            self._totals,
            self._heads,
            self._target,
            self._deck,
            shown=shown,
        )
