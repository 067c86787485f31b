"""How long people wait after a start: for the version, and for the first picture of `nimmt run`."""

from __future__ import annotations

import subprocess
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tools.bench import machine
from tools.bench.box_run import box_run
from tools.bench.evening import played
from tools.bench.figure import Clock, Figure, at_most, middle, slow_end
from tools.bench.proc import processor_s
from tools.bench.programs import bare, environment, nimmt, run_times
from tools.bench.spent import Spent
from tools.bench.terminal_run import terminal_run

if TYPE_CHECKING:
    from pathlib import Path

    from tools.bench.effort import Effort

VERSION_LIMIT_MS: Final = 150.0
PICTURE_LIMIT_MS: Final = 700.0
TRANSLATION_LIMIT_MS: Final = 5.0
TRANSLATION_LIMIT_MB: Final = 2.0
_BARE: Final = "a bare Python: python -c pass"
# What a start in English does only because there are translations; the rest it would import anyway.
_TRANSLATION: Final = """
import argparse, dataclasses, pathlib, re, time
import companion.text
from bench.proc import resident_mb
before_mb, began_s = resident_mb("self"), time.thread_time()
from firmware.translation import Translator
Translator("en")("TURN")
print(1000 * (time.thread_time() - began_s), resident_mb("self") - before_mb)
"""


def measure(effort: Effort) -> list[Figure]:
    """Each start is a process of its own; files are in the caches of the kernel."""
    floor = run_times(bare("pass"), effort.starts)
    version = run_times(nimmt("--version"), effort.starts)
    with machine.fresh_folder(machine.DISK) as folder:
        played(folder / "journal.sqlite")
        laptop = [_laptop(folder) for _ in range(effort.starts + 1)][1:]
        box = [_box(folder) for _ in range(effort.starts + 1)][1:]
    return [
        *_figures(
            "version", "from the start of `nimmt --version` to its end", version, VERSION_LIMIT_MS, floor
        ),
        *_figures(
            "terminal",
            "from the start of `nimmt run` to the first picture in a terminal, in the middle of a match",
            laptop,
            PICTURE_LIMIT_MS,
            floor,
        ),
        *_figures(
            "box",
            "the same with the drivers of a box (gpiozero, luma, pyserial) over simulated wires",
            box,
            PICTURE_LIMIT_MS,
            floor,
        ),
        *_translation(effort.starts),
    ]


def _translation(starts: int) -> list[Figure]:
    """What translation costs a start in English, of which each text is its own translation."""
    runs = []
    for _ in range(starts):
        said = subprocess.run(  # noqa: S603 - our own code
            bare(_TRANSLATION),
            cwd=machine.HOUSE,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        runs.append((float(said[0]), float(said[1])))
    about = "what translation adds to a start in English"
    shortest = f"the least of {starts} starts"
    return [
        Figure(
            name="start.translation",
            about=f"processor time: {about}",
            measured=min(took_ms for took_ms, _ in runs),
            unit="ms",
            limit=at_most(TRANSLATION_LIMIT_MS),
            floor=0.0,
            floor_is="no translation",
            note=shortest,
            timed_by=Clock.PROCESSOR,
        ),
        Figure(
            name="start.translation-memory",
            about=f"resident memory: {about}",
            measured=min(more_mb for _, more_mb in runs),
            unit="MB",
            limit=at_most(TRANSLATION_LIMIT_MB),
            floor=0.0,
            floor_is="no translation",
            note=shortest,
        ),
    ]


def _figures(name: str, about: str, times: list[Spent], limit_ms: float, floor: list[Spent]) -> list[Figure]:
    """What people wait, and beside it the processor time, which a busy machine makes little longer."""
    wall, processor = [one.wall_s for one in times], [one.processor_s for one in times]
    floor_s = middle([one.wall_s for one in floor])
    floor_processor_s = middle([one.processor_s for one in floor])
    about_processor = f"{about}: all processor time in it"
    return [
        replace(_figure(name, about, wall, limit_ms, floor_s), timed_by=Clock.WALL),
        replace(
            _figure(f"{name}-processor", about_processor, processor, limit_ms, floor_processor_s),
            timed_by=Clock.PROCESSOR,
        ),
    ]


def _figure(name: str, about: str, times_s: list[float], limit_ms: float, floor_s: float) -> Figure:
    slow_ms = 1000 * slow_end(times_s)
    return Figure(
        name=f"start.{name}",
        about=about,
        measured=1000 * middle(times_s),
        unit="ms",
        limit=at_most(limit_ms),
        floor=1000 * floor_s,
        floor_is=_BARE,
        note=f"p95 {slow_ms:.0f} ms of {len(times_s)} starts; {about}",
        detail={"p95": slow_ms, "samples": len(times_s)},
    )


def _laptop(folder: Path) -> Spent:
    began_s = time.perf_counter()
    command = nimmt("run", "--journal", str(folder / "journal.sqlite"))
    with terminal_run(command, folder, subprocess.DEVNULL) as run:
        run.wait_for_picture()
        return Spent(time.perf_counter() - began_s, processor_s(run.pid))


def _box(folder: Path) -> Spent:
    began_s = time.perf_counter()
    with box_run(folder) as run:
        run.wait_for_picture()
        return Spent(time.perf_counter() - began_s, processor_s(run.pid))
