"""Which modules a start brings in, and that none of them is one which this start has no use for."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tools.bench import machine
from tools.bench.figure import Figure, at_most
from tools.bench.programs import PATIENCE_S, bare, environment
from tools.bench.terminal_run import terminal_run

if TYPE_CHECKING:
    from pathlib import Path

    from tools.bench.effort import Effort

OURS: Final = ("companion", "firmware", "hardware", "network")
# As `nimmt` does it; at the end it tells which modules there are that no Python starts with.
_STARTED: Final = """
import atexit, sys
before, place = set(sys.modules), sys.argv[1]
atexit.register(lambda: open(place, "w").write("\\n".join(sorted(set(sys.modules) - before))))
sys.argv[:] = ["nimmt", *sys.argv[2:]]
from firmware.cli.main import main
sys.exit(main())
"""
_SELF_US: Final = re.compile(r"import time:\s*(\d+) \|")

_FOR_THE_VERSION: Final = (
    "companion",
    "companion.text.errors",
    "companion.games",
    "firmware",
    "firmware.cli.main",
    "firmware.commands",
)
_NOT_FOR_A_LINE: Final = ("dataclasses", "inspect", "json", "logging", "socket", "sqlite3", "tomllib")
_NOT_FOR_A_LAPTOP: Final = (
    "firmware.config.doc",
    "firmware.scripted.gallery",
    "firmware.scripted.players",
    "firmware.scripted.script",
    "hardware.panel.bus_faults",
    "hardware.gpio.lgpio_folder",
    "hardware.panel.partial_update",
    "hardware.simulation",
)
_COMMANDS: Final = "firmware.commands."
_DRIVERS: Final = "hardware.drivers."
_LAPTOP: Final = (f"{_COMMANDS}run", f"{_COMMANDS}declared", f"{_DRIVERS}terminal", f"{_DRIVERS}simulated")
# Parts of the standard library that cost milliseconds, and that no start has a use for. Neither has
# shutil any, nor bz2 and lzma, but argparse imports them with the first option, to see how wide a window is.
_HEAVY: Final = (
    "asyncio",
    "concurrent",
    "ctypes",
    "difflib",
    "email",
    "http",
    "importlib.metadata",
    "multiprocessing",
    "random",
    "ssl",
    "subprocess",
    "tempfile",
    "unittest",
    "urllib.request",
    "xml",
)


@dataclass(frozen=True, slots=True)
class Start:
    """What a start has imported: the modules that no Python starts with, and the time for all of them."""

    modules: set[str]
    took_ms: float


def measure(effort: Effort) -> list[Figure]:
    """For `nimmt --version` and for `nimmt run` in a terminal."""
    del effort  # once is enough: it is always the same
    with machine.fresh_folder(machine.DISK) as folder:
        bare_ms = _of_version(folder, _timed("pass")).took_ms
        version, run = _of_version(folder, _started(folder, "--version")), _of_run(folder)
    return [
        *_figures("version", "nimmt --version", version, needless_for_version(version.modules), bare_ms),
        *_figures("run", "nimmt run in a terminal", run, needless_for_laptop(run.modules), bare_ms),
    ]


def _figures(name: str, command: str, start: Start, needless: list[str], bare_ms: float) -> list[Figure]:
    count = len(start.modules)
    return [
        Figure(
            name=f"imports.{name}-needless",
            about=f"modules that `{command}` imports and has no use for",
            measured=float(len(needless)),
            unit="",
            limit=at_most(0.0),
            floor=0.0,
            floor_is="none",
            note=", ".join(needless) if needless else f"none of the {count} modules of `{command}`",
            detail={"needless": needless, "modules": sorted(start.modules)},
        ),
        Figure(
            name=f"imports.{name}",
            about=f"milliseconds that `{command}` spends on imports",
            measured=start.took_ms,
            unit="ms",
            floor=bare_ms,
            floor_is="a bare Python: python -c pass",
            note=f"python -X importtime; {count} modules more than a bare Python",
            detail={"modules": count},
        ),
    ]


def needless_for_version(modules: set[str]) -> list[str]:
    """Those that a line with the version number does without."""

    def needless(name: str) -> bool:
        ours = _within(name, OURS) and name not in _FOR_THE_VERSION
        return ours or _foreign(name) or _within(name, (*_HEAVY, *_NOT_FOR_A_LINE))

    return sorted(filter(needless, modules))


def needless_for_laptop(modules: set[str]) -> list[str]:
    """Those that a device in a terminal does without: other drivers and their libraries, other commands."""

    def needless(name: str) -> bool:
        other = name.startswith((_COMMANDS, _DRIVERS)) and name not in _LAPTOP
        foreign = _foreign(name) and not _within(name, ("PIL",))
        return other or foreign or _within(name, (*_HEAVY, *_NOT_FOR_A_LAPTOP))

    return sorted(filter(needless, modules))


def _foreign(name: str) -> bool:
    """Whether a module is neither ours nor Python's."""
    top = name.partition(".")[0]
    return (
        top not in OURS and top not in sys.stdlib_module_names and importlib.util.find_spec(top) is not None
    )


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


# ------------------------------------------------------------------------------------------------- the starts


def _timed(code: str) -> list[str]:
    python, *rest = bare(code)
    return [python, "-X", "importtime", *rest]


def _started(folder: Path, *words: str) -> list[str]:
    return [*_timed(_STARTED), str(folder / "modules"), *words]


def _of_version(folder: Path, command: list[str]) -> Start:
    (folder / "modules").write_text("", encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own program
        command, cwd=machine.HOUSE, env=environment(), check=True, capture_output=True, timeout=PATIENCE_S
    )
    return Start(_modules(folder), _self_ms(done.stderr.decode()))


def _of_run(folder: Path) -> Start:
    complaints = folder / "complaints"
    command = _started(folder, "run", "--journal", str(folder / "journal.sqlite"))
    with complaints.open("wb") as file, terminal_run(command, folder, file) as run:
        run.wait_for_picture()
    return Start(_modules(folder), _self_ms(complaints.read_text(encoding="utf-8")))


def _modules(folder: Path) -> set[str]:
    return set((folder / "modules").read_text(encoding="utf-8").split())


def _self_ms(told: str) -> float:
    return sum(int(found[1]) for found in _SELF_US.finditer(told)) / 1000
