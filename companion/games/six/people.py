"""Players of 6 nimmt! with hands of their own, who play by chance. What stands is judged elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards import Card, Seat, heads
from companion.game import Answer, Ask, Verb
from companion.games.six.table import ROWS, TURNS, Table

if TYPE_CHECKING:
    from companion.game import Chance


class People:
    """Everybody plays any card of the hand; the owner of the lowest takes the cheapest row."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._hands: dict[Seat, list[Card]] = {}
        self._box: list[Card] = []
        self._turn: list[tuple[Card, Seat]] = []

    def answer(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        """What one of them does next."""
        ask = asks[0]
        match ask.verb:
            case Verb.LAY:
                if not ask.have:
                    self._deal(state)
                return Answer(ask, str(self._box[len(ask.have)]))
            case Verb.PICK:
                free = [card for card in range(1, state.deck + 1) if str(card) not in ask.have]
                return Answer(ask, str(self._chance.choice(free)), ask.seats[0])
            case Verb.CHOOSE:
                return Answer(ask, min(ask.choices, key=lambda row: heads(state.rows[int(row)])))
            case Verb.CLAIM:
                owner = next(seat for card, seat in self._turn if str(card) == ask.card)
                return Answer(ask, str(owner), owner)
            case _:
                if not ask.have:
                    self._show()
                return Answer(ask, str(self._turn[len(ask.have)][0]))

    def _deal(self, state: Table) -> None:
        picked = frozenset().union(*(state.hands or ()))
        self._box = [Card(card) for card in range(1, state.deck + 1) if card not in picked]
        self._chance.shuffle(self._box)
        self._hands = {}
        for place, seat in enumerate(state.players):
            dealt = self._box[ROWS + TURNS * place : ROWS + TURNS * (place + 1)]
            self._hands[seat] = list(state.hands[seat]) if state.hands else dealt

    def _show(self) -> None:
        self._turn = []
        for seat, hand in self._hands.items():
            self._turn.append((hand.pop(self._chance.randrange(len(hand))), seat))
        self._chance.shuffle(self._turn)
