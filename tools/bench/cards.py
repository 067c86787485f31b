"""What a card costs: from its last byte to the last bit of its picture on the wire, and the program's part.

`burst` has ten cards come in a fifth of a second, while panel, buzzer and disk are busy: none is lost, none
overtakes another.

`scan_to_picture` lets people play on the whole device. `card_work` does rules, journal, page and comparison
of the two pictures one after the other in one thread, beside a fixed piece of plain Python of the same run.
No wire and no simulated device is in it. The same match is played again and again, and of each card the
shortest time counts: so it means the same on a busy machine and on a quiet one, on a fast one and a slow one.
"""

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, Final

from PIL.Image import Image

from companion.values import Value
from firmware.play.runtime import Runtime
from firmware.scripted.players import Act, Players
from firmware.service.run import start_left_alone
from hardware.panel.partial_update import ADDRESSING, changed, pack
from hardware.ports import Scanned
from tools.bench import machine
from tools.bench.figure import Clock, Effort, Figure, at_most, exactly, late
from tools.bench.machine import DISK, MEMORY, Measured, Stopwatch, fresh_folder, simulated_pins
from tools.bench.wired import PATIENCE_S, WiredDevice, least_wire_s, players, wired, without_devices

_LIMIT_MS: Final = 6.0
_PROCESSOR_LIMIT_MS: Final = 3.0
_WORK_LIMIT: Final = 14.0
_FIRST_SEED: Final = 6
_GAP_S: Final = 0.02  # so that a thread that waits has really gone to sleep, as at a table
_WORK_TIMES: Final = 12
_SECONDS_BETWEEN_ACTS: Final = 3
_DOCUMENT: Final[dict[str, Any]] = {
    "rows": [[seat * 10 + place for place in range(5)] for seat in range(4)],
    "taken": [list(range(seat, 104, 4)) for seat in range(4)],
    "shown": [{"card": card, "seat": card % 4, "rule": "lowest-card"} for card in range(12)],
}


class Sample(Value):
    """One more card of a turn: the pictures before and after it, and the time between."""

    before: Image
    after: Image
    took: Measured

    @property
    def wire_s(self) -> float:
        """How long the bytes that had to change are on the wire."""
        return least_wire_s(self.before, self.after)


def scan_to_picture(effort: Effort) -> list[Figure]:
    """The way of a card to the display without and with a disk, and what it costs the processor."""
    figures = []
    if MEMORY != DISK:
        cards = _cards(MEMORY, effort.cards)
        figures.append(_figure("card", "one more card accepted, journal in memory", cards, 0.0))
        figures.append(_processor(_cards(MEMORY, effort.cards, real_time=False)))
    # A disk takes what it takes: a card with 20 ms a sync is no fault of the program.
    sync_ms = 1000 * median(machine.sync_times_s(effort.cards, _GAP_S))
    cards = _cards(DISK, effort.cards)
    figures.append(_figure("card-on-disk", "the same, journal on the disk", cards, sync_ms))
    return figures


def _figure(name: str, about: str, samples: list[Sample], sync_ms: float) -> Figure:
    times_ms = [1000 * sample.took.wall_s for sample in samples]
    wire_ms = median([1000 * sample.wire_s for sample in samples])
    return Figure(
        f"scan-to-picture.{name}",
        median(times_ms),
        "ms",
        at_most(_LIMIT_MS + sync_ms),
        floor=wire_ms + sync_ms,
        note=f"p95 {late(times_ms):.1f} ms, {len(samples)} cards; {about}",
        timed_by=Clock.WALL,
    )


def _processor(samples: list[Sample]) -> Figure:
    """What a card costs the processor. On a Raspberry Pi that is most of the time that people wait."""
    times_ms = [1000 * sample.took.processor_s for sample in samples]
    return Figure(
        "scan-to-picture.card-processor",
        median(times_ms),
        "ms",
        at_most(_PROCESSOR_LIMIT_MS),
        floor=median([1000 * _pack_s(sample) for sample in samples]),
        note=f"p95 {late(times_ms):.1f} ms, {len(samples)} cards; simulated bus and panel too",
        timed_by=Clock.PROCESSOR,
    )


def _pack_s(sample: Sample) -> float:
    watch = Stopwatch()
    changed(pack(sample.before), pack(sample.after), sample.after.width, ADDRESSING["ssd1306"])
    return watch.spent().processor_s


def _cards(folder: Path, cards: int, *, real_time: bool = True) -> list[Sample]:
    """Let scripted players play matches until so many cards were accepted, and look at the clock."""
    samples, seed = list[Sample](), _FIRST_SEED
    while (missing := cards - len(samples)) > 0:
        samples += cards_of_match(folder, seed, missing, real_time=real_time)
        seed += 1
    return samples


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
        device.runtime.app.drawn = lambda controller: heard.put(
            controller.session.match.steps if controller.session.match else 0
        )
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
        page, steps, before = controller.front.NAME, _steps(device), device.panel.held()
        while not heard.empty():
            heard.get_nowait()
        if not isinstance(action, Scanned):
            device.runtime.app.post(action)
            heard.get(timeout=PATIENCE_S)
            continue
        watch = Stopwatch()
        device.line.scan(action.text)
        # A beat of the heart may be drawn in between; a card counts when its step is made.
        while heard.get(timeout=PATIENCE_S) == steps and page == "collecting":
            pass
        if not display.settle(PATIENCE_S):
            raise TimeoutError("the picture does not reach the panel")
        took = watch.spent()
        if page == controller.front.NAME == "collecting":
            samples.append(Sample(before, device.panel.held(), took))
    return samples


def _steps(device: WiredDevice) -> int:
    match = device.runtime.session.match
    return match.steps if match else 0


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
    return [
        Figure(
            "card-work.to-json",
            card_s / floor_s,
            "x",
            at_most(_WORK_LIMIT),
            floor=1.0,
            note=f"{1000 * card_s:.3f} ms a card, {1000 * floor_s:.3f} ms for JSON, shortest of {times}",
        )
    ]


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


_PEOPLE: Final = 10
_BURST_GAP_S: Final = 0.02
_FIRST_BURST_SEED: Final = 6
_BETWEEN: Final = ("home", "collecting")  # the pages that wait for a card of the turn
_CALM_S: Final = 0.3  # before a burst: the last tune has ended, disk and threads have gone to sleep
_LOOK_S: Final = 0.01


class PlayedTurn(Value):
    """The ten cards of a turn, and all that people do before the first of them."""

    before: tuple[Act, ...]
    steps: int
    """So many steps the match has when the first card comes, and `page` is in front."""

    page: str
    cards: tuple[str, ...]
    orders: tuple[object, ...]
    """What stands in the journal of each card."""


def burst(effort: Effort) -> list[Figure]:
    """How many cards of a burst are in the journal at the place at which they came."""
    kept, seed = list[int](), _FIRST_BURST_SEED
    while len(kept) < effort.bursts and all(one == _PEOPLE for one in kept):
        kept += _kept_in_match(seed, effort.bursts - len(kept))
        seed += 1
    about = "ten cards 20 ms apart, while panel, buzzer and disk are busy with those before"
    whole = sum(one == _PEOPLE for one in kept)
    return [
        Figure(
            "burst.in-order",
            min(kept),
            "cards",
            exactly(_PEOPLE),
            floor=_PEOPLE,
            note=f"the worst of {len(kept)} bursts; {whole} whole and in order; {about}",
            detail={"bursts": len(kept), "whole": whole},
        )
    ]


def in_place(came: Sequence[object], found: Sequence[object]) -> int:
    """How many cards stand in the journal at the place at which they came."""
    return sum(here == there for here, there in zip(came, found, strict=False))


# ------------------------------------------------------------------------- turns, worked out beforehand


def _turns(seed: int, most: int) -> list[PlayedTurn]:
    """The first turns of a match; fewer where it is over before."""
    with fresh_folder(DISK) as folder, without_devices(folder / "journal.sqlite") as runtime:
        return list(islice(_played(runtime, seed), most))


def _played(runtime: Runtime, seed: int) -> Iterator[PlayedTurn]:
    controller, people = runtime.app.controller, players(seed, _PEOPLE)
    before: list[Act] = []
    cards: list[str] = []
    page, steps = "", 0
    while (action := people.next(controller)) is not None:
        if not isinstance(action, Scanned) or controller.front.NAME not in _BETWEEN:
            before.append(action)
            controller.hear(action, 0.0)
            continue
        if not cards:
            page, steps = controller.front.NAME, controller.session.playing.steps
        controller.hear(action, 0.0)
        cards.append(action.text)
        if len(cards) == _PEOPLE:
            yield PlayedTurn(tuple(before), steps, page, tuple(cards), _orders_after(runtime, steps))
            before, cards = [], []


def _orders_after(runtime: Runtime, steps: int) -> tuple[object, ...]:
    """What was ordered in the ten steps after so many of the match in play, as the journal has it."""
    if runtime.session.match_id is None:
        raise RuntimeError("no match is in play")
    records: list[dict[str, Any]] = list(runtime.journal.reader.steps(runtime.session.match_id))
    return tuple(record.get("do") for record in records[steps : steps + _PEOPLE])


# --------------------------------------------------------------------------------- on the whole device


def _kept_in_match(seed: int, most: int) -> list[int]:
    """Of so many bursts of a match how many cards were kept; fewer where it is over before."""
    planned, chip = _turns(seed, most), simulated_pins()
    with (
        wired(DISK, real_time=True, still=False, piezo=True) as device,
        ThreadPoolExecutor(1) as pool,
    ):
        chip.written.clear()
        device.runtime.start()
        playing = pool.submit(_play_bursts, device, planned)
        playing.add_done_callback(lambda _: device.runtime.app.stop())
        device.runtime.app.run()
        played = playing.result()
        if device.runtime.session.faults or not chip.written:
            raise RuntimeError(f"the device reports faults: {device.runtime.session.faults or 'no sound'}")
        return [in_place(turn.orders, _orders_after(device.runtime, turn.steps)) for turn in planned[:played]]


def _play_bursts(device: WiredDevice, planned: list[PlayedTurn]) -> int:
    """The people at the table, in a thread of their own; gives how many turns they played.

    The turn in which a card is lost is the last one.
    """
    if not device.runtime.devices["scanner"].wait_listening(PATIENCE_S):
        raise TimeoutError("the scanner's port does not open")
    app, pause = device.runtime.app, threading.Event()

    def steps() -> int:
        match = device.runtime.session.match
        return match.steps if match else 0

    for number, turn in enumerate(planned, start=1):
        for action in turn.before:
            app.post(action)
        here = (turn.steps, turn.page)
        if not _comes(lambda: (steps(), app.controller.front.NAME) == here):  # noqa: B023 - called at once
            raise TimeoutError(f"the device shows {app.controller.front.NAME}, not at {turn.page}")
        pause.wait(_CALM_S)
        began_s = time.perf_counter()
        for place, card in enumerate(turn.cards):
            pause.wait(max(0.0, began_s + place * _BURST_GAP_S - time.perf_counter()))
            device.line.scan(card)
        if not _comes(lambda: steps() >= turn.steps + _PEOPLE):  # noqa: B023 - called at once
            return number
    return len(planned)


def _comes(there: Callable[[], bool]) -> bool:
    """Wait until something is so; whether it came."""
    until_s, again = time.perf_counter() + PATIENCE_S, threading.Event()
    while not there():
        if time.perf_counter() > until_s:
            return False
        again.wait(_LOOK_S)
    return True
