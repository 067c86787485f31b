"""Decks that were taught by photos: they cost seconds, so they are kept from run to run."""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import pytest

import firmware.extensions.camera
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.faces import TaughtDeck
from tests.firmware.extensions.camera.drawn_decks import Drawn
from tests.firmware.extensions.camera.photos import teach

FEW: Final = range(1, 25)
"""The cards that a kept deck was taught."""
_SOURCES: Final = (Path(firmware.extensions.camera.__file__).parent, Path(__file__).parent)


@pytest.fixture(scope="session")
def taught(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Drawn], TaughtDeck]:
    """Gives a deck that was taught `FEW` and has seen no picture yet, in which cards may have been larger.

    It is learned anew when anything has changed that draws, finds or learns cards.
    """
    seal = hashlib.sha256(cv2.__version__.encode())
    for file in sorted(file for folder in _SOURCES for file in folder.glob("*.py")):
        if not file.name.startswith("test_"):
            seal.update(file.read_bytes())
    stays = hasattr(pytestconfig, "cache")  # not with `-p no:cacheprovider`
    folder = (pytestconfig.cache.mkdir if stays else tmp_path_factory.mktemp)("taught-decks")

    @cache
    def kept(drawn: Drawn) -> TaughtDeck:
        file = folder / f"{drawn.name}-{seal.hexdigest()[:16]}"
        if not file.exists():
            for old in folder.glob(f"{drawn.name}-*"):
                old.unlink(missing_ok=True)
            draft = file.with_suffix(f".{os.getpid()}")
            draft.write_bytes(deck_files.packed(teach(drawn, FEW)))
            draft.replace(file)
        return deck_files.unpacked(file.read_bytes())

    def fresh(drawn: Drawn) -> TaughtDeck:
        deck = kept(drawn)
        deck._wide_px = None
        return deck

    return fresh
