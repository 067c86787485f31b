"""`python -m bench.soak`: thousands of matches on one device, one after the other, and what it holds then.

The whole device plays in a time that is made here: controller, pages, journal, the panel driver over luma on
a simulated bus that holds nobody up. Scripted people play every game in turn. Memory, open files, threads and
the size of the journal are noted as it goes; a device that is to run for months must not need more of any.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.figure import UNDECIDED, middle
from bench.machine import HOUSE, MEMORY, fresh_folder
from bench.proc import resident_mb
from companion import games
from firmware.config.configuration import choose, load
from firmware.play.app import App
from firmware.play.runtime import Runtime
from firmware.scripted.players import Players
from hardware.drivers.luma_oled import Oled, Options
from hardware.ports import Key, KeyPressed
from hardware.simulation.i2c_node import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from firmware.config.configuration import Config
    from hardware.ports import Scanned

MATCHES: Final = 10_000
MOST_GROWTH_PERCENT: Final = 1.0
_BETWEEN_ACTS_S: Final = 3.0
_BETWEEN_MATCHES_S: Final = 180.0  # the display dims, and the journal is tidied
_OUT: Final = HOUSE / "build" / "soak.json"
_NOTES: Final = 200
"""So many times in a run it is noted what the device holds."""
_OTHER_GAME: Final = (KeyPressed(Key.ROW_2), KeyPressed(Key.ROW_3))
"""On the last page of a match: MORE, ANOTHER GAME."""


@dataclass(frozen=True, slots=True)
class Held:
    """What the device holds after so many matches."""

    matches: int
    steps: int
    processor_s: float
    memory_mb: float
    files: int
    threads: int
    journal_mb: float


@dataclass(frozen=True, slots=True)
class Growth:
    """How much more the device holds in the last quarter of a run than in the quarter after its first half.

    The first half is the warm-up: every page of every game was drawn, and caches are full.
    """

    memory_percent: float
    files: int
    threads: int

    @property
    def flat(self) -> bool:
        """Whether nothing grows."""
        return self.memory_percent <= MOST_GROWTH_PERCENT and self.files <= 0 and self.threads <= 0


def growth(notes: Sequence[Held]) -> Growth:
    """What a run says; medians, because the journal is tidied now and then. Needs four notes or more."""
    if len(notes) < 4:  # noqa: PLR2004 - four quarters
        raise ValueError(f"{len(notes)} notes have no four quarters: let it play more matches")
    quarter = len(notes) // 4
    before, after = notes[-2 * quarter : -quarter], notes[-quarter:]
    memory_mb = middle([one.memory_mb for one in before])
    return Growth(
        100 * (middle([one.memory_mb for one in after]) / memory_mb - 1),
        max(one.files for one in after) - max(one.files for one in before),
        max(one.threads for one in after) - max(one.threads for one in before),
    )


class Table:
    """A device on which match after match is played; its clock is in our hands. For one thread."""

    def __init__(self, runtime: Runtime) -> None:
        self.steps = 0
        self.now_s = 0.0
        self._controller = runtime.app.controller
        self._display = Oled(Options(), now_s=lambda: self.now_s)
        self._app = App(self._controller, self._display, lambda: self.now_s)
        self._act(KeyPressed(Key.OK))  # past the page that greets

    def play(self, people: Players) -> None:
        """One match from the start page to its end, and back to the start page."""
        while (action := people.next(self._controller)) is not None:
            self._act(action)
        match = self._controller.session.match
        self.steps += match.steps if match else 0
        for key in _OTHER_GAME:
            self._act(key)
        self.now_s += _BETWEEN_MATCHES_S
        self._look()
        self._controller.session.tidy()

    def _act(self, action: KeyPressed | Scanned) -> None:
        self.now_s += _BETWEEN_ACTS_S
        self._controller.hear(action, self.now_s)
        self._look()

    def _look(self) -> None:
        """Draw, and let the panel do what is due, without its thread. Raises `RuntimeError` for a fault."""
        self._app.look()
        while self._display.work(self._app.post) == 0.0:
            pass
        if self._app.waiting:
            raise RuntimeError("the display reports a fault")


def soak(matches: int, config: Config) -> Iterator[Held]:
    """Play so many matches on a device of this configuration, and note `_NOTES` times what it holds.

    How many matches stay in the journal is up to the configuration; its devices are replaced.
    """
    place = MEMORY if MEMORY.is_dir() else HOUSE / "build"
    panel = SimulatedPanel("ssd1306")
    with fresh_folder(place) as folder, SimulatedI2cBus(panel, bus_hz=400_000, real_time=False):
        runtime = Runtime(_without_devices(config), folder / "journal.sqlite", lambda: 0.0)
        try:
            table = Table(runtime)
            every = max(1, matches // _NOTES)
            for number in range(1, matches + 1):
                table.play(_people(number))
                if not number % every:
                    yield _held(number, table.steps, folder)
        finally:
            runtime.close()
    if panel.complaints:
        raise RuntimeError(f"the panel was sent wrong bytes: {panel.complaints[0]}")


def _without_devices(config: Config) -> Config:
    """The display is made by `Table`, and people post what they do."""
    return replace(
        config,
        display=choose("display", "none"),
        scanner=choose("scanner", "none"),
        buttons=choose("buttons", "none"),
        buzzer=choose("buzzer", "none"),
        # A new deal may begin with the card that ended the old one.
        table=replace(config.table, duplicate_s=0.0),
    )


def _people(number: int) -> Players:
    """Who plays this match: every game with every number of players in turn, always the same chance."""
    keys = tuple(games.GAMES)
    key = keys[number % len(keys)]
    seats = games.module(key).SEATS
    return Players(key, seats[number // len(keys) % len(seats)], random.Random(number))


def _held(matches: int, steps: int, folder: Path) -> Held:
    gc.collect()  # what is no longer needed but not yet freed would look like growth
    pid = os.getpid()
    return Held(
        matches,
        steps,
        time.process_time(),
        resident_mb(pid),
        len(list(Path("/proc/self/fd").iterdir())),
        len(list(Path("/proc/self/task").iterdir())),
        sum(file.stat().st_size for file in folder.iterdir()) / 1e6,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Play, print a line now and then, write everything; 0 if it is flat, 1 if it grows, 75 if too short."""
    words = argparse.ArgumentParser(
        prog="python -m bench.soak", description=(__doc__ or "").partition("\n")[0]
    )
    words.add_argument("--matches", type=int, default=MATCHES, help=f"how many matches ({MATCHES})")
    words.add_argument(
        "--config", type=Path, help="a configuration file, for how long the journal keeps matches"
    )
    words.add_argument("--minutes", type=float, help="end after so many minutes, whatever was played")
    words.add_argument("--out", type=Path, default=_OUT, help="the JSON file (build/soak.json)")
    given = words.parse_args(argv)
    notes = list[Held]()
    began_s = time.monotonic()
    for held in soak(given.matches, load(given.config)):
        notes.append(held)
        print(_told(held), flush=True)
        if given.minutes and time.monotonic() - began_s > 60 * given.minutes:
            break
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps([asdict(note) for note in notes], indent=1) + "\n", encoding="utf-8")
    try:
        found = growth(notes)
    except ValueError as short:
        print(short)
        return UNDECIDED
    print(
        f"in the last quarter: memory {found.memory_percent:+.2f} %, files {found.files:+}, "
        f"threads {found.threads:+}: {'flat' if found.flat else 'IT GROWS'}"
    )
    return 0 if found.flat else 1


def _told(held: Held) -> str:
    return (
        f"{held.matches:6} matches, {held.steps:8} steps, {held.processor_s:7.0f} s of a processor: "
        f"{held.memory_mb:.1f} MB, {held.files} files, {held.threads} threads, "
        f"journal {held.journal_mb:.1f} MB"
    )


if __name__ == "__main__":
    sys.exit(main())
