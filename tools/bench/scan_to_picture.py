"""How long after a card's last byte its picture is on the panel, to the last bit on the wire."""

from __future__ import annotations

import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from firmware.service.run import start_left_alone
from hardware.panel.partial_update import ADDRESSING, changed, pack
from hardware.ports import Scanned
from tools.bench import disk, machine
from tools.bench.figure import Clock, Figure, Limit, at_most, middle, slow_end
from tools.bench.spent import Spent, Stopwatch
from tools.bench.stock_luma import stock_luma
from tools.bench.wired import BUS_HZ, PATIENCE_S, Wired, least_wire_s, players, wired

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from PIL.Image import Image

    from firmware.scripted.players import Players
    from tools.bench.effort import Effort

LIMIT_MS: Final = 6.0
PROCESSOR_LIMIT_MS: Final = 3.0
_FIRST_SEED: Final = 6
_GAP_S: Final = 0.02  # so that a thread that waits has really gone to sleep, as at a table


@dataclass(frozen=True, slots=True)
class Sample:
    """One card: the pages in front before and after, both pictures, and the time between."""

    pages: tuple[str, str]
    before: Image
    after: Image
    took: Spent

    @property
    def wire_s(self) -> float:
        """How long the bytes that had to change are on the wire."""
        return least_wire_s(self.before, self.after)


def measure(effort: Effort) -> list[Figure]:
    """The way of a card to the display, with and without a disk, and luma's own way to show the same."""
    figures = []
    if machine.MEMORY.is_dir():
        cards = cards_of(_samples(machine.MEMORY, effort.cards))
        figures.append(_figure("card", "one more card accepted, journal in memory", cards, at_most(LIMIT_MS)))
        figures.append(_processor(cards_of(_samples(machine.MEMORY, effort.cards, real_time=False))))
    sync_s = middle(disk.sync_times_s(machine.DISK, disk.STEP_BYTES, effort.cards, _GAP_S))
    samples = _samples(machine.DISK, effort.cards)
    # A disk takes what it takes: a card with 20 ms a sync is no fault of the program.
    on_disk = at_most(LIMIT_MS + 1000 * sync_s)
    figures.append(
        _figure("card-on-disk", "the same, journal on the disk", cards_of(samples), on_disk, sync_s=sync_s)
    )
    turns = [sample for sample in samples if sample.pages == ("collecting", "ruling")]
    if turns:
        about = "the last card of a turn: a new page, journal on the disk"
        figures.append(_figure("turn", about, turns, None, sync_s=sync_s))
    figures.append(_stock(cards_of(samples)))
    return figures


def cards_of(samples: list[Sample]) -> list[Sample]:
    """The samples in which one more card was accepted, and the page stayed."""
    return [sample for sample in samples if sample.pages == ("collecting", "collecting")]


def _figure(
    name: str, about: str, samples: list[Sample], limit: Limit | None, *, sync_s: float = 0.0
) -> Figure:
    times_ms = [1000 * sample.took.wall_s for sample in samples]
    wire_ms = middle([1000 * sample.wire_s for sample in samples])
    slow_ms = slow_end(times_ms)
    synced = f", and one sync of {1000 * sync_s:.2f} ms" if sync_s else ""
    return Figure(
        name=f"scan-to-picture.{name}",
        about=f"from the last byte of a scan to the last bit of its picture at 400 kHz: {about}",
        measured=middle(times_ms),
        unit="ms",
        limit=limit,
        floor=wire_ms + 1000 * sync_s,
        floor_is=f"the wire for the bytes that had to change{synced}",
        note=f"p95 {slow_ms:.1f} ms, {len(samples)} cards; {about}",
        detail={"p95": slow_ms, "samples": len(samples), "wire_floor": wire_ms, "sync_floor": 1000 * sync_s},
        timed_by=Clock.WALL,
    )


def _processor(samples: list[Sample]) -> Figure:
    """What a card costs the processor. On a Raspberry Pi that is most of the time that people wait."""
    times_ms = [1000 * sample.took.processor_s for sample in samples]
    pack_ms = [1000 * _pack_s(sample) for sample in samples]
    slow_ms = slow_end(times_ms)
    return Figure(
        name="scan-to-picture.card-processor",
        about="processor time of one more card that is accepted, on a bus that holds nobody up",
        measured=middle(times_ms),
        unit="ms",
        limit=at_most(PROCESSOR_LIMIT_MS),
        floor=middle(pack_ms),
        floor_is="comparing the two pictures and nothing else",
        note=f"p95 {slow_ms:.1f} ms, {len(samples)} cards; all threads, the simulated bus and panel too",
        detail={"p95": slow_ms, "samples": len(samples)},
        timed_by=Clock.PROCESSOR,
    )


def _pack_s(sample: Sample) -> float:
    watch = Stopwatch()
    changed(pack(sample.before), pack(sample.after), sample.after.width, ADDRESSING["ssd1306"])
    return watch.spent().processor_s


# ------------------------------------------------------------------------------------------ the product's way


def _samples(folder: Path, cards: int, *, real_time: bool = True) -> list[Sample]:
    """Let scripted players play matches until so many cards were accepted, and look at the clock."""
    samples, seed = list[Sample](), _FIRST_SEED
    while (missing := cards - len(cards_of(samples))) > 0:
        samples += samples_of_match(folder, seed, missing, real_time=real_time)
        seed += 1
    return samples


def samples_of_match(
    folder: Path,
    seed: int,
    cards: int,
    *,
    real_time: bool,
    still: bool = False,
    gap_s: float = _GAP_S,
    beside: Callable[[Wired], AbstractContextManager[object]] = nullcontext,
) -> list[Sample]:
    """One match, broken off after so many cards, `gap_s` apart; `beside` is there all the time."""
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
    device: Wired, people: Players, heard: queue.SimpleQueue[int], cards: int, gap_s: float
) -> list[Sample]:
    """The people at the table: in a thread of their own, as they are."""
    if not device.runtime.devices["scanner"].wait_listening(PATIENCE_S):
        raise TimeoutError("the scanner's port does not open")
    heard.get(timeout=PATIENCE_S)
    controller, display = device.runtime.app.controller, device.runtime.devices["display"]
    samples, pause = list[Sample](), threading.Event()
    while len(cards_of(samples)) < cards and (action := people.next(controller)) is not None:
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
        samples.append(Sample((page, controller.front.NAME), before, device.panel.held(), took))
    return samples


def _steps(device: Wired) -> int:
    match = device.runtime.session.match
    return match.steps if match else 0


# ----------------------------------------------------------------------------------------------- luma's way


def _stock(samples: list[Sample]) -> Figure:
    """The same pictures by luma's own `display()`, which sends every frame whole."""
    times_ms = []
    with stock_luma(real_time=True) as (bus, display):
        before = bus.traffic
        for sample in samples:
            began_s = time.perf_counter()
            display(sample.after)
            times_ms.append(1000 * (time.perf_counter() - began_s))
        wire_ms = 1000 * (bus.traffic - before).wire_s(BUS_HZ) / len(samples)
    slow_ms = slow_end(times_ms)
    return Figure(
        name="scan-to-picture.stock-luma",
        about="for comparison: luma's display() alone, for the same pictures on the same bus",
        measured=middle(times_ms),
        unit="ms",
        floor=wire_ms,
        floor_is="the wire for a full frame",
        note=f"p95 {slow_ms:.1f} ms; display() of the same pictures, without scanner, rules and journal",
        detail={"p95": slow_ms, "samples": len(times_ms)},
    )
