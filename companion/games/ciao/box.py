"""The metadata of Ciao!: its name and number of players; the cards are in `cards`, options in `setup`."""

from __future__ import annotations

from typing import Final

TITLE: Final = "CIAO!"
SEATS: Final = range(2, 7)
CODE: Final = "CI"
BGG_ID: Final = 0
STARTER: Final = "THE YOUNGEST BEGINS"
