"""The box: the name, who can play, and the cards whose points are counted, which are those of other games.

Score-keeping has no cards of its own. Of the games themselves nothing is known here but what
their packages offer to everybody, and which cards are left when one of their deals is over.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from companion.core import games
from companion.text.sentence import NOTHING, Text, say
from companion.values import Value, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import AnyGame

TITLE: Final = str(say("KEEP SCORE"))
SEATS: Final = range(2, 11)
CODE: Final = "SC"
BGG_ID: Final = 0
DECK: Final[tuple[str, ...]] = ()
STARTER: Final = NOTHING

OTHER: Final = "other"
"""The option for a game of which nothing is known but its points."""

HAND: Final = 10
ROWS: Final = 4
ROW_LENGTH: Final = 5


def worth(card: str) -> int:
    """It has no cards of its own, so this raises `LookupError`."""
    raise LookupError(card)


class Left(Enum):
    """What is counted when a deal is over."""

    PILES = "piles"
    """The cards that were taken; all others are in four rows."""
    HANDS = "hands"
    """The cards left in the hands, of which one is empty."""
    NUMBERS = "numbers"
    """Points, without cards."""


_LEFT: Final[Mapping[str, Left]] = {"six": Left.PILES, "eleven": Left.HANDS, "ciao": Left.HANDS}
"""By the name of the game. Of the others nobody has said how a deal ends, so only points are counted."""

_TURNED: Final[Mapping[str, str]] = {"0": "0", "1": "1", "6": "9", "8": "8", "9": "6"}


class Box(Value):
    """A deck of the game `of`: `worth` has every card of it and its points, in the order of their codes.

    It is empty where only points are counted. `known` says that only the lowest are used, ten
    for each player and four (6 nimmt! rulebook, Advanced game 1).
    """

    of: str
    left: Left
    known: bool = False
    worth: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def game(self) -> str:
        """The game whose cards are scanned; empty where only points are counted."""
        return "" if self.left is Left.NUMBERS else self.of

    def deck(self, players: int) -> tuple[str, ...]:
        """The cards that can be there when so many play."""
        cards = tuple(self.worth)
        return cards[: self.due(players)] if self.known else cards

    def due(self, players: int) -> int:
        """How many cards piles and rows have together when so many play."""
        return HAND * players + ROWS

    def whole(self, players: int) -> bool:
        """Whether every card of the deck ends up in a pile or a row."""
        return self.left is Left.PILES and self.due(players) == len(self.deck(players))

    def named(self, card: str) -> Text:
        """A card in the words of its game, in up to 18 columns."""
        return as_played(self.game).named(card) if self.game else say("{card}", card=card[:18])

    def points(self, cards: tuple[str, ...]) -> int:
        """What cards cost together."""
        return sum([self.worth[card] for card in cards]) if cards else 0


@lru_cache(maxsize=8)
def as_played(key: str) -> AnyGame:
    """The game whose score is kept, to have its cards named."""
    module = games.module(key)
    return module.make(module.SEATS[0], {})


@lru_cache(maxsize=32)
def box_of(game: str, *, known: bool = False) -> Box:
    """The box of a game by its name, or of a game that is only points. Raises `UnknownGame`."""
    if game == OTHER:
        return Box(OTHER, Left.NUMBERS)
    module = games.module(game)
    if game not in _LEFT:
        return Box(game, Left.NUMBERS)
    worth = MappingProxyType({card: module.worth(card) for card in module.DECK})
    return Box(game, _LEFT[game], known, worth)


def turned(card: str) -> str | None:
    """The number that a card shows upside down; None if that is not another number."""
    if not set(card) <= _TURNED.keys() or card.endswith("0"):
        return None
    round_again = "".join(_TURNED[digit] for digit in reversed(card))
    return None if round_again == card else round_again
