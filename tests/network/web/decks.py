"""A few cards that were taught, and photos of them, as a phone sends them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import cv2

from firmware.extensions.camera import deck_files
from firmware.extensions.camera.faces import TaughtDeck
from tests.firmware.extensions.camera.drawn_decks import BEAST, Drawn
from tests.firmware.extensions.camera.photos import Look, grid, photo, teach

CLEAR: Final = Look(soft=(0.5, 0.6), noise=2.0, slant=20.0, lamps=0)


@cache
def _taught(numbers: tuple[int, ...], twins: tuple[int, ...]) -> TaughtDeck:
    looks = dict(zip(twins, numbers, strict=False))
    drawn = Drawn("", BEAST.game, lambda number: BEAST.face(looks.get(number, number)))
    return teach(drawn, [*numbers, *twins], CLEAR)


def packed(numbers: Sequence[int], name: str = "Klub", twins: Sequence[int] = ()) -> bytes:
    """A deck that was taught these cards, as a file; `twins` look as the first of them do."""
    deck = _taught(tuple(numbers), tuple(twins))
    deck.name = name
    return deck_files.packed(deck)


def taught(folder: Path, numbers: Sequence[int], name: str = "Klub", twins: Sequence[int] = ()) -> None:
    """Put such a deck into a folder."""
    deck_files.save(folder, deck_files.unpacked(packed(numbers, name, twins)))


def jpeg(numbers: Sequence[int], seed: int = 5, turn: float = 30.0) -> bytes:
    """These cards on a table, each turned up to so many degrees."""
    shown = photo(grid(numbers, seed, turn), seed, BEAST.face, CLEAR)
    return cv2.imencode(".jpg", shown.picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


def film(numbers: Sequence[int]) -> bytes:
    """The same for Chromium's simulated camera: two pictures in which nothing moves."""
    shown = photo(grid(numbers, 5, 30.0), 5, BEAST.face, CLEAR).picture
    high, wide = shown.shape[:2]
    frame = b"FRAME\n" + cv2.cvtColor(shown, cv2.COLOR_BGR2YUV_I420).tobytes()
    return b"YUV4MPEG2 W%d H%d F10:1 Ip A1:1 C420jpeg\n" % (wide, high) + frame * 2


def lesson(numbers: Sequence[int]) -> bytes:
    """The same cards for Chromium's simulated camera, shown three times; in between they are shifted."""
    parts = []
    for seed in (5, 6, 7):
        parts += [jpeg(numbers, seed, 4.0)] * 60
        parts += [jpeg(numbers, seed + 10, 40.0), jpeg(numbers, seed + 20, 40.0)] * 5
    return b"".join(parts)
