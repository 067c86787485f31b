"""What `nimmt run` costs while it stands there: memory after a deal, and the processor while nobody plays."""

from __future__ import annotations

import subprocess
import threading
import time
from pathlib import Path
from typing import Final

from companion.values import Value
from hardware.ports import Key, KeyPressed
from tools.bench.figure import Clock, Effort, Figure, at_most
from tools.bench.machine import DISK, HOUSE, fresh_folder, processor_s, resident_mb
from tools.bench.programs import READY_S, Box, bare, environment, in_box
from tools.bench.wired import played, wait_for_steps

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
    """What a process costs in so many seconds."""
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
