"""The box of 6 nimmt!: its name, who can play, its cards and how many of them lie where."""

from __future__ import annotations

from typing import Final

from companion.core.cards import HIGHEST, Card, bullheads
from companion.text.sentence import NOTHING

TITLE: Final = "6 NIMMT!"
SEATS: Final = range(2, 11)
CODE: Final = "6N"
BGG_ID: Final = 432
DECK: Final = tuple(map(str, range(1, HIGHEST + 1)))
STARTER: Final = NOTHING
ROWS: Final = 4
ROW_LENGTH: Final = 5
TURNS: Final = 10
"""Turns of a deal, and so the cards of a hand."""

KNOWN_DECK_SEATS: Final = range(2, 7)
"""The advanced game is for two to six players (6 nimmt! rulebook, Advanced game)."""


def worth(card: str) -> int:
    """The bullheads on a card."""
    return bullheads(Card(int(card)))


def deck_for(players: int, *, known: bool) -> int:
    """The highest card: 104, or ten times the players plus four (6 nimmt! rulebook, Advanced game 1)."""
    return TURNS * players + ROWS if known else HIGHEST
