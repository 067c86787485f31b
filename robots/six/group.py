"""Robots that sit at a table of 6 nimmt!: they hold the cards, and answer what the referee asks.

The group deals, and so it knows every hand; each robot is given its own one and what everybody has seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.ask import Answer, Ask, AskKind
from companion.cards import Card
from robots.six.round import ROWS, TURNS, place
from robots.six.seen import Seen, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import RandomSource
    from companion.games.six.table import Table
    from robots.six.player import SixPlayer


class Group:
    """One robot for each player, in the order of seats; `rng` shuffles, `target` points end the match."""

    def __init__(self, robots: Sequence[SixPlayer], rng: RandomSource, target: int = 66) -> None:
        self._robots: Final = robots
        self._rng: Final = rng
        self._target: Final = target
        self._box: list[Card] = []
        self._hands: list[list[int]] = []
        self._turn: tuple[int, ...] = ()
        self._rows: tuple[tuple[int, ...], ...] = ()
        self._chosen = 0
        self._turns: tuple[Turn, ...] = ()
        self._earlier: tuple[tuple[Turn, ...], ...] = ()
        self._heads = (0,) * len(robots)
        self._totals = (0,) * len(robots)

    def answer(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        """The next answer of one of them."""
        ask = asks[0]
        match ask.kind:
            case AskKind.LAY:
                if not ask.have and not state.whole:
                    self._deal(state)
                return Answer(ask, str(self._box[len(ask.have)]))
            case AskKind.HOLD:
                if not any(state.hands or ()):
                    self._deal(state)
                dealt = self._hands[state.players.index(ask.seats[0])]
                return Answer(ask, str(dealt[len(ask.have)]), ask.seats[0])
            case AskKind.PICK:
                if not ask.have:
                    self._begin()
                free = [card for card in range(1, state.deck + 1) if str(card) not in ask.have]
                return Answer(ask, str(self._rng.choice(free)), ask.seats[0])
            case AskKind.CHOOSE:
                seat = self._owner(Card(int(ask.card)))
                self._chosen = self._robots[seat].row(self._seen(seat, self._turn))
                return Answer(ask, str(self._chosen))
            case AskKind.CLAIM:
                owner = state.players[self._owner(Card(int(ask.card)))]
                return Answer(ask, str(owner), owner)
            case _:
                if not ask.have:
                    self._play(state)
                # In any order: who looks on shall not learn from it who played what.
                left = [card for card in self._turn if str(card) not in ask.have]
                return Answer(ask, str(self._rng.choice(left)))

    def _begin(self) -> None:
        """A new deal begins; the deal before is known to all."""
        self._finish_turn()
        self._totals = tuple(total + heads for total, heads in zip(self._totals, self._heads, strict=True))
        if self._turns:
            self._earlier = (*self._earlier, self._turns)
        self._heads, self._turns = (0,) * len(self._robots), ()

    def _deal(self, state: Table) -> None:
        self._begin()
        self._box = [Card(card) for card in range(1, state.deck + 1)]
        self._rng.shuffle(self._box)
        first = range(ROWS, ROWS + TURNS * len(self._robots), TURNS)
        self._hands = [sorted(self._box[begin : begin + TURNS]) for begin in first]

    def _play(self, state: Table) -> None:
        """Everybody chooses a card."""
        self._finish_turn()
        known = state.hands if state.whole.issuperset(state.players) else None
        if known is not None and not self._turns:  # picked in the open draft: nobody laid the rows
            self._hands = [sorted(known[seat]) for seat in state.players]
        self._rows = tuple(tuple(map(int, row)) for row in state.rows)
        cards = tuple(robot.card(self._seen(seat)) for seat, robot in enumerate(self._robots))
        for hand, card in zip(self._hands, cards, strict=True):
            hand.remove(card)
        self._turn = cards

    def _finish_turn(self) -> None:
        """Note the turn that was placed since."""
        if not self._turn:
            return
        rows = [list(row) for row in self._rows]
        taken = place(rows, self._turn, lambda _rows, _seat: self._chosen)
        self._heads = tuple(had + more for had, more in zip(self._heads, taken, strict=True))
        self._turns = (*self._turns, Turn(self._rows, self._turn))
        self._turn = ()

    def _owner(self, card: Card) -> int:
        return self._turn.index(card)

    def _seen(self, seat: int, shown: tuple[int, ...] = ()) -> Seen:
        return Seen(
            len(self._robots),
            seat,
            self._rows,
            tuple(self._hands[seat]),
            self._turns,
            self._earlier,
            self._totals,
            self._heads,
            self._target,
            shown=shown,
        )
