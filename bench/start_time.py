"""How long people wait after a start: for the version, and for the first picture of `nimmt run`."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING, Final

from bench import machine
from bench.box_run import box_run
from bench.evening import played
from bench.figure import Figure, at_most, middle, slow_end
from bench.programs import bare, nimmt, run_times_s
from bench.terminal_run import terminal_run

if TYPE_CHECKING:
    from pathlib import Path

    from bench.effort import Effort

VERSION_LIMIT_MS: Final = 150.0
PICTURE_LIMIT_MS: Final = 700.0
_BARE: Final = "a bare Python: python -c pass"


def measure(effort: Effort) -> list[Figure]:
    """Each start is a process of its own; files are in the caches of the kernel."""
    bare_ms = 1000 * middle(run_times_s(bare("pass"), effort.starts))
    version_ms = [1000 * each for each in run_times_s(nimmt("--version"), effort.starts)]
    with machine.fresh_folder(machine.DISK) as folder:
        played(folder / "journal.sqlite")
        laptop_ms = [1000 * _laptop_s(folder) for _ in range(effort.starts + 1)][1:]
        box_ms = [1000 * _box_s(folder) for _ in range(effort.starts + 1)][1:]
    return [
        _figure(
            "version", "from the start of `nimmt --version` to its end", version_ms, VERSION_LIMIT_MS, bare_ms
        ),
        _figure(
            "terminal",
            "from the start of `nimmt run` to the first picture in a terminal, in the middle of a match",
            laptop_ms,
            PICTURE_LIMIT_MS,
            bare_ms,
        ),
        _figure(
            "box",
            "the same with the drivers of a box (gpiozero, luma, pyserial) over simulated wires",
            box_ms,
            PICTURE_LIMIT_MS,
            bare_ms,
        ),
    ]


def _figure(name: str, about: str, times_ms: list[float], limit_ms: float, bare_ms: float) -> Figure:
    slow_ms = slow_end(times_ms)
    return Figure(
        name=f"start.{name}",
        about=about,
        measured=middle(times_ms),
        unit="ms",
        limit=at_most(limit_ms),
        floor=bare_ms,
        floor_is=_BARE,
        note=f"p95 {slow_ms:.0f} ms of {len(times_ms)} starts; {about}",
        detail={"p95": slow_ms, "samples": len(times_ms)},
    )


def _laptop_s(folder: Path) -> float:
    began_s = time.perf_counter()
    command = nimmt("run", "--journal", str(folder / "journal.sqlite"))
    with terminal_run(command, folder, subprocess.DEVNULL) as run:
        run.wait_for_picture()
        return time.perf_counter() - began_s


def _box_s(folder: Path) -> float:
    began_s = time.perf_counter()
    with box_run(folder) as run:
        run.wait_for_picture()
        return time.perf_counter() - began_s
