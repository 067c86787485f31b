"""Bursts of ten cards on the whole device over simulated wires, as loop, display and journal saw them.

What they come to is judged by `burst`.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tools.bench import machine
from tools.bench.pins import simulated_pins
from tools.bench.turns import PEOPLE, Turn, orders_after, turns
from tools.bench.wired import PATIENCE_S, Wired, wired

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.play.controller import TableController

GAP_S: Final = 0.02
"""From one card to the next: ten in 200 ms."""

_CALM_S: Final = 0.3  # before a burst: the last tune has ended, disk and threads have gone to sleep
_LOOK_S: Final = 0.01


@dataclass(frozen=True, slots=True)
class Burst:
    """Ten cards that came at once. The times are seconds after the last byte of each, in their order."""

    wire_s: tuple[float, ...]
    """How long the bytes that each card changes on the display are on the wire."""

    queue: int
    """How many waited at once while the loop was busy."""

    ruled_s: tuple[float, ...]
    """When each was in the journal and ruled on; empty where one was lost, like `shown_s`."""

    shown_s: tuple[float, ...]
    """When the last bit of the first picture that shows it was on the display."""

    kept: int = 0
    """How many stand in the journal at the place at which they came."""


def in_place(came: Sequence[object], found: Sequence[object]) -> int:
    """How many cards stand in the journal at the place at which they came."""
    return sum(here == there for here, there in zip(came, found, strict=False))


class _Watch:
    """What the loop tells of itself through its clock and its two doors for onlookers."""

    def __init__(self) -> None:
        self.queue = 0
        self._ruled_s: dict[int, float] = {}  # by the number of the step
        self._shown_s: dict[int, float] = {}
        self._asked = 0
        self._news = threading.Condition()
        self._device: Wired | None = None
        self._eyes: ThreadPoolExecutor | None = None

    def over(self, device: Wired, eyes: ThreadPoolExecutor) -> None:
        """Watch this device; each of the eyes waits for a picture."""
        self._device, self._eyes = device, eyes
        device.runtime.app.turned, device.runtime.app.drawn = self._turned, self._drawn

    def now_s(self) -> float:
        """The clock of the loop: it looks at it after every message, so no step is made between two looks."""
        now_s = time.perf_counter()
        if self._device is not None and self._device.runtime.session.match is not None:
            self._ruled_s.setdefault(self._device.runtime.session.match.steps, now_s)
        return now_s

    def _turned(self, _now_s: float) -> None:
        if self._device is not None:
            self.queue = max(self.queue, self._device.runtime.app.waiting)

    def _drawn(self, controller: TableController) -> None:
        steps = controller.session.match.steps if controller.session.match else 0
        if steps > self._asked and self._device is not None and self._eyes is not None:
            self._asked = steps
            self._eyes.submit(self._see, self._device, steps)

    def _see(self, device: Wired, steps: int) -> None:
        if device.runtime.devices["display"].settle(PATIENCE_S):
            with self._news:
                self._shown_s[steps] = time.perf_counter()
                self._news.notify_all()

    def sees(self, steps: int) -> bool:
        """Wait until a picture with so many steps is on the display; False if it does not come."""
        with self._news:
            return self._news.wait_for(lambda: any(seen >= steps for seen in self._shown_s), PATIENCE_S)

    def ruled_s(self, step: int) -> float:
        """When this step was made."""
        return self._ruled_s[step]

    def shown_s(self, step: int) -> float:
        """When the last bit of the first picture that knows of this step was on the display."""
        with self._news:
            return min(seen_s for steps, seen_s in self._shown_s.items() if steps >= step)


def bursts_of_match(seed: int, most: int) -> list[Burst]:
    """So many bursts of a match, fewer where it is over before; it ends with the first that is not whole."""
    chip, watch = simulated_pins(), _Watch()
    planned = turns(seed, most)
    with (
        wired(machine.DISK, real_time=True, still=False, piezo=True, now_s=watch.now_s) as device,
        ThreadPoolExecutor(PEOPLE) as eyes,
        ThreadPoolExecutor(1) as pool,
    ):
        watch.over(device, eyes)
        chip.written.clear()
        device.runtime.start()
        playing = pool.submit(_play, device, watch, planned)
        playing.add_done_callback(lambda _: device.runtime.app.stop())
        device.runtime.app.run()
        played = playing.result()
        if device.runtime.session.faults or not chip.written:
            raise RuntimeError(f"the device reports faults: {device.runtime.session.faults or 'no sound'}")
        return [
            replace(burst, kept=in_place(turn.orders, orders_after(device.runtime, turn.steps)))
            for turn, burst in zip(planned, played, strict=False)
        ]


def _play(device: Wired, watch: _Watch, planned: list[Turn]) -> list[Burst]:
    """The people at the table: in a thread of their own, as they are."""
    if not device.runtime.devices["scanner"].wait_listening(PATIENCE_S):
        raise TimeoutError("the scanner's port does not open")
    bursts, pause = list[Burst](), threading.Event()
    for turn in planned:
        for action in turn.before:
            device.runtime.app.post(action)
        _wait_for(device, turn)
        pause.wait(_CALM_S)
        watch.queue = 0
        sent_s = list[float]()
        for place, card in enumerate(turn.cards):
            if place:
                pause.wait(max(0.0, sent_s[0] + place * GAP_S - time.perf_counter()))
            sent_s.append(time.perf_counter())
            device.line.scan(card)
        if not watch.sees(turn.steps + PEOPLE):
            return [*bursts, Burst(turn.wire_s, watch.queue, (), ())]
        steps = range(turn.steps + 1, turn.steps + PEOPLE + 1)
        ruled_s = tuple(watch.ruled_s(step) - at_s for step, at_s in zip(steps, sent_s, strict=True))
        shown_s = tuple(watch.shown_s(step) - at_s for step, at_s in zip(steps, sent_s, strict=True))
        bursts.append(Burst(turn.wire_s, watch.queue, ruled_s, shown_s))
    return bursts


def _wait_for(device: Wired, turn: Turn) -> None:
    """Until everything before the turn is done."""
    until_s, again = time.perf_counter() + PATIENCE_S, threading.Event()
    while True:
        match = device.runtime.session.match
        if match is not None and (match.steps, device.runtime.app.controller.front.NAME) == (
            turn.steps,
            turn.page,
        ):
            return
        if time.perf_counter() > until_s:
            raise TimeoutError(
                f"the device shows {device.runtime.app.controller.front.NAME}, not at {turn.page}"
            )
        again.wait(_LOOK_S)
