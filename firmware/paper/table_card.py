"""The table card of a game: its rules on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import games
from firmware.paper import in_short
from firmware.paper.rules_in_short import rules_of

if TYPE_CHECKING:
    from firmware.paper.pen import Pen


def draw(pen: Pen, key: str) -> None:
    """One page for the game named `key`."""
    in_short.draw(pen, games.module(key).TITLE, rules_of(key))
