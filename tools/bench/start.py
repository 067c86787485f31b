"""What people wait for after a start, and what `nimmt run` costs while it stands there.

The cost is its memory after a deal, and the processor while nobody plays.
"""

import subprocess
import threading
import time
from pathlib import Path
from statistics import median
from typing import Final

from companion.values import Value
from hardware.ports import Key, KeyPressed
from tools.bench.figure import Clock, Effort, Figure, at_most, late
from tools.bench.machine import DISK, HOUSE, Measured, fresh_folder, processor_s, resident_mb
from tools.bench.programs import READY_S, Box, bare, environment, in_box, nimmt, ran
from tools.bench.wired import played, wait_for_steps

_VERSION_LIMIT_MS: Final = 150.0
_PICTURE_LIMIT_MS: Final = 700.0


def start(effort: Effort) -> list[Figure]:
    """Each start is a process of its own; files are in the caches of the kernel."""
    with fresh_folder(DISK) as folder:
        # The first start fills the caches.
        bare_s, version_s = (
            [ran(command, folder)[0] for _ in range(effort.starts + 1)][1:]
            for command in (bare("pass"), nimmt("--version"))
        )
        played(folder / "journal.sqlite")
        box_s = _to_picture(folder, effort.starts)
    return [
        *_figures("version", version_s, _VERSION_LIMIT_MS, bare_s),
        *_figures("box", box_s, _PICTURE_LIMIT_MS, bare_s),
    ]


def _figures(name: str, times: list[Measured], limit_ms: float, floor: list[Measured]) -> list[Figure]:
    """What people wait, and beside it the processor time, which a busy machine makes little longer."""
    wall_ms, cpu_ms = [1000 * one.wall_s for one in times], [1000 * one.processor_s for one in times]
    bare_ms, bare_cpu_ms = (median(one.wall_s for one in floor), median(one.processor_s for one in floor))
    return [
        Figure(
            f"start.{name}{suffix}",
            median(took_ms),
            "ms",
            at_most(limit_ms),
            floor=1000 * least_s,
            note=f"p95 {late(took_ms):.0f} ms of {len(took_ms)} starts",
            timed_by=clock,
        )
        for suffix, took_ms, least_s, clock in (
            ("", wall_ms, bare_ms, Clock.WALL),
            ("-processor", cpu_ms, bare_cpu_ms, Clock.PROCESSOR),
        )
    ]


def _to_picture(folder: Path, starts: int) -> list[Measured]:
    """What it takes to the first picture of a box, in the middle of a match."""
    times = []
    for _ in range(starts + 1):
        began_s = time.perf_counter()
        with in_box(folder) as box:
            box.wait_for_picture()
            times.append(Measured(time.perf_counter() - began_s, processor_s(box.pid)))
    return times[1:]


_MEMORY_LIMIT_MB: Final = 60.0
_IDLE_LIMIT_PERCENT: Final = 1.0
_CALM_S: Final = 4.0  # after the last act: notices and takings leave the display
_SLEEPER: Final = (
    "import threading\nprint(flush=True)\nwaits = threading.Event()\nwhile not waits.wait(1.0): pass"
)


class Standing(Value):
    """What a program costs while nobody does anything."""

    memory_mb: float
    idle_percent: float


def standing(effort: Effort) -> list[Figure]:
    """A device with the drivers of a box, on which a deal was played."""
    floor = _asleep(effort.idle_s)
    with fresh_folder(DISK) as folder, in_box(folder) as box:
        _play(box, folder)
        threading.Event().wait(min(_CALM_S, effort.idle_s))
        cost = _measured(box.pid, effort.idle_s)
    return [
        Figure(
            "standing.box-memory",
            cost.memory_mb,
            "MB",
            at_most(_MEMORY_LIMIT_MB),
            floor=floor.memory_mb,
            note="VmRSS after a played deal; the simulated wires count too",
        ),
        Figure(
            "standing.box-idle",
            cost.idle_percent,
            "%",
            at_most(_IDLE_LIMIT_PERCENT),
            floor=floor.idle_percent,
            note=f"of one processor, over {effort.idle_s:g} s while nobody plays",
            timed_by=Clock.PROCESSOR,
        ),
    ]


def _play(box: Box, folder: Path) -> None:
    (folder / "beforehand").mkdir()
    deal, steps = played(folder / "beforehand" / "journal.sqlite")
    box.wait_for_picture()
    threading.Event().wait(READY_S)
    box.give([KeyPressed(Key.OK), *deal])  # past the page that greets
    wait_for_steps(folder / "journal.sqlite", steps)


def _measured(pid: int, idle_s: float) -> Standing:
    before_s, began_s = processor_s(pid), time.monotonic()
    threading.Event().wait(idle_s)
    busy_s, took_s = processor_s(pid) - before_s, time.monotonic() - began_s
    return Standing(resident_mb(pid), 100 * busy_s / took_s)


def _asleep(idle_s: float) -> Standing:
    """A Python that does nothing but wake up as often as the heart of the device beats."""
    with subprocess.Popen(  # noqa: S603 - a bare Python
        bare(_SLEEPER), cwd=HOUSE, env=environment(), stdout=subprocess.PIPE
    ) as process:
        try:
            if process.stdout is not None:
                process.stdout.readline()
            return _measured(process.pid, idle_s)
        finally:
            process.kill()
