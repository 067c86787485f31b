"""The box of 11 nimmt!: its name, how many can play, its cards, and the numbers of the game."""

from __future__ import annotations

from typing import Final

from companion.core.cards import Card, bullheads
from companion.text.sentence import say

TITLE: Final = "11 NIMMT!"
SEATS: Final = range(2, 8)
CODE: Final = "11"
BGG_ID: Final = 0
STARTER: Final = say("THE YOUNGEST BEGINS")

CARDS: Final = 100
DEALT: Final = 10
BULLS: Final = 10
PILE_FOR_BULL: Final = 3
"""This many cards in a pile give a bull card (11 nimmt! rulebook, Taking a pile, paragraph 5)."""
NEW_PILES: Final = 2
NAMES: Final = 99
"""Piles have the names 1 to 99."""

DECK: Final = tuple(map(str, range(1, CARDS + 1)))


def worth(card: str) -> int:
    """The bullheads on a card: as on the cards of 6 nimmt! with the same numbers (house rule H11-1)."""
    return bullheads(Card(int(card)))
