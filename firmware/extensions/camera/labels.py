"""What people call the cards of a deck, given the codes with which it was taught."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from companion.core import games
from firmware.extensions.camera.cards_in_play import codes

if TYPE_CHECKING:
    from firmware.text.translation import Translator


def label(code: str, game: str, box: int, t: Translator) -> str:
    """One card; the code itself where the game has no such card."""
    module = games.module(game)
    name = next((name for name, one in codes(game, box).items() if one == code), "")
    if not name:
        return code
    return t.say(module.make(module.SEATS[0], {}).label(name))


def shown(cards: Sequence[str], game: str, box: int, t: Translator) -> str:
    """Cards in a line: numbers that follow each other as the first and the last."""
    labels = [label(code, game, box, t) for code in cards]
    numbers = [int(one) for one in labels if one.isdecimal()]
    follow = all(high == low + 1 for low, high in pairwise(numbers))
    if len(numbers) == len(cards) > 2 and follow:  # noqa: PLR2004 - from the first to the last
        return f"{labels[0]}–{labels[-1]}"
    return " ".join(labels)
