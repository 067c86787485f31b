"""How well and how soon a camera reads a deck that it was shown: decks and photos are those of the tests.

`NIMMT_READINGS=20000 make bench ARGS="--only camera"` reads that many cards, in about half an hour;
else it is a sample, in which a rate of 1 in 10,000 cannot be seen. `NIMMT_SEED=9000000` makes other photos.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from firmware.extensions.camera import deck_files
from firmware.extensions.camera.still import Watch, small
from tests.firmware.extensions.camera import tables
from tests.firmware.extensions.camera.drawn_decks import DECKS, Drawn
from tests.firmware.extensions.camera.photos import Look, Photo, grid, photo
from tests.firmware.extensions.camera.tables import Place
from tests.firmware.extensions.camera.taught import teach
from tools.bench.figure import Clock, Effort, Figure, at_least, at_most
from tools.bench.machine import HOUSE, KIB_PER_MB, MEMORY, fresh_folder

if TYPE_CHECKING:
    from firmware.extensions.camera.faces import Deck
    from firmware.extensions.camera.seen import Seen

LOOKS: Final = {
    "usual": Look(),
    "worn": Look(worn=True, moved_px=3, lamps=2),
    "pale": Look(pale=True, lamps=2),
    "hands": Look(hands=2),
    "moved": Look(moved_px=5, soft=(1.2, 2.2)),
    "sleeves": Look(sleeves=True),
}
"""Table, light and cards of the photos, one after the other."""

_NEAR_PX: Final = 45
_WHOLE: Final = 0.97
"""A card of which less is visible is not asked for, but must not be read wrong."""

_CARDS: Final = 10
"""In the photo whose processor time is measured."""

_READ: Final = r"""
import re, sys, time
from pathlib import Path
status = Path("/proc/self/status")
held = lambda what: int(re.search(what + r":\s+(\d+)", status.read_text())[1])
import firmware.session.session, PIL.Image
before = held("VmRSS")
from firmware.extensions.camera import deck_files
import cv2
cv2.setNumThreads(1)
deck, picture = deck_files.load(Path(sys.argv[1]), sys.argv[2]), cv2.imread(sys.argv[3])
deck.read(picture)
print(held("VmHWM") - before)
for _ in range(int(sys.argv[4])):
    began_s = time.process_time()
    deck.read(picture)
    print(time.process_time() - began_s)
"""
"""Prints by how many KiB a process grows that reads a photo, then how many seconds other readings take."""


def camera(effort: Effort) -> list[Figure]:
    """For each design the cards read, asked about and wrong, and the time; then memory and size of a deck."""
    readings = int(os.environ.get("NIMMT_READINGS", "0")) or 2 * effort.cards
    figures: list[Figure] = []
    costs: list[Figure] = []
    for drawn in DECKS:
        deck = teach(drawn)
        figures += _rates(drawn, deck, readings // len(DECKS))
        time, *others = _costs(drawn, deck, max(2, effort.cards // 20))
        figures.append(time)
        costs = costs or others
    return [*figures, *costs, _beside_fans()]


def _rates(drawn: Drawn, deck: Deck, readings: int) -> list[Figure]:
    counted: Counter[str] = Counter()
    by_look: dict[str, Counter[str]] = {look: Counter() for look in LOOKS}
    for look, shown in _photos(drawn):
        told = _told(drawn, shown, deck.read(shown.picture))
        counted += told
        by_look[look] += told
        if counted["cards"] >= readings:
            break
    cards = counted["cards"]
    detail = {look: dict(each) for look, each in by_look.items()}
    note = f"{cards} cards; {counted['unseen']} were not found"
    part = {what: counted[what] / cards for what in ("read", "asked", "wrong")}
    name = f"camera.{drawn.name}"
    return [
        Figure(f"{name}-read", 100 * part["read"], "%", at_least(99), note=note, detail=detail),
        Figure(f"{name}-asked", 100 * part["asked"], "%", at_most(1)),
        Figure(f"{name}-wrong", 10_000 * part["wrong"], "in 10,000", at_most(1)),
    ]


def _photos(drawn: Drawn) -> Iterator[tuple[str, Photo]]:
    """One photo after the other, of 1 to 12 cards that lie any way."""
    seed = int(os.environ.get("NIMMT_SEED", "1000000"))
    while True:
        for name, look in LOOKS.items():
            seed += 1
            chance = np.random.default_rng(seed)
            numbers = chance.choice(drawn.kinds, int(chance.integers(1, 13)), replace=False)
            yield name, photo(grid([int(one) for one in numbers], seed, 180), seed, drawn.face, look)


def _told(drawn: Drawn, shown: Photo, seen: list[Seen]) -> Counter[str]:
    """How many cards were there, and how many were read, asked about, not found, or wrong."""
    told: Counter[str] = Counter()
    beside = list(seen)
    codes = {drawn.code(card.number) for card in shown.cards}
    for card in shown.cards:
        if card.visible < _WHOLE:
            continue
        near = [one for one in seen if np.linalg.norm(np.mean(one.corners, 0) - card.centre) < _NEAR_PX]
        beside = [one for one in beside if one not in near]
        told["cards"] += 1
        if not near:
            told["unseen"] += 1
        elif any(one.code == drawn.code(card.number) for one in near):
            told["read"] += 1
        elif not any(one.code for one in near):
            told["asked"] += 1
        else:
            told["wrong"] += 1
    told["wrong"] += sum(one.code not in codes for one in beside if one.code)
    return told


def _costs(drawn: Drawn, deck: Deck, photos: int) -> list[Figure]:
    numbers = drawn.kinds[3 : 3 + _CARDS]
    shown = photo(grid(numbers, 1, 180), 1, drawn.face)
    with fresh_folder(MEMORY) as folder:
        deck_files.save(folder, deck)
        size_mb = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
        grown_kib, *took_s = _read(folder, deck.name, shown, photos)
    return [
        Figure(
            f"camera.{drawn.name}-processor",
            1000 * min(took_s) / _CARDS,
            "ms",
            at_most(60),
            note=f"for each of {_CARDS} cards in a photo",
            timed_by=Clock.PROCESSOR,
        ),
        Figure(
            "camera.memory",
            grown_kib / KIB_PER_MB,
            "MB",
            at_most(90),
            note="beside the box, with OpenCV and a deck",
        ),
        Figure("camera.faces", size_mb, "MB", at_most(4), note=f"{len(deck.codes)} cards"),
    ]


def _beside_fans() -> Figure:
    """What a card takes that is laid beside rows that lie as fans, from lying still to the ruling."""
    fans = {Place(150 + 300 * (at % 3), 250 + 50 * (at // 3)): at + 1 for at in range(12)}
    laid = {**fans, Place(1080, 500): 13}
    deck, watch = tables.deck(range(1, 14)), Watch()
    costs = [_settled(watch, deck, cards) for cards in (fans, *(laid, fans) * 3)]
    return Figure(
        "camera.fans-processor",
        1000 * min(costs[1::2]),
        "ms",
        at_most(600),
        note="for a card that is laid beside three fans of four",
        timed_by=Clock.PROCESSOR,
    )


def _settled(watch: Watch, deck: Deck, cards: Mapping[Place, int]) -> float:
    """Seconds of processor until it is known what lies there."""
    took_s = 0.0
    for noise in count():
        picture = tables.table(cards, noise=noise)
        began_s = time.process_time()
        settled = watch.see(picture, small(picture), deck.read)
        took_s += time.process_time() - began_s
        if settled is not None:
            break
    return took_s


def _read(folder: Path, name: str, shown: Photo, photos: int) -> list[float]:
    """What `_READ` prints, of a process as it is on the box."""
    import cv2

    file = folder / "photo.png"
    cv2.imwrite(str(file), shown.picture)
    words = [sys.executable, "-c", _READ, str(folder), name, str(file), str(photos)]
    done = subprocess.run(words, cwd=HOUSE, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    return [float(line) for line in done.stdout.split()]
