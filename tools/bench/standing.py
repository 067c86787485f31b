"""What `nimmt run` costs while it stands there: memory after a deal, and the processor while nobody plays."""

from __future__ import annotations

import subprocess
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from hardware.ports import Key, KeyPressed
from tools.bench import machine
from tools.bench.box_run import box_run
from tools.bench.evening import Action, Deal, a_deal, steps_in
from tools.bench.figure import Clock, Figure, at_most
from tools.bench.proc import processor_s, resident_mb
from tools.bench.programs import PATIENCE_S, bare, environment, nimmt
from tools.bench.terminal_run import terminal_run

if TYPE_CHECKING:
    from pathlib import Path

    from tools.bench.effort import Effort

MEMORY_LIMIT_MB: Final = 60.0
IDLE_LIMIT_PERCENT: Final = 1.0
_READY_S: Final = 1.0  # the scanner's driver throws away what comes in its first twentieth of a second
_LOOK_S: Final = 0.05
_CALM_S: Final = 4.0  # after the last act: notices and takings leave the display
_SLEEPER: Final = (
    "import threading\nprint(flush=True)\nwaits = threading.Event()\nwhile not waits.wait(1.0): pass"
)


class Running(Protocol):
    """A device that runs in a process of its own."""

    @property
    def pid(self) -> int:
        """The process."""

    def give(self, action: Action) -> None:
        """Let people do something."""

    def watch(self, for_s: float) -> None:
        """Let time pass."""

    def wait_for_picture(self) -> None:
        """Wait for the first picture."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a program costs while nobody does anything."""

    memory_mb: float
    idle_percent: float


def measure(effort: Effort) -> list[Figure]:
    """A device in a terminal and one with the drivers of a box; each plays a deal first."""
    deal = a_deal()
    floor = _asleep(effort.idle_s)
    with machine.fresh_folder(machine.DISK) as folder:
        command = nimmt("run", "--journal", str(folder / "journal.sqlite"))
        with terminal_run(command, folder, subprocess.DEVNULL) as run:
            terminal = _standing(run, folder, deal, effort.idle_s)
    with machine.fresh_folder(machine.DISK) as folder, box_run(folder) as run_in_box:
        box = _standing(run_in_box, folder, deal, effort.idle_s)
    return [
        *_figures("terminal", "`nimmt run` in a terminal", terminal, floor, effort.idle_s),
        *_figures(
            "box", "the drivers of a box over simulated wires, which count too", box, floor, effort.idle_s
        ),
    ]


def _figures(name: str, about: str, cost: Standing, floor: Standing, idle_s: float) -> list[Figure]:
    return [
        Figure(
            name=f"standing.{name}-memory",
            about=f"resident memory after a played deal: {about}",
            measured=cost.memory_mb,
            unit="MB",
            limit=at_most(MEMORY_LIMIT_MB),
            floor=floor.memory_mb,
            floor_is="a bare Python that waits",
            note=f"VmRSS after a played deal; {about}",
        ),
        Figure(
            name=f"standing.{name}-idle",
            about=f"share of one processor while nobody plays: {about}",
            measured=cost.idle_percent,
            unit="%",
            limit=at_most(IDLE_LIMIT_PERCENT),
            floor=floor.idle_percent,
            floor_is="a bare Python that wakes once a second",
            note=f"of one processor, over {idle_s:g} s; {about}",
            timed_by=Clock.PROCESSOR,
        ),
    ]


def _standing(run: Running, folder: Path, deal: Deal, idle_s: float) -> Standing:
    run.wait_for_picture()
    run.watch(_READY_S)
    run.give(KeyPressed(Key.OK))  # past the page that greets
    for action in deal.actions:
        run.give(action)
    until_s = time.monotonic() + PATIENCE_S
    while steps_in(folder / "journal.sqlite") < deal.steps:
        if time.monotonic() > until_s:
            raise TimeoutError("the deal does not end")
        run.watch(_LOOK_S)
    run.watch(min(_CALM_S, idle_s))
    before_s, began_s = processor_s(run.pid), time.monotonic()
    run.watch(idle_s)
    busy_s, took_s = processor_s(run.pid) - before_s, time.monotonic() - began_s
    return Standing(resident_mb(run.pid), 100 * busy_s / took_s)


def _asleep(idle_s: float) -> Standing:
    """A Python that does nothing but wake up as often as the heart of the device beats."""
    with subprocess.Popen(  # noqa: S603 - a bare Python
        bare(_SLEEPER), cwd=machine.HOUSE, env=environment(), stdout=subprocess.PIPE
    ) as process:
        try:
            if process.stdout is not None:
                process.stdout.readline()
            before_s, began_s = processor_s(process.pid), time.monotonic()
            threading.Event().wait(idle_s)
            busy_s, took_s = processor_s(process.pid) - before_s, time.monotonic() - began_s
            return Standing(resident_mb(process.pid), 100 * busy_s / took_s)
        finally:
            process.kill()
