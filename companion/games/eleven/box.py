"""The metadata of 11 nimmt!: its name, number of players and cards; what can be agreed is in `setup`."""

from __future__ import annotations

from typing import Final

from companion.games.eleven.agreed import HEADS
from companion.games.eleven.table import CARDS

TITLE: Final = "11 NIMMT!"
SEATS: Final = range(2, 8)
CODE: Final = "11"
BGG_ID: Final = 0
DECK: Final = tuple(map(str, range(1, CARDS + 1)))
STARTER: Final = "THE YOUNGEST BEGINS"


def worth(card: str) -> int:
    """The bullheads on a card (house rule H11-1)."""
    return HEADS["six"][int(card) - 1]
