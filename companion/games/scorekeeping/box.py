"""The metadata of score-keeping: a name and the number of players; the cards that are scored are in `box`."""

from __future__ import annotations

from typing import Final

TITLE: Final = "KEEP SCORE"
SEATS: Final = range(2, 11)
CODE: Final = "SC"
BGG_ID: Final = 0
DECK: Final[tuple[str, ...]] = ()
STARTER: Final = ""


def worth(card: str) -> int:
    """It has no cards of its own."""
    raise LookupError(card)
