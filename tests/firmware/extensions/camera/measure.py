"""How well a deck is read: `python -m tests.firmware.extensions.camera.measure FOLDER` prints a table.

FOLDER has a picture of each card, named by its number, such as 1.png. Without it drawn decks are measured.
Each photo has four rows of five, laid as fans, and three cards that lie free. Numbers are shares in percent.
"""

import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.pictures import Picture
from firmware.extensions.camera.rows import Known, Rows
from tests.firmware.extensions.camera.drawn_decks import BEAST, HEIGHT, PLAIN, WIDTH, Drawn
from tests.firmware.extensions.camera.photos import TABLES, Look, Lying, photo, rows, teach

_CARD_PX: Final = 96
_LIGHTS = {"good": Look(), "dim": Look(light=0.25), "lamp": Look(lamps=3), "soft": Look(soft=(1.6, 2.4))}


def deck_in(folder: Path) -> Drawn:
    """The deck whose faces lie in a folder."""
    files = {int(file.stem): file for file in folder.iterdir() if file.stem.isdecimal()}

    @cache
    def face(number: int) -> Picture:
        picture = cv2.imread(str(files[number]), cv2.IMREAD_UNCHANGED)
        if picture is None:
            raise SystemExit(f"{files[number]} is not a picture")
        if picture.shape[2:] == (4,):  # of a face with a transparent margin the face itself
            x, y, wide, high = cv2.boundingRect((picture[..., 3] > 127).astype(np.uint8))
            picture = picture[y : y + high, x : x + wide, :3]
        upright = picture if picture.shape[0] > picture.shape[1] else np.rot90(picture)
        return np.asarray(cv2.resize(upright, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)

    return Drawn(folder.name, "six", face)


def measured(drawn: Drawn, deck: TaughtDeck, look: Look, seed: int) -> Counter[str]:
    """What a photo shows, and what was made of it."""
    numbers = [int(number) for number in np.random.default_rng(seed).permutation(drawn.kinds)[:23]]
    lie = [numbers[at : at + 5] for at in range(0, 20, 5)]
    places = [(800 + 130 * at, 300 + 300 * (at % 2), 70 * at) for at in range(3)]
    free = [Lying(number, *at) for number, at in zip(numbers[20:], places, strict=True)]
    shown = photo([*rows(lie, seed, _CARD_PX, upper=seed % 2 == 1), *free], seed, drawn.face, look)
    due = Rows(tuple(tuple(map(drawn.code, row)) for row in lie))
    start_s = time.process_time()
    seen = deck.read(shown.picture, deck.codes, known=Known(due))
    found: Counter[str] = Counter(ms=round(1000 * (time.process_time() - start_s)))
    for card in shown.cards:
        kind, code = "whole" if card.visible > 0.97 else ("left", "upper")[seed % 2], drawn.code(card.number)
        near = {at.code for at in seen if np.linalg.norm(np.mean(at.corners, 0) - card.centre) < 12} - {""}
        found[f"{kind} known"] += code in near
        found["wrong"] += bool(near - {code})
        found[kind] += 1
    return found


def main() -> None:
    cv2.setNumThreads(1)
    for drawn in [deck_in(Path(name)) for name in sys.argv[1:]] or [BEAST, PLAIN]:
        deck = teach(drawn, look=Look(card_px=110))
        print(f"{drawn.name:12}{'light':8}  whole   left  upper  wrong  ms a photo")
        for table in TABLES:
            for light, look in _LIGHTS.items():
                found: Counter[str] = Counter()
                own = look._replace(table=table, card_px=_CARD_PX, slant=30.0)
                for seed in range(4):
                    found += measured(drawn, deck, own, seed)
                shares = [f"{found[at + ' known'] / found[at]:7.1%}" for at in ("whole", "left", "upper")]
                ms = f"{found['wrong']:6}{found['ms'] / 4:9.0f}"
                print(f"{table:12}{light:8}", *shares, ms, sep="", flush=True)


if __name__ == "__main__":
    main()
