"""`python -m tools.bench.soak`: thousands of matches in a row on one device, and what it uses then.

Scripted players play every game in turn at a table with a simulated clock. A device that runs for
months must not need more and more memory, open files or threads; its journal keeps the newest matches. A
match is one deal of two to four players: what it leaves behind does not depend on its length.
"""

import argparse
import gc
import os
import random
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from msgspec.structs import asdict

from companion.core import games
from companion.values import Value, replace
from firmware.commands.players import SimulatedGroup
from firmware.config.configuration import load
from firmware.loop.react import do
from firmware.screens.before.start import Agree, begin_match
from hardware.drivers.luma_oled import Options
from hardware.ports import Key, KeyPressed
from tools.bench import UNDECIDED, resident_mb
from tools.bench.table import BenchTable

LEAST: Final = 1000
"""Fewer matches say nothing: the caches are not full yet, and the journal has hardly removed a match."""
KEPT: Final = 100
"""So many matches stay in the journal."""
AS_THE_SERVICE: Final = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072"}
"""What the unit of the service tells glibc about memory, and why: `nimmt-.service.d/sandbox.conf`."""
_NOTES: Final = 200
"""So many times in a run it is noted what the device holds."""
_MOST_GROWTH: Final = 1.01
_SEATS: Final = (2, 3, 4)
_ONE_DEAL: Final = {"eleven": {"deals": 1}}
"""The option of a game for a match of one deal, where it is not `end`."""
_BETWEEN_MATCHES_S: Final = 180.0  # the display dims, and the journal is tidied


class Usage(Value):
    """What the device holds after so many matches."""

    matches: int
    steps: int
    memory_mb: float
    files: int
    threads: int
    kept: int
    """Matches in the journal."""


def grown(notes: Sequence[Usage]) -> list[str]:
    """What the device holds more of in the last quarter of a run than in the quarter before.

    The first half is the warm-up: every page of every game was drawn, and caches are full. Of memory the
    medians count, because the journal is tidied now and then, and 1 % is no growth.
    """
    quarter = len(notes) // 4
    before, after = notes[-2 * quarter : -quarter], notes[-quarter:]
    mb, later_mb = (median([note.memory_mb for note in part]) for part in (before, after))
    found = [f"memory {later_mb / mb - 1:+.2%}"] if later_mb > mb * _MOST_GROWTH else []
    for what in ("files", "threads", "kept"):
        most, later = (max(getattr(note, what) for note in part) for part in (before, after))
        if later > most:
            found.append(f"{what} {later - most:+}")
    return found


def soak(matches: int, kept: int = KEPT) -> Iterator[Usage]:
    """Play so many matches on a device, and note `_NOTES` times what it holds."""
    config = load(None)
    steps, every = 0, max(1, matches // _NOTES)
    with BenchTable(replace(config, journal=replace(config.journal, keep_matches=kept)), Options()) as table:
        table.act(KeyPressed(Key.OK))  # past the page that greets
        for number in range(1, matches + 1):
            steps += _play(table, number)
            if not number % every:
                yield _held(number, steps, table)


def _play(table: BenchTable, number: int) -> int:
    """One match from the start page to its end, and back to the start page; gives its steps."""
    keys, played = tuple(games.GAMES), table.table
    seats = _SEATS[number // len(keys) % len(_SEATS)]
    people = SimulatedGroup(keys[number % len(keys)], seats, random.Random(number))
    while (action := people.next(played)) is not None:
        table.act(action)
        table.show()
        if isinstance(page := played.front, Agree):
            # When the match ends: not every game has "after one deal" among its answers.
            options = _ONE_DEAL.get(page.terms.game, {"end": {"deals": 1}})
            do(played, partial(begin_match, terms=replace(page.terms, options=options)))
            table.show()
    match, care = played.session.match, played.session.journal_care
    for key in (Key.ROW_2, Key.ROW_3):  # on the last page of a match: MORE, ANOTHER GAME
        table.act(KeyPressed(key))
        table.show()
    table.now_s += _BETWEEN_MATCHES_S
    table.show()
    while care.portion(lambda: False):
        pass
    care.checkpoint()
    return match.steps if match else 0


def _held(matches: int, steps: int, table: BenchTable) -> Usage:
    gc.collect()  # what is no longer needed but not yet freed would look like growth
    files, threads = (len(list(Path(f"/proc/self/{what}").iterdir())) for what in ("fd", "task"))
    kept = table.runtime.journal.reader.size().matches
    return Usage(matches, steps, resident_mb(os.getpid()), files, threads, kept)


def main(argv: Sequence[str] | None = None) -> int:
    """Play, and print a line now and then; 0 if nothing grows, 1 if something does, 75 if it is too short."""
    words = argparse.ArgumentParser(prog="python -m tools.bench.soak")
    words.add_argument("--matches", type=int, default=10_000, help="how many matches (10,000)")
    given = words.parse_args(argv)
    notes = []
    for held in soak(given.matches):
        notes.append(held)
        print(*(f"{what} {value:.6g}" for what, value in asdict(held).items()), sep=", ", flush=True)
    if given.matches < LEAST:
        print(f"too few to tell whether anything grows: play {LEAST} or more")
        return UNDECIDED
    found = grown(notes)
    print(
        f"in the last quarter it grows: {', '.join(found)}" if found else "nothing grows in the last quarter"
    )
    return bool(found)


if __name__ == "__main__":
    # The C library reads these settings only when a program starts.
    if not os.environ.items() >= AS_THE_SERVICE.items():
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **AS_THE_SERVICE})  # noqa: S606 - this program
    sys.exit(main())
