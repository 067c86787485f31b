"""Scripted players of Ciao! with their own hands, who play at random. Legality is decided elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.ask import TYPED, Answer, Ask, AskKind
from companion.games.ciao.asking import Word
from companion.games.ciao.box import points
from companion.games.ciao.cards import Card, kind
from companion.games.ciao.legal import not_playable
from companion.games.ciao.table import Stage, Table

if TYPE_CHECKING:
    from companion.cards import Seat
    from companion.game import RandomSource

_RARELY = 0.1
_OFTEN = 0.8


class Bots:
    """Everybody plays a card that fits, most of the time, and gives trouble cards away first."""

    def __init__(self, rng: RandomSource) -> None:
        self._rng = rng
        self._hands: dict[Seat, list[Card]] = {}
        self._pile: list[Card] = []
        self._lying: list[Card] = []
        self._moves = 0
        self._fastest: tuple[Seat, Card] | None = None

    def answer(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        """The next answer of one of them."""
        if state.fresh and (self._moves or not self._hands):
            self._deal(state)
        self._moves = state.moves
        if self._fastest and state.stage is not Stage.CLAIM:
            self._claimed()
        self._draw(state)
        ask = asks[0]
        match ask.kind:
            case AskKind.PLAY:
                return self._turn(state, asks)
            case AskKind.RACE:
                return self._race(state, asks)
            case AskKind.CLAIM:
                seat = self._claimed()
                return Answer(ask, str(seat), seat)
            case AskKind.WHOM:
                return self._whom(state, ask)
            case AskKind.GIVE:
                return self._give(state, asks)
            case AskKind.HAND:
                return self._count(ask)
            case _:
                return self._decide(state, ask)

    def _deal(self, state: Table) -> None:
        self._pile = list(state.agreed.deck())
        self._rng.shuffle(self._pile)
        self._lying = []
        self._fastest = None
        self._hands = {
            seat: [self._pile.pop() for _ in range(state.hands[seat].size)] for seat in state.players
        }

    def _draw(self, state: Table) -> None:
        """Players who have fewer cards than the device says have drawn some."""
        for seat in state.players:
            hand = self._hands.setdefault(seat, [])
            while len(hand) < state.hands[seat].size:
                if not self._pile:
                    self._pile, self._lying = self._lying[:-1], self._lying[-1:]
                    self._rng.shuffle(self._pile)
                hand.append(self._pile.pop())

    def _fitting(self, state: Table, seat: Seat) -> list[Card]:
        return [card for card in self._hands[seat] if not_playable(state, seat, card) is None]

    def _lay(self, seat: Seat, card: Card) -> None:
        self._hands[seat].remove(card)
        self._lying.append(card)

    def _turn(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        seat, other = state.turn, asks[1]
        cards = self._fitting(state, seat)
        if state.stage is Stage.DRAWN:
            drawn = self._hands[seat][-1]
            cards = [drawn] if drawn in cards else []
        if not cards or self._rng.random() < _RARELY:
            return Answer(other, other.choices[0], seat)
        card: Card = self._rng.choice(cards)
        self._lay(seat, card)
        return Answer(asks[0], card, seat)

    def _race(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        able = [(seat, card) for seat in asks[0].seats for card in self._fitting(state, seat)]
        if not able or self._rng.random() < _RARELY:
            return Answer(asks[1], asks[1].choices[0])
        seat, card = self._rng.choice(able)
        self._fastest = (seat, card)
        return Answer(asks[0], card, seat if self._rng.random() < _OFTEN else None)

    def _claimed(self) -> Seat:
        """The fastest player's card is on the table as soon as the device knows its owner."""
        assert self._fastest is not None  # noqa: S101 - a race was answered
        seat, card = self._fastest
        self._fastest = None
        self._lay(seat, card)
        return seat

    def _whom(self, state: Table, ask: Ask) -> Answer:
        choice: str = self._rng.choice(ask.choices)
        if state.stage is Stage.WITH:
            one, other = ask.seats[0], next(seat for seat in state.players if str(seat) == choice)
            self._hands[one], self._hands[other] = self._hands[other], self._hands[one]
        return Answer(ask, choice, next(seat for seat in state.players if str(seat) == choice))

    def _give(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        seat, hand = state.actor, self._hands[state.actor]
        bad = [card for card in hand if kind(card).trouble]
        card: Card = self._rng.choice(bad or hand)
        hand.remove(card)
        if state.other is not None:
            self._hands[state.other].append(card)
        if self._rng.random() < _OFTEN:
            return Answer(asks[0], card, seat)
        return Answer(asks[1], asks[1].choices[0], seat)

    def _decide(self, state: Table, ask: Ask) -> Answer:
        choice: str = self._rng.choice(ask.choices)
        if state.stage is Stage.TROUBLE:
            bad = [card for card in self._hands[state.actor] if kind(card).trouble]
            choice = Word.GOES.value if bad else Word.STAYS.value
            for card in bad[:1]:
                self._hands[state.actor].remove(card)
                self._lying.insert(-1, card)
        return Answer(ask, choice, ask.seats[0])

    def _count(self, ask: Ask) -> Answer:
        seat = ask.seats[0]
        hand = self._hands[seat]
        if not ask.have and self._rng.random() < _RARELY:
            return Answer(ask, f"{TYPED}{points(tuple(hand))}", seat)
        left = list(hand)
        for card in ask.have:
            left.remove(Card(card))
        return Answer(ask, left[0], seat)
