"""Decks that were taught by photos, once for all tests: they cost seconds."""

from collections.abc import Callable
from functools import cache
from typing import Final

import pytest

from firmware.extensions.camera.faces import TaughtDeck
from tests.firmware.extensions.camera.drawn_decks import Drawn
from tests.firmware.extensions.camera.photos import teach

FEW: Final = range(1, 25)
"""The cards that such a deck was taught."""


@pytest.fixture(scope="session")
def taught() -> Callable[[Drawn], TaughtDeck]:
    """Gives a deck that was taught `FEW` and has seen no picture yet, in which cards may have been larger."""
    kept = cache(lambda drawn: teach(drawn, FEW))

    def fresh(drawn: Drawn) -> TaughtDeck:
        deck = kept(drawn)
        deck._wide_px = None
        return deck

    return fresh
