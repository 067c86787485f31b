"""The box of Ciao!: its name and who can play; the cards are in `cards`, what can be agreed is in `setup`."""

from __future__ import annotations

from typing import Final

TITLE: Final = "CIAO!"
SEATS: Final = range(2, 7)
CODE: Final = "CI"
BGG_ID: Final = 0
STARTER: Final = "THE YOUNGEST BEGINS"
