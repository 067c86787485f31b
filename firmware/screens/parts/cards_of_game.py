"""How the cards of a game are called where no match of it is in play."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from companion.core import games
from companion.values import Value

if TYPE_CHECKING:
    from companion.core.game import AnyGame
    from firmware.text.translation import Translator


@lru_cache(maxsize=8)
def _made(game: str) -> AnyGame:
    module = games.module(game)
    return module.make(module.SEATS[0], {})


class CardsOfGame(Value):
    """The cards of the game named `game`, in a language."""

    game: str
    translate: Translator

    def label(self, card: str) -> str:
        """A card in up to 4 columns."""
        return self.translate.say(_made(self.game).label(card))

    def named(self, card: str) -> str:
        """A card in words, in capitals."""
        return self.translate.say(_made(self.game).named(card))

    def card_of(self, text: str) -> str | None:
        """The card that a scanned or typed text means, by its name or the number in its code; None: none."""
        deck = games.module(self.game).DECK
        if text in deck:
            return text
        return deck[int(text) - 1] if text.isdigit() and 0 < int(text) <= len(deck) else None

    def worth(self, card: str) -> int:
        """The points of a card."""
        return games.module(self.game).worth(card)

    @property
    def in_heads(self) -> bool:
        """Whether points are bullheads: they are where the cards are numbers."""
        return games.module(self.game).DECK[0].isdigit()
