"""Decks that were taught by photos of drawn cards, as a box is taught."""

from collections.abc import Collection

import numpy as np

from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.finding import find
from tests.firmware.extensions.camera.drawn_decks import Drawn
from tests.firmware.extensions.camera.photos import PLAIN_LOOK, Look, grid, photo


def teach(drawn: Drawn, numbers: Collection[int] | None = None, look: Look = PLAIN_LOOK) -> TaughtDeck:
    """A deck that was shown three times, twelve cards at a time; with `numbers` only these cards of it."""
    deck = TaughtDeck(drawn.name, drawn.game)
    kinds = [number for number in drawn.kinds if numbers is None or number in numbers]
    for start in range(0, len(kinds), 12):
        for lesson in range(3):
            seed = 900 + start + 5000 * lesson
            shown = photo(grid(kinds[start : start + 12], seed), seed, drawn.face, look)
            found = find(shown.picture)
            for card in shown.cards:
                near = min(
                    found, key=lambda seen: float(np.linalg.norm(np.mean(seen.corners, 0) - card.centre))
                )
                deck.learn(drawn.code(card.number), [near.face])
    return deck
