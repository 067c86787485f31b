"""Scripted players of Ciao! with their own hands, who play at random. Legality is decided elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ask import TYPED, Answer, Ask, AskKind
from companion.games.ciao.box import points
from companion.games.ciao.cards import Card, kind, may_be_same
from companion.games.ciao.legal import not_playable
from companion.games.ciao.table import Stage
from companion.games.ciao.view import Word

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from companion.core.game import RandomSource
    from companion.games.ciao.table import Table

_RARELY = 0.1
_OFTEN = 0.8


class Dealt:
    """The cards that scripted players hold and that lie on the table, as the device has been told of them."""

    def __init__(self, rng: RandomSource) -> None:
        self._rng = rng
        self._hands: dict[Seat, list[Card]] = {}
        self._pile: list[Card] = []
        self._lying: list[Card] = []
        self._moves = 0
        self._fastest: tuple[Seat, Card] | None = None

    def look(self, state: Table) -> None:
        """Deal and draw what has been dealt and drawn by now. To be called before each answer."""
        if state.fresh and (self._moves or not self._hands):
            self._deal(state)
        self._moves = state.moves
        if self._fastest and state.stage is not Stage.CLAIM:
            self._claimed()
        self._draw(state)

    def hand(self, seat: Seat) -> list[Card]:
        """The cards of a seat, in the order in which they came."""
        return list(self._hands[seat])

    def fitting(self, state: Table, seat: Seat) -> list[Card]:
        """Those that may be played now; of a hand that has just drawn, the drawn one."""
        hand = self._hands[seat][-1:] if state.stage is Stage.DRAWN else self._hands[seat]
        return [card for card in hand if not_playable(state, seat, card) is None]

    def lay(self, seat: Seat, card: Card) -> None:
        """A card leaves a hand, for the table."""
        self._hands[seat].remove(card)
        self._lying.append(card)

    def race(self, seat: Seat, card: Card) -> None:
        """The fastest answer to a challenge; it leaves the hand when the device knows whose it is."""
        self._fastest = (seat, card)

    def give(self, state: Table, card: Card) -> None:
        """A bad card goes to the hand that is to get it."""
        self._hands[state.actor].remove(card)
        if state.other is not None:
            self._hands[state.other].append(card)

    def swap(self, one: Seat, other: Seat) -> None:
        """Two hands are swapped."""
        self._hands[one], self._hands[other] = self._hands[other], self._hands[one]

    def discard_trouble(self, seat: Seat) -> bool:
        """A trouble card goes under the newest card; False: the hand has none."""
        for card in self._hands[seat]:
            if kind(card).trouble:
                self._hands[seat].remove(card)
                self._lying.insert(-1, card)
                return True
        return False

    def claim(self, ask: Ask) -> Answer:
        """Whose the answer to the challenge was."""
        seat = self._claimed()
        return Answer(ask, str(seat), seat)

    def scan(self, state: Table, ask: Ask) -> Answer:
        """The next card of a hand of which all is to be known."""
        seat = ask.seats[0]
        left = list(self._hands[seat])
        for card in state.hands[seat].known:
            left.remove(next(one for one in left if may_be_same(one, card)))
        return Answer(ask, left[0], seat)

    def count(self, ask: Ask) -> Answer:
        """The next card of a hand that is counted."""
        seat = ask.seats[0]
        left = list(self._hands[seat])
        for card in ask.have:
            left.remove(Card(card))
        return Answer(ask, left[0], seat)

    def _claimed(self) -> Seat:
        """The fastest player's card is on the table as soon as the device knows its owner."""
        assert self._fastest is not None  # noqa: S101 - a race was answered
        seat, card = self._fastest
        self._fastest = None
        self.lay(seat, card)
        return seat

    def _deal(self, state: Table) -> None:
        self._pile = list(state.agreed.cards())
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


class Bots:
    """Everybody plays a card that fits, most of the time, and gives trouble cards away first."""

    def __init__(self, rng: RandomSource) -> None:
        self._rng = rng
        self._dealt = Dealt(rng)

    def answer(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        """The next answer of one of them."""
        self._dealt.look(state)
        ask = asks[0]
        match ask.kind:
            case AskKind.HOLD:
                return self._dealt.scan(state, ask)
            case AskKind.PLAY:
                return self._turn(state, asks)
            case AskKind.RACE:
                return self._race(state, asks)
            case AskKind.CLAIM:
                return self._dealt.claim(ask)
            case AskKind.WHOM:
                return self._whom(state, ask)
            case AskKind.GIVE:
                return self._give(state, asks)
            case AskKind.HAND:
                return self._count(ask)
            case _:
                return self._decide(state, ask)

    def _turn(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        seat, other = state.turn, asks[1]
        cards = self._dealt.fitting(state, seat)
        if not cards or self._rng.random() < _RARELY:
            return Answer(other, other.choices[0], seat)
        card: Card = self._rng.choice(cards)
        self._dealt.lay(seat, card)
        return Answer(asks[0], card, seat)

    def _race(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        able = [(seat, card) for seat in asks[0].seats for card in self._dealt.fitting(state, seat)]
        if not able or self._rng.random() < _RARELY:
            return Answer(asks[1], asks[1].choices[0])
        seat, card = self._rng.choice(able)
        self._dealt.race(seat, card)
        return Answer(asks[0], card, seat if self._rng.random() < _OFTEN else None)

    def _whom(self, state: Table, ask: Ask) -> Answer:
        choice: str = self._rng.choice(ask.choices)
        seat = next(seat for seat in state.players if str(seat) == choice)
        if state.stage is Stage.WITH:
            self._dealt.swap(ask.seats[0], seat)
        return Answer(ask, choice, seat)

    def _give(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        hand = self._dealt.hand(state.actor)
        bad = [card for card in hand if kind(card).trouble]
        card: Card = self._rng.choice(bad or hand)
        self._dealt.give(state, card)
        if self._rng.random() < _OFTEN:
            return Answer(asks[0], card, state.actor)
        return Answer(asks[1], asks[1].choices[0], state.actor)

    def _decide(self, state: Table, ask: Ask) -> Answer:
        choice: str = self._rng.choice(ask.choices)
        if state.stage is Stage.TROUBLE:
            gone = self._dealt.discard_trouble(state.actor)
            choice = Word.GOES.value if gone else Word.STAYS.value
        return Answer(ask, choice, ask.seats[0])

    def _count(self, ask: Ask) -> Answer:
        seat = ask.seats[0]
        if not ask.have and self._rng.random() < _RARELY:
            return Answer(ask, f"{TYPED}{points(tuple(self._dealt.hand(seat)))}", seat)
        return self._dealt.count(ask)
