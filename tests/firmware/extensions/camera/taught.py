"""Decks that were taught by photos of drawn cards, as a box is taught."""

from functools import cache

import numpy as np

from firmware.extensions.camera.faces import Deck
from firmware.extensions.camera.finding import find
from tests.firmware.extensions.camera.drawn_decks import DECKS, Drawn
from tests.firmware.extensions.camera.photos import grid, photo


@cache
def taught(name: str) -> Deck:
    """One of `DECKS`, shown three times, twelve cards at a time; nobody changes it."""
    return teach(next(drawn for drawn in DECKS if drawn.name == name))


def teach(drawn: Drawn) -> Deck:
    """A deck that was shown three times, twelve cards at a time."""
    deck = Deck(drawn.name, drawn.game)
    kinds = drawn.kinds
    for start in range(0, len(kinds), 12):
        numbers = kinds[start : start + 12]
        for lesson in range(3):
            seed = 900 + start + 5000 * lesson
            shown = photo(grid(numbers, seed), seed, drawn.face)
            found = find(shown.picture)
            for card in shown.cards:
                near = min(
                    found, key=lambda one: float(np.linalg.norm(np.mean(one.corners, 0) - card.centre))
                )
                deck.learn(drawn.code(card.number), [near.face])
    return deck
