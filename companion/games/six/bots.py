"""Scripted players of 6 nimmt! with their own hands, who play at random. Legality is decided elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.ask import Answer, Ask, AskKind
from companion.core.cards import Card, Seat, heads
from companion.games.six.box import ROWS, TURNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import RandomSource
    from companion.games.six.table import Table


class Bots:
    """Everybody plays any card of the hand; the owner of the lowest takes the cheapest row.

    Players who think override `begin`, `cards` and `row`; `hands` are the cards that all hold, `turn` those
    of the newest turn with their owners.
    """

    def __init__(self, rng: RandomSource) -> None:
        self.rng: Final = rng
        self.hands: dict[Seat, list[Card]] = {}
        self._box: list[Card] = []
        self.turn: list[tuple[Card, Seat]] = []

    def answer(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        """The next answer of one of them."""
        ask = asks[0]
        match ask.kind:
            case AskKind.LAY:
                if not ask.have and not state.whole:
                    self._deal(state)
                return Answer(ask, str(self._box[len(ask.have)]))
            case AskKind.PICK:
                if not ask.have:
                    self.begin()
                free = [card for card in range(1, state.deck + 1) if str(card) not in ask.have]
                return Answer(ask, str(self.rng.choice(free)), ask.seats[0])
            case AskKind.HOLD:
                if not any(state.hands or ()):
                    self._deal(state)
                seat = ask.seats[0]
                return Answer(ask, str(self.hands[seat][len(ask.have)]), seat)
            case AskKind.CHOOSE:
                return Answer(ask, str(self.row(state, self._owner(ask))))
            case AskKind.CLAIM:
                owner = self._owner(ask)
                return Answer(ask, str(owner), owner)
            case _:
                if not ask.have:
                    self._show(state)
                return Answer(ask, str(self.turn[len(ask.have)][0]))

    def begin(self) -> None:
        """A new deal begins."""

    def cards(self, state: Table) -> Mapping[Seat, Card]:
        """The card that each of them plays."""
        del state
        return {seat: hand[self.rng.randrange(len(hand))] for seat, hand in self.hands.items()}

    def row(self, state: Table, seat: Seat) -> int:
        """The row (0-based) that the owner of the lowest card takes."""
        del seat
        return min(range(len(state.rows)), key=lambda row: heads(state.rows[row]))

    def _deal(self, state: Table) -> None:
        self.begin()
        self._box = [Card(card) for card in range(1, state.deck + 1)]
        self.rng.shuffle(self._box)
        self.hands = {
            seat: self._box[ROWS + TURNS * place : ROWS + TURNS * (place + 1)]
            for place, seat in enumerate(state.players)
        }

    def _show(self, state: Table) -> None:
        """Everybody chooses a card. They come in any order: who looks on learns no owner from it."""
        if state.hands is not None and state.whole.issuperset(state.players):  # as after an open draft
            self.hands = {seat: sorted(state.hands[seat]) for seat in state.players}
        played = self.cards(state)
        for seat, card in played.items():
            self.hands[seat].remove(card)
        self.turn = [(card, seat) for seat, card in played.items()]
        self.rng.shuffle(self.turn)

    def _owner(self, ask: Ask) -> Seat:
        return next(seat for card, seat in self.turn if str(card) == ask.card)
