"""What the box shows when it is switched on with some file in the place of its journal.

The starts are those of the installed service, in this process: first the usual one, and where that is
refused with an error, a safe one. The display is the simulated one, and the folder is in memory, so that a
start takes milliseconds.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.text.errors import CompanionError
from firmware.config.configuration import choose, load
from firmware.loop.runtime import Runtime
from firmware.service.safe_mode import SafeStart, safe_start

SIMULATED = replace(load(None), display=choose("display", "simulated"))


@dataclass(frozen=True)
class Start:
    """One start: what is on the display, what is played, and what people are told.

    `match` is the match in play as agreed, as it stands, and all its steps; None without a match.
    """

    picture: bytes
    match: Any
    matches: list[Any]
    told: tuple[str, ...]
    safe: bool


def started(journal: Path, run: Path | None = None, config: Path | None = None) -> Start:
    """Switch the box on; any exception but the errors that the service answers with a safe start is raised.

    `run` is the folder of the service in memory.
    """
    ready = SafeStart(SIMULATED, journal, ())
    safe = False
    try:
        runtime = Runtime(ready.config, ready.journal)
    except CompanionError:
        safe = True
        folder = run or journal.parent / "run"
        ready = safe_start(config, journal, folder / "last-good.toml", folder / "journal.sqlite", {})
        runtime = Runtime(replace(ready.config, display=SIMULATED.display), ready.journal)
    with closing(runtime):
        for fault in ready.faults:
            runtime.app.post(fault)
        runtime.app.stop()
        runtime.app.run()
        faults = runtime.session.faults.values()
        match, number = runtime.session.match, runtime.session.match_id
        return Start(
            runtime.devices["display"].frames[-1].tobytes(),
            (match.terms, match.position, list(runtime.journal.reader.steps(number)))
            if match and number
            else None,
            runtime.journal.reader.matches(),
            tuple(fault.fault for fault in [*faults, *ready.faults]),
            safe,
        )


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """A folder that no disk has to keep; removed at the end."""
    shared = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
    made = Path(tempfile.mkdtemp(prefix="nimmt-test-", dir=shared if shared.is_dir() else None))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def box_with(content: bytes) -> Iterator[Path]:
    """The place of the journal of a box, with this file in it."""
    with folder_in_memory() as folder:
        path = folder / "journal.sqlite"
        path.write_bytes(content)
        yield path
