"""What the referee knows of a hand: how many cards, and which of them were seen. No rule is here."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from companion.games.ciao.cards import Card, kind, may_be_same
from companion.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterable


class Hand(Value):
    """`size` cards, of which `known` were seen: given in a position, given away, or taken back."""

    size: int = 0
    known: tuple[Card, ...] = ()

    @property
    def open(self) -> bool:
        """Whether every card of it is known."""
        return len(self.known) >= self.size

    def holding(self, card: Card) -> Card | None:
        """The known card that may be this one; the very copy before one of its kind."""
        if card in self.known:
            return card
        for one in self.known:
            if may_be_same(one, card):
                return one
        return None

    def without(self, card: Card) -> Hand:
        """The hand after a card left it."""
        held = self.holding(card)
        if held is None:
            return Hand(self.size - 1, self.known)
        known = list(self.known)
        known.remove(held)
        return Hand(self.size - 1, tuple(known))

    def without_one(self) -> Hand:
        """The hand after a card left it that nobody saw: of each kind, all but one are surely still there."""
        kinds = Counter(kind(card).name for card in self.known)
        still = tuple(Card(name) for name, many in kinds.items() for _ in range(many - 1))
        return Hand(self.size - 1, still)

    def plus(self, number: int, cards: Iterable[Card] = ()) -> Hand:
        """The hand with so many more cards, of which these are known."""
        return Hand(self.size + number, (*self.known, *cards))

    def seen(self, card: Card) -> Hand:
        """The hand after everybody saw one of its cards."""
        held = self.holding(card)
        if held is None:
            return Hand(self.size, (*self.known, card))
        if "#" in held or "#" not in card:
            return self
        known = list(self.known)
        known[known.index(held)] = card
        return Hand(self.size, tuple(known))

    def shown(self, cards: tuple[Card, ...]) -> Hand:
        """The hand after everybody saw these of its cards, side by side."""
        left = self
        for card in cards:
            left = left.without(card)
        return Hand(self.size, (*cards, *left.known))
