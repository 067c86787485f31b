"""`python -m tools.bench.soak`: thousands of matches on one device in turn, and what it holds then.

The whole device plays in a time that is made here: controller, pages, journal, the panel driver over luma on
a simulated bus that holds nobody up. Scripted people play every game in turn. Memory, open files, threads and
the size of the journal are noted as it goes; a device that is to run for months must not need more of any.

A match is short, one deal of two to four players: what a match leaves behind does not depend on its length,
and so 10,000 of them take half an hour and not a night. The journal keeps the newest ones only.

Memory is set up as the unit of the service does. The C library reads those settings only when a program
starts, so this one starts itself again with them.
"""

import argparse
import gc
import json
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from msgspec.structs import asdict

from companion import values
from companion.core import games
from companion.values import Value, replace
from firmware.config.configuration import Config, choose, load
from firmware.play.app import App
from firmware.play.runtime import Runtime
from firmware.screens.before.start import Agree, begin_match
from firmware.scripted.players import Act, Players
from hardware.drivers.luma_oled import Oled, Options
from hardware.ports import Key, KeyPressed
from hardware.simulation.buses import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel
from tools.bench.figure import UNDECIDED
from tools.bench.machine import HOUSE, MEMORY, fresh_folder, resident_mb

MATCHES: Final = 10_000
LEAST: Final = 1000
"""Fewer matches say nothing: the caches are not full yet, and the journal has hardly removed a match."""
MOST_GROWTH_PERCENT: Final = 1.0
KEPT: Final = 100
"""So many matches stay in the journal, unless the configuration says how many."""
AS_THE_SERVICE: Final = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072"}
"""What the unit of the service tells glibc about memory, and why: `nimmt-.service.d/sandbox.conf`."""
_SEATS: Final = (2, 3, 4)
_ONE_DEAL: Final = {"eleven": {"deals": 1}}
"""The option of a game for a match of one deal, where it is not `end`."""
_BETWEEN_ACTS_S: Final = 3.0
_BETWEEN_MATCHES_S: Final = 180.0  # the display dims, and the journal is tidied
_OUT: Final = HOUSE / "build" / "soak.json"
_NOTES: Final = 200
"""So many times in a run it is noted what the device holds."""
_OTHER_GAME: Final = (KeyPressed(Key.ROW_2), KeyPressed(Key.ROW_3))
"""On the last page of a match: MORE, ANOTHER GAME."""


class HeldResources(Value):
    """What the device holds after so many matches."""

    matches: int
    steps: int
    processor_s: float
    memory_mb: float
    files: int
    threads: int
    journal_mb: float
    kept: int
    """Matches in the journal."""


class Growth(Value):
    """How much more the device holds in the last quarter of a run than in the quarter after its first half.

    The first half is the warm-up: every page of every game was drawn, and caches are full.
    """

    memory_percent: float
    files: int
    threads: int
    kept: int

    @property
    def flat(self) -> bool:
        counted = max(self.files, self.threads, self.kept)
        return self.memory_percent <= MOST_GROWTH_PERCENT and counted <= 0


def growth(notes: Sequence[HeldResources]) -> Growth:
    """What a run says; medians of memory, because the journal is tidied now and then.

    Raises `ValueError` for a run that is too short to tell.
    """
    played = notes[-1].matches if notes else 0
    if played < LEAST:
        raise ValueError(f"{played} matches are too few to tell whether anything grows: play {LEAST} or more")
    quarter = len(notes) // 4
    before, after = notes[-2 * quarter : -quarter], notes[-quarter:]
    memory_mb = median([one.memory_mb for one in before])
    return Growth(
        100 * (median([one.memory_mb for one in after]) / memory_mb - 1),
        max(one.files for one in after) - max(one.files for one in before),
        max(one.threads for one in after) - max(one.threads for one in before),
        max(one.kept for one in after) - max(one.kept for one in before),
    )


class SoakTable:
    """A device on which match after match is played; its clock is in our hands. For one thread."""

    def __init__(self, runtime: Runtime) -> None:
        self.steps = 0
        self.now_s = 0.0
        self._runtime = runtime
        self._controller = runtime.app.controller
        self._display = Oled(Options(), now_s=lambda: self.now_s)
        self._app = App(self._controller, self._display, lambda: self.now_s)
        self._act(KeyPressed(Key.OK))  # past the page that greets

    def play(self, people: Players) -> None:
        """One match from the start page to its end, and back to the start page."""
        while (action := people.next(self._controller)) is not None:
            self._act(action)
            if isinstance(page := self._controller.front, Agree):
                # When the match ends: not every game has "after one deal" among its answers.
                options = _ONE_DEAL.get(page.terms.game, {"end": {"deals": 1}})
                terms = values.replace(page.terms, options=options)
                self._controller.do(lambda table, terms=terms: begin_match(table, terms))  # type: ignore[misc]
                self._look()
        match = self._controller.session.match
        self.steps += match.steps if match else 0
        for key in _OTHER_GAME:
            self._act(key)
        self.now_s += _BETWEEN_MATCHES_S
        self._look()
        session = self._controller.session
        while session.journal_care.portion(lambda: False):
            pass
        session.journal_care.tidy()

    @property
    def kept(self) -> int:
        return self._runtime.journal.reader.size().matches

    def _act(self, action: Act) -> None:
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


def soak(matches: int, config: Config) -> Iterator[HeldResources]:
    """Play so many matches on a device of this configuration, and note `_NOTES` times what it holds.

    Its devices are replaced.
    """
    panel = SimulatedPanel("ssd1306")
    with fresh_folder(MEMORY) as folder, SimulatedI2cBus(panel, bus_hz=400_000, real_time=False):
        runtime = Runtime(_for_soak(config), folder / "journal.sqlite", lambda: 0.0)
        try:
            table = SoakTable(runtime)
            every = max(1, matches // _NOTES)
            for number in range(1, matches + 1):
                table.play(_people(number))
                if not number % every:
                    yield _held(number, table, folder)
        finally:
            runtime.close()
    if panel.complaints:
        raise RuntimeError(f"the panel was sent wrong bytes: {panel.complaints[0]}")


def _for_soak(config: Config) -> Config:
    """The display is made by `Table`, people post what they do, and the journal keeps a limited number."""
    return replace(
        config,
        display=choose("display", "none"),
        scanner=choose("scanner", "none"),
        buttons=choose("buttons", "none"),
        buzzer=choose("buzzer", "none"),
        # A new deal may begin with the card that ended the old one.
        table=replace(config.table, duplicate_s=0.0),
        journal=replace(config.journal, keep_matches=config.journal.keep_matches or KEPT),
    )


def _people(number: int) -> Players:
    """Who plays this match: every game with two to four players in turn, always the same chance."""
    keys = tuple(games.GAMES)
    return Players(keys[number % len(keys)], _SEATS[number // len(keys) % len(_SEATS)], random.Random(number))


def _held(matches: int, table: SoakTable, folder: Path) -> HeldResources:
    gc.collect()  # what is no longer needed but not yet freed would look like growth
    pid = os.getpid()
    return HeldResources(
        matches,
        table.steps,
        time.process_time(),
        resident_mb(pid),
        len(list(Path("/proc/self/fd").iterdir())),
        len(list(Path("/proc/self/task").iterdir())),
        sum(file.stat().st_size for file in folder.iterdir()) / 1e6,
        table.kept,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Play, print a line now and then, write everything; 0 if it is flat, 1 if it grows, 75 if too short."""
    words = argparse.ArgumentParser(
        prog="python -m tools.bench.soak", description=(__doc__ or "").partition("\n")[0]
    )
    words.add_argument("--matches", type=int, default=MATCHES, help=f"how many matches ({MATCHES})")
    words.add_argument(
        "--config", type=Path, help="a configuration file, for how long the journal keeps matches"
    )
    words.add_argument("--minutes", type=float, help="end after so many minutes, whatever was played")
    words.add_argument("--out", type=Path, default=_OUT, help="the JSON file (build/soak.json)")
    given = words.parse_args(argv)
    notes = list[HeldResources]()
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
        f"threads {found.threads:+}, matches in the journal {found.kept:+}: "
        f"{'flat' if found.flat else 'IT GROWS'}"
    )
    return 0 if found.flat else 1


def _told(held: HeldResources) -> str:
    return (
        f"{held.matches:6} matches, {held.steps:8} steps, {held.processor_s:7.0f} s of a processor: "
        f"{held.memory_mb:.1f} MB, {held.files} files, {held.threads} threads, "
        f"journal {held.journal_mb:.2f} MB with {held.kept} matches"
    )


def _begin_as_the_service() -> None:
    """Start this program again with the settings of the service, unless it has them."""
    if os.environ.items() >= AS_THE_SERVICE.items():
        return
    os.execve(sys.executable, sys.orig_argv, {**os.environ, **AS_THE_SERVICE})  # noqa: S606 - this program


if __name__ == "__main__":
    _begin_as_the_service()
    sys.exit(main())
