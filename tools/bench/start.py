"""What people wait for after a start, needless imports, and what `nimmt run` costs while it stands there.

The cost is its memory after a deal, and the processor while nobody plays.
"""

import fcntl
import importlib.util
import os
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Final

from companion.values import Value
from hardware.ports import Key, KeyPressed
from tools.bench.figure import Clock, Effort, Figure, at_most, exactly, late
from tools.bench.machine import DISK, HOUSE, Measured, fresh_folder, processor_s, resident_mb
from tools.bench.programs import PATIENCE_S, READY_S, Box, bare, environment, in_box, nimmt, ran
from tools.bench.wired import played, wait_for_steps

_VERSION_LIMIT_MS: Final = 150.0
_PICTURE_LIMIT_MS: Final = 700.0
_WINDOW: Final = (40, 130)
"""Lines and columns of the terminal: a pixel is drawn best there."""

_PICTURE_BYTES: Final = 2000
"""So many bytes in a terminal are a picture."""

_OURS: Final = ("companion", "firmware", "hardware", "network")
# As `nimmt` does it; at the end it tells which modules there are that no Python starts with.
_STARTED: Final = """
import atexit, sys
before, place = set(sys.modules), sys.argv[1]
atexit.register(lambda: open(place, "w").write("\\n".join(sorted(set(sys.modules) - before))))
sys.argv[:] = ["nimmt", *sys.argv[2:]]
from firmware.cli.main import main
sys.exit(main())
"""
_FOR_THE_VERSION: Final = ("companion.core.games", "companion.text.errors", "firmware.cli.main")
_NOT_FOR_A_LINE: Final = ("dataclasses", "inspect", "json", "logging", "socket", "sqlite3", "tomllib")
_NOT_FOR_A_LAPTOP: Final = ("firmware.scripted", "hardware.panel.partial_update", "hardware.simulation")
_COMMANDS: Final = ("firmware.commands.", "hardware.drivers.")
_LAPTOP: Final = (
    "firmware.commands.declared",
    "firmware.commands.run",
    "hardware.drivers.terminal",
    "hardware.drivers.simulated",
)
# Parts of the standard library that cost milliseconds, and that no start has a use for. Neither has
# shutil any, nor bz2 and lzma, but argparse imports them with the first option, to see how wide a window is.
_HEAVY: Final = (
    *("asyncio", "concurrent", "ctypes", "difflib", "email", "http", "importlib.metadata", "multiprocessing"),
    *("random", "ssl", "subprocess", "tempfile", "unittest", "urllib.request", "xml"),
)


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
        version, run = _modules(folder)
    return [
        *_figures("version", version_s, _VERSION_LIMIT_MS, bare_s),
        *_figures("box", box_s, _PICTURE_LIMIT_MS, bare_s),
        _needless("version", version, needless_for_version(version)),
        _needless("run", run, needless_for_laptop(run)),
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


# ---------------------------------------------------------------------------------------- needless imports


def _modules(folder: Path) -> tuple[set[str], set[str]]:
    """The modules that no Python starts with, of `nimmt --version` and of `nimmt run` in a terminal."""
    place, found = folder / "modules", []
    for words in (["--version"], ["run", "--journal", str(folder / "journal.sqlite")]):
        _run_in_terminal([*bare(_STARTED), str(place), *words])
        found.append(set(place.read_text(encoding="utf-8").split()))
    return found[0], found[1]


def _run_in_terminal(command: list[str]) -> None:
    """Start a program in a terminal, and stop it when it has drawn a picture. Fails where it fails."""
    window, inside = os.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", *_WINDOW, 0, 0))
    with subprocess.Popen(  # noqa: S603 - our own program
        command, cwd=HOUSE, env=environment(), stdin=inside, stdout=inside, stderr=inside
    ) as process:
        os.close(inside)
        stop = threading.Timer(PATIENCE_S, process.kill)
        stop.start()
        drawn = b""
        with suppress(OSError):  # its end of the terminal is closed
            while taken := os.read(window, 65_536):
                if len(drawn) < _PICTURE_BYTES <= len(drawn) + len(taken):
                    process.send_signal(signal.SIGTERM)
                drawn += taken
    stop.cancel()
    os.close(window)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, drawn)


def _needless(name: str, modules: set[str], needless: list[str]) -> Figure:
    return Figure(
        f"start.{name}-needless",
        len(needless),
        "",
        exactly(0),
        floor=0,
        note=", ".join(needless) or f"none of its {len(modules)} modules",
        detail={"needless": needless, "modules": sorted(modules)},
    )


def needless_for_version(modules: set[str]) -> list[str]:
    """Those that a line with the version number does without."""
    needed = [name for name in modules if name in _FOR_THE_VERSION]

    def needless(name: str) -> bool:
        # The packages of what is needed are imported with it.
        ours = _within(name, _OURS) and not any(_within(one, (name,)) for one in needed)
        return ours or _foreign(name) or _within(name, (*_HEAVY, *_NOT_FOR_A_LINE))

    return sorted(filter(needless, modules))


def needless_for_laptop(modules: set[str]) -> list[str]:
    """Those that a device in a terminal does without: other drivers and their libraries, other commands."""

    def needless(name: str) -> bool:
        other = name.startswith(_COMMANDS) and name not in _LAPTOP
        foreign = _foreign(name) and not _within(name, ("PIL", "msgspec", "typing_extensions"))
        return other or foreign or _within(name, (*_HEAVY, *_NOT_FOR_A_LAPTOP))

    return sorted(filter(needless, modules))


def _foreign(name: str) -> bool:
    top = name.partition(".")[0]
    own = top in _OURS or top in sys.stdlib_module_names
    return not own and importlib.util.find_spec(top) is not None


def _within(name: str, packages: Iterable[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


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
