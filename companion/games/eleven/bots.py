"""Scripted players of 11 nimmt! with their own hands, who play at random. Legality is decided elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ask import Answer, Ask, AskKind
from companion.games.eleven.hands import unseen
from companion.games.eleven.legal import counts_of, fits, opens_pile

if TYPE_CHECKING:
    from companion.core.cards import Card, Seat
    from companion.core.game import RandomSource
    from companion.games.eleven.table import Table

WILL = 0.9
"""How often a player who could take a pile plays instead, or lays one more card that would fit."""


class Dealt:
    """The cards that scripted players hold, and the deck; and what is answered with them without a choice.

    The hands are dealt when they are first asked. Whatever the table says about the hands
    later (an undo, a table that was set up) is accepted, and what does not agree with it
    is dealt again from the cards that nobody has seen.
    """

    def __init__(self, rng: RandomSource) -> None:
        self._rng = rng
        self._hands: dict[Seat, set[Card]] = {}
        self._deck: list[Card] = []

    def answer(self, state: Table, ask: Ask) -> Answer | None:
        """The answer with a card of the deck, or of a hand that is counted; None to any other question."""
        self._look(state)
        if ask.kind is AskKind.HOLD:
            seat = ask.seats[0]
            return Answer(ask, str(min(self._hands[seat] - state.known[seat])), seat)
        if ask.kind is AskKind.TURN_UP:
            return Answer(ask, str(self._deck[-1]))
        if ask.kind is AskKind.HAND:
            left = sorted(card for card in self._hands[ask.seats[0]] if str(card) not in ask.have)
            return Answer(ask, str(self._rng.choice(left)))
        return None

    def hand(self, seat: Seat) -> list[Card]:
        """The cards of a seat at the newest question, ascending."""
        return sorted(self._hands[seat])

    def _look(self, state: Table) -> None:
        """Hands and deck as the table has them."""
        hidden = unseen(state)
        for seat in state.players:
            hand = {card for card in self._hands.get(seat, set()) if card in hidden} | state.known[seat]
            self._hands[seat] = hand
        self._deck = [card for card in self._deck if card in hidden]
        taken = sum(len(self._hands[seat]) for seat in state.players)
        alone = len(set().union(*(self._hands[seat] for seat in state.players))) == taken
        whole = all(len(self._hands[seat]) == state.sizes[seat] for seat in state.players)
        if not (alone and whole and len(self._deck) >= state.deck):
            self._deal(state, sorted(hidden))

    def _deal(self, state: Table, hidden: list[Card]) -> None:
        self._rng.shuffle(hidden)
        self._hands = {}
        for seat in state.players:
            missing = state.sizes[seat] - len(state.known[seat])
            self._hands[seat] = set(state.known[seat]).union(hidden[:missing])
            hidden = hidden[missing:]
        self._deck = hidden


class Bots:
    """Everybody plays a card that fits, mostly, and takes any pile otherwise."""

    def __init__(self, rng: RandomSource) -> None:
        self._rng = rng
        self._dealt = Dealt(rng)

    def answer(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        """The next answer of one of them."""
        ask, *others = asks
        if (dealt := self._dealt.answer(state, ask)) is not None:
            return dealt
        if ask.kind is AskKind.PLAY:
            return self._play(state, ask, others)
        return Answer(ask, self._rng.choice(ask.choices), ask.seats[0])

    def _play(self, state: Table, play: Ask, others: list[Ask]) -> Answer:
        seat = play.seats[0]
        fit = [card for card in self._dealt.hand(seat) if self._fits(state, card)]
        if others and (not fit or self._rng.random() > WILL):
            return Answer(others[0], self._rng.choice(others[0].choices), seat)
        return Answer(play, str(self._rng.choice(fit)), seat)

    def _fits(self, state: Table, card: Card) -> bool:
        """Whether a card may be played now, by the rule that is never wrong: as many piles as bull cards."""
        if opens_pile(state):
            return True
        counts, bulls = counts_of(state), state.bulls[state.turn]
        another, deeper = len(counts) < max(1, bulls), len(counts) <= bulls
        return any(
            counts.get(pile.number, 0) > 1 or (deeper if pile.number in counts else another)
            for pile in state.piles
            if fits(card, state.top_before(pile))
        )
