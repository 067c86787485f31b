"""What the program itself does for a card, beside a fixed piece of plain Python of the same run.

Rules, journal, page and comparison of the two pictures, one after the other in one thread; no wire and no
simulated device is in it. The same match is played again and again, and of each card the shortest time
counts: so the figure means the same on a busy machine and on a quiet one, on a fast one and on a slow one.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Final

from firmware.service.run import start_left_alone
from hardware.panel.partial_update import ADDRESSING, changed, pack
from hardware.ports import Scanned
from tools.bench import machine
from tools.bench.figure import Figure, at_most
from tools.bench.wired import players, wired

if TYPE_CHECKING:
    from tools.bench.effort import Effort

BEFORE: Final = 18.7
"""The same figure before a card was made less work: 18.3 to 19.7."""

LIMIT: Final = 14.0
"""Three quarters of that. It takes 13.1 to 13.6."""

_SEED: Final = 7
_TIMES: Final = 12
_SECONDS_BETWEEN_ACTS: Final = 3
_DOCUMENT: Final[dict[str, Any]] = {
    "rows": [[seat * 10 + place for place in range(5)] for seat in range(4)],
    "taken": [list(range(seat, 104, 4)) for seat in range(4)],
    "shown": [{"card": card, "seat": card % 4, "rule": "lowest-card"} for card in range(12)],
}


def measure(effort: Effort) -> list[Figure]:
    """One figure: the work for a card as a multiple of writing and reading a table as JSON."""
    cards, times = min(effort.cards, 60), min(effort.starts, _TIMES)
    runs, json_s = list[list[float]](), list[float]()
    for _ in range(times):
        runs.append(work_s(cards))
        json_s += [_json_s() for _ in range(cards)]
    card_s = sum(map(min, zip(*runs, strict=True))) / cards
    # Of so many times, as many count as of the cards: the shortest of each dozen.
    floor_s = sum(sorted(json_s)[:cards]) / cards
    return [
        Figure(
            name="card-work.to-json",
            about="processor time of the program for a card, as a multiple of a table as JSON and back",
            measured=card_s / floor_s,
            unit="x",
            limit=at_most(LIMIT),
            floor=1.0,
            floor_is="one such table written and read",
            note=f"{1000 * card_s:.3f} ms a card, {1000 * floor_s:.3f} ms for JSON, shortest of {times}",
            detail={"card_ms": 1000 * card_s, "json_ms": 1000 * floor_s, "before": BEFORE},
        )
    ]


def work_s(cards: int) -> list[float]:
    """How long each of the first cards of one match takes that are neither first nor last of a turn."""
    taken = list[float]()
    place = machine.MEMORY if machine.MEMORY.is_dir() else machine.DISK
    with wired(place, real_time=False, still=False) as device, start_left_alone():
        app, people, now_s = device.runtime.app, players(_SEED), 0.0
        shown = pack(app.picture())
        while len(taken) < cards and (action := people.next(app.controller)) is not None:
            now_s += _SECONDS_BETWEEN_ACTS
            page = app.controller.front.NAME
            began_s = time.thread_time()
            app.controller.hear(action, now_s)
            pages = pack(app.picture())
            changed(shown, pages, 128, ADDRESSING["ssd1306"])
            took_s = time.thread_time() - began_s
            shown = pages
            if isinstance(action, Scanned) and page == app.controller.front.NAME == "collecting":
                taken.append(took_s)
    return taken


def _json_s() -> float:
    began_s = time.thread_time()
    json.loads(json.dumps(_DOCUMENT))
    return time.thread_time() - began_s
