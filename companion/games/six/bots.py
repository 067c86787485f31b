"""Scripted players of 6 nimmt! with their own hands, who play at random. Legality is decided elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.ask import Answer, Ask, AskKind
from companion.cards import Card, Seat, heads
from companion.games.six.box import ROWS, TURNS

if TYPE_CHECKING:
    from companion.game import RandomSource
    from companion.games.six.table import Table


class Bots:
    """Everybody plays any card of the hand; the owner of the lowest takes the cheapest row."""

    def __init__(self, rng: RandomSource) -> None:
        self._rng = rng
        self._hands: dict[Seat, list[Card]] = {}
        self._box: list[Card] = []
        self._turn: list[tuple[Card, Seat]] = []

    def answer(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        """The next answer of one of them."""
        ask = asks[0]
        match ask.kind:
            case AskKind.LAY:
                if not ask.have and not state.whole:
                    self._deal(state)
                return Answer(ask, str(self._box[len(ask.have)]))
            case AskKind.PICK:
                free = [card for card in range(1, state.deck + 1) if str(card) not in ask.have]
                return Answer(ask, str(self._rng.choice(free)), ask.seats[0])
            case AskKind.HOLD:
                if not any(state.hands or ()):
                    self._deal(state)
                seat = ask.seats[0]
                return Answer(ask, str(self._hands[seat][len(ask.have)]), seat)
            case AskKind.CHOOSE:
                return Answer(ask, min(ask.choices, key=lambda row: heads(state.rows[int(row)])))
            case AskKind.CLAIM:
                owner = next(seat for card, seat in self._turn if str(card) == ask.card)
                return Answer(ask, str(owner), owner)
            case _:
                if not ask.have:
                    self._show(state)
                return Answer(ask, str(self._turn[len(ask.have)][0]))

    def _deal(self, state: Table) -> None:
        self._box = [Card(card) for card in range(1, state.deck + 1)]
        self._rng.shuffle(self._box)
        self._hands = {
            seat: self._box[ROWS + TURNS * place : ROWS + TURNS * (place + 1)]
            for place, seat in enumerate(state.players)
        }

    def _show(self, state: Table) -> None:
        if state.hands is not None and state.whole.issuperset(state.players):  # as after an open draft
            self._hands = {seat: sorted(state.hands[seat]) for seat in state.players}
        self._turn = []
        for seat, hand in self._hands.items():
            self._turn.append((hand.pop(self._rng.randrange(len(hand))), seat))
        self._rng.shuffle(self._turn)
