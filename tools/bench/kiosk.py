"""How long after a key in the attract loop of a kiosk the answer is on the panel, to the last bit."""

from __future__ import annotations

import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from firmware.kiosk.install import install
from firmware.service.run import start_left_alone
from hardware.ports import DeviceRecovered, Key, KeyPressed
from tools.bench import machine
from tools.bench.figure import Clock, Figure, at_most, middle, slow_end
from tools.bench.spent import Stopwatch
from tools.bench.wired import PATIENCE_S, Wired, least_wire_s, wired

if TYPE_CHECKING:
    from tools.bench.effort import Effort

LIMIT_MS: Final = 100.0
"""An exhibit that does not respond within it is pressed again and again."""

_KEYS: Final = (Key.ROW_1, Key.OK, Key.UNDO, Key.TURN_RIGHT)
_GAP_S: Final = 0.02
_AWAY_S: Final = 60.0
"""After so long without input the attract loop is back."""


class _Hours:
    """A clock that can be put on, so that nobody has to wait until a visitor has gone."""

    def __init__(self) -> None:
        self.put_on_s = 0.0

    def now_s(self) -> float:
        """Seconds of a monotonic clock."""
        return time.monotonic() + self.put_on_s


def measure(effort: Effort) -> list[Figure]:
    """The answer to the first key of visitors, one after the other."""
    hours, folder = _Hours(), machine.MEMORY if machine.MEMORY.is_dir() else machine.DISK
    with wired(folder, real_time=True, still=True, now_s=hours.now_s) as device, start_left_alone():
        kiosk = install(device.runtime)
        drawn: queue.SimpleQueue[bool] = queue.SimpleQueue()
        device.runtime.app.drawn = lambda _controller: drawn.put(kiosk.resting)
        device.runtime.start()
        with ThreadPoolExecutor(1) as pool:
            visiting = pool.submit(_visit, device, hours, drawn, effort.cards)
            visiting.add_done_callback(lambda _: device.runtime.app.stop())
            device.runtime.app.run()
        samples = visiting.result()
    times_ms = [1000 * took_s for took_s, _ in samples]
    wire_ms = middle([1000 * wire_s for _, wire_s in samples])
    slow_ms = slow_end(times_ms)
    return [
        Figure(
            name="kiosk.first-key",
            about="from a key in the attract loop to the last bit of the answer on the panel at 400 kHz",
            measured=middle(times_ms),
            unit="ms",
            limit=at_most(LIMIT_MS),
            floor=wire_ms,
            floor_is="the wire for the bytes that had to change",
            note=f"p95 {slow_ms:.1f} ms, {len(samples)} visitors",
            detail={"p95": slow_ms, "samples": len(samples), "wire_floor": wire_ms},
            timed_by=Clock.WALL,
        )
    ]


def _visit(
    device: Wired, hours: _Hours, drawn: queue.SimpleQueue[bool], visitors: int
) -> list[tuple[float, float]]:
    """Seconds that the answer took, and seconds on the wire, for each visitor."""
    display, samples, pause = device.runtime.devices["display"], [], threading.Event()
    for number in range(visitors):
        hours.put_on_s += _AWAY_S
        device.runtime.app.post(DeviceRecovered("nobody"))
        while not drawn.get(timeout=PATIENCE_S):
            device.runtime.app.post(DeviceRecovered("nobody"))
        display.settle(PATIENCE_S)
        pause.wait(_GAP_S)
        before = device.panel.held()
        while not drawn.empty():
            drawn.get_nowait()
        watch = Stopwatch()
        device.runtime.app.post(KeyPressed(_KEYS[number % len(_KEYS)]))
        while drawn.get(timeout=PATIENCE_S):
            pass
        if not display.settle(PATIENCE_S):
            raise TimeoutError("the picture does not reach the panel")
        samples.append((watch.spent().wall_s, least_wire_s(before, device.panel.held())))
    return samples
