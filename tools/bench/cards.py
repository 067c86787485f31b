"""What a card costs: from its last byte to the last bit of its picture on the wire, and the program's part.

`scan_to_picture` lets people play on the whole device. `card_work` does rules, journal, page and comparison
of the two pictures one after the other in one thread, beside a fixed piece of plain Python of the same run.
No wire and no simulated device is in it. The same match is played again and again, and of each card the
shortest time counts: so it means the same on a busy machine and on a quiet one, on a fast one and a slow one.
"""

import json
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, Final

from PIL.Image import Image

from companion.values import Value
from firmware.play.controller import TableController
from firmware.scripted.players import Players
from firmware.service.run import start_left_alone
from hardware.panel.partial_update import ADDRESSING, changed, pack
from hardware.ports import Scanned
from hardware.simulation.buses import i2c_write
from tools.bench import machine
from tools.bench.figure import Clock, Effort, Figure, at_most, late
from tools.bench.machine import BUS_HZ, DISK, MEMORY, Measured
from tools.bench.wired import PATIENCE_S, WiredDevice, players, wired

_LIMIT_MS: Final = 6.0
_WORK_LIMIT: Final = 14.0
_FIRST_SEED: Final = 6
_GAP_S: Final = 0.02  # so that a thread that waits has really gone to sleep, as at a table
_WORK_TIMES: Final = 12
_SECONDS_BETWEEN_ACTS: Final = 3
_PAYLOAD_BYTES: Final = 2  # address and control byte: no write has less
_DOCUMENT: Final[dict[str, Any]] = {
    "rows": [[seat * 10 + place for place in range(5)] for seat in range(4)],
    "taken": [list(range(seat, 104, 4)) for seat in range(4)],
    "shown": [{"card": card, "seat": card % 4, "rule": "lowest-card"} for card in range(12)],
}


class Sample(Value):
    """One more card of a turn."""

    took: Measured
    wire_s: float
    """How long the bytes in which the two pictures differ are on the wire; no program needs less."""


def scan_to_picture(effort: Effort) -> list[Figure]:
    """The way of a card to the display, with its sync: a disk that takes 20 ms is no fault of the program."""
    sync_ms = 1000 * median(machine.sync_times_s(effort.cards, _GAP_S))
    samples = list[Sample]()
    for seed in count(_FIRST_SEED):
        missing = effort.cards - len(samples)
        if not missing:
            break
        samples += cards_of_match(DISK, seed, missing, real_time=True)
    times_ms = [1000 * sample.took.wall_s for sample in samples]
    return [
        Figure(
            "scan-to-picture.card",
            median(times_ms),
            "ms",
            at_most(_LIMIT_MS + sync_ms),
            floor=median([1000 * sample.wire_s for sample in samples]) + sync_ms,
            note=f"p95 {late(times_ms):.1f} ms, {len(samples)} cards; one more card of a turn accepted",
            timed_by=Clock.WALL,
        )
    ]


def cards_of_match(
    folder: Path,
    seed: int,
    cards: int,
    *,
    real_time: bool,
    still: bool = False,
    gap_s: float = _GAP_S,
    beside: Callable[[WiredDevice], AbstractContextManager[object]] = nullcontext,
) -> list[Sample]:
    """The cards of a match that were accepted while its page stayed, fewer where it is over before.

    They come `gap_s` apart; `beside` is there all the time.
    """
    with (
        wired(folder, real_time=real_time, still=still) as device,
        start_left_alone(),
        beside(device),
    ):
        heard: queue.SimpleQueue[int] = queue.SimpleQueue()
        # The loop says after each message that its picture is drawn; the panel's thread has it then.
        device.runtime.app.drawn = lambda controller: heard.put(_steps(controller))
        device.runtime.start()
        with ThreadPoolExecutor(1) as pool:
            playing = pool.submit(_play, device, players(seed), heard, cards, gap_s)
            playing.add_done_callback(lambda _: device.runtime.app.stop())
            device.runtime.app.run()
        return playing.result()


def _play(
    device: WiredDevice, people: Players, heard: queue.SimpleQueue[int], cards: int, gap_s: float
) -> list[Sample]:
    """The people at the table: in a thread of their own, as they are."""
    if not device.runtime.devices["scanner"].wait_listening(PATIENCE_S):
        raise TimeoutError("the scanner's port does not open")
    heard.get(timeout=PATIENCE_S)
    controller, display = device.runtime.app.controller, device.runtime.devices["display"]
    samples, pause = list[Sample](), threading.Event()
    while len(samples) < cards and (action := people.next(controller)) is not None:
        display.settle(PATIENCE_S)
        pause.wait(gap_s)
        page, steps, before = controller.front.NAME, _steps(controller), device.panel.held()
        while not heard.empty():
            heard.get_nowait()
        if not isinstance(action, Scanned):
            device.runtime.app.post(action)
            heard.get(timeout=PATIENCE_S)
            continue
        began_s, worked_s = time.perf_counter(), time.process_time()
        device.line.scan(action.text)
        # A beat of the heart may be drawn in between; a card counts when its step is made.
        while heard.get(timeout=PATIENCE_S) == steps and page == "collecting":
            pass
        if not display.settle(PATIENCE_S):
            raise TimeoutError("the picture does not reach the panel")
        took = Measured(time.perf_counter() - began_s, time.process_time() - worked_s)
        if page == controller.front.NAME == "collecting":
            samples.append(Sample(took, _least_wire_s(before, device.panel.held())))
    return samples


def _steps(controller: TableController) -> int:
    return controller.session.match.steps if controller.session.match else 0


def _least_wire_s(before: Image, after: Image) -> float:
    pairs = zip(pack(before), pack(after), strict=True)
    return i2c_write(_PAYLOAD_BYTES + sum(old != new for old, new in pairs)).wire_s(BUS_HZ)


def card_work(effort: Effort) -> list[Figure]:
    """One figure: the work for a card as a multiple of writing and reading a table as JSON."""
    cards, times = min(effort.cards, 60), min(effort.starts, _WORK_TIMES)
    runs, json_s = list[list[float]](), list[float]()
    for _ in range(times):
        runs.append(_work_s(cards))
        json_s += [_json_s() for _ in range(cards)]
    card_s = sum(map(min, zip(*runs, strict=True))) / cards
    # Of so many times, as many count as of the cards: the shortest of each dozen.
    floor_s = sum(sorted(json_s)[:cards]) / cards
    note = f"{1000 * card_s:.3f} ms a card, {1000 * floor_s:.3f} ms for JSON, shortest of {times}"
    return [Figure("card-work.to-json", card_s / floor_s, "x", at_most(_WORK_LIMIT), floor=1.0, note=note)]


def _work_s(cards: int) -> list[float]:
    """How long each of the first cards of one match takes that are neither first nor last of a turn."""
    taken = list[float]()
    with wired(MEMORY, real_time=False, still=False) as device, start_left_alone():
        app, people, now_s = device.runtime.app, players(7), 0.0
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
