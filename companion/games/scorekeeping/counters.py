"""Scripted players who count random deals: they have cards, pile them up and report them correctly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ask import TYPED, Answer, Ask, AskKind
from companion.core.cards import ROW_LENGTH, ROWS, Seat
from companion.core.game import RandomSource
from companion.games.scorekeeping.game import DoneChoice
from companion.games.scorekeeping.options import CountedCards, Input
from companion.games.scorekeeping.table import CountTable

if TYPE_CHECKING:
    from companion.match.match import Match

_MOST = 40


class Counters:
    """They type sums, scan piles, one taking after the other, and mostly the rows."""

    def __init__(self, rng: RandomSource) -> None:
        self._rng = rng
        self._points: dict[Seat, int] = {}
        self._piles: dict[Seat, list[str]] = {}
        self._rows: list[str] = []
        self._due: list[tuple[Seat, list[str]]] = []

    def answer(self, match: Match) -> Answer:
        """The next answer of one of them."""
        state: CountTable = match.position.table
        asks = match.asks
        if state.fresh:
            self._deal(state)
        ask = asks[0]
        match ask.kind:
            case AskKind.LAY:
                return self._row(state, asks)
            case AskKind.DONE:
                return Answer(ask, ask.choices[0])
            case _ if state.entry is Input.TYPED:
                seat = self._rng.choice(ask.seats)
                return Answer(ask, f"{TYPED}{self._points[seat]}", seat)
            case _ if state.entry is Input.PILES:
                return self._pile(state, asks)
            case _:
                return self._take(state, asks)

    def _row(self, state: CountTable, asks: tuple[Ask, ...]) -> Answer:
        rows, close = asks[0], asks[1]
        left = [card for card in self._rows if card not in state.seen]
        if not left or (not state.rows and self._rng.random() < 0.2):  # noqa: PLR2004 - one in five
            return Answer(close, close.choices[0])
        return Answer(rows, left[0])

    def _pile(self, state: CountTable, asks: tuple[Ask, ...]) -> Answer:
        hand, whose, done = asks
        seat = hand.seats[0]
        left = [card for card in self._piles[seat] if card not in state.seen]
        if left and not state.loose and self._rng.random() < 0.2:  # noqa: PLR2004 - one in five
            return Answer(hand, f"{TYPED}{state.box.points(tuple(self._piles[seat]))}", seat)
        if left:
            return Answer(hand, left[0])
        if self._rng.random() < 0.5:  # noqa: PLR2004 - one in two
            return Answer(whose, str(seat), seat)
        return Answer(done, done.choices[0])

    def _take(self, state: CountTable, asks: tuple[Ask, ...]) -> Answer:
        if not self._due:
            last = asks[-1]
            return Answer(last, last.choices[0])
        seat, cards = self._due[0]
        left = [card for card in cards if card not in state.seen]
        if left:
            return Answer(asks[0], left[0])
        self._due.pop(0)
        *_, whose, rows = asks
        return Answer(rows, DoneChoice.ROWS.value) if seat < 0 else Answer(whose, str(seat), seat)

    def _deal(self, state: CountTable) -> None:
        rng, players = self._rng, state.players
        if state.box.left is CountedCards.NUMBERS:
            self._points = {seat: rng.randrange(_MOST) for seat in players}
            return
        box = list(state.deck)
        rng.shuffle(box)
        self._rows = []
        self._piles = {seat: [] for seat in players}
        if state.box.left is CountedCards.PILES:
            del box[state.box.due(len(players)) :]
            self._rows = [box.pop() for _ in range(ROWS + rng.randrange(ROWS * ROW_LENGTH - ROWS + 1))]
            for card in box:
                self._piles[rng.choice(players)].append(card)
        else:
            for seat in players[1:]:
                self._piles[seat] = [box.pop() for _ in range(1 + rng.randrange(8))]
        self._points = {seat: state.box.points(tuple(pile)) for seat, pile in self._piles.items()}
        self._due = []
        for seat, pile in self._piles.items():
            self._due += [(seat, pile[at : at + ROW_LENGTH]) for at in range(0, len(pile), ROW_LENGTH)]
        rng.shuffle(self._due)
        self._due.append((Seat(-1), self._rows))
