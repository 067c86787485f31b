"""Journals of 1, 1,000 and 10,000 matches: nothing may depend on how much was played before.

Starts are compared by processor time and by the bytes that are read, which a busy machine changes little.
Lists and exports are measured with the longest journal, all of whose matches have their summaries.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, Final

from companion.match import log
from companion.match.match import Step
from firmware.history.played_match import played_match
from firmware.history.summary import summary_of
from firmware.journal import changes, rows
from firmware.journal.database import Database
from firmware.journal.shapes import Shapes
from firmware.journal.store import Journal, MatchEntry
from firmware.text.translation import Translator
from tools.bench import machine
from tools.bench.figure import Clock, Figure, at_most, middle
from tools.bench.programs import PATIENCE_S, bare, environment, nimmt

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tools.bench.effort import Effort

SAMPLES: Final = machine.HOUSE / "tests" / "companion" / "samples"
GAMES: Final = ("match-of-four", "eleven-of-four", "ciao-of-four", "match-with-draft", "score-typed")
"""Whole matches, of which the size of a step is measured."""

SHORT: Final = ("match-corrected", "score-in-teams", "score-put-right", "score-typed")
"""Short matches, of which the long journals are made."""

BYTES_A_STEP: Final = 250.0
START_RATIO: Final = 1.1
MATCHES_S: Final = 0.3
STATS_S: Final = 1.0
EXPORT_MB: Final = 120.0
AT: Final = "2026-02-21T20:15:00Z"

_START: Final = """\
import sys
from pathlib import Path
from firmware.config.configuration import load
from firmware.play.runtime import Runtime
runtime = Runtime(load(None), Path(sys.argv[1]))
runtime.app.picture()
io = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
print(io["rchar"])
"""
"""From the start of Python to the first picture; says how many bytes were read from files."""


def measure(effort: Effort) -> list[Figure]:
    """Four journals are made, the longest of ten thousand matches; that takes some seconds."""
    whole = effort.starts > 1
    longest = 10_000 if whole else 50
    with machine.fresh_folder(machine.MEMORY) as folder:
        sizes = [
            (name, _bytes_a_step(folder / f"{name}.sqlite", name))
            for name in (GAMES if whole else GAMES[-1:])
        ]
    with machine.fresh_folder(machine.DISK) as folder:
        lengths = (1, longest // 10, longest)
        journals = [folder / f"of-{length}.sqlite" for length in lengths]
        for journal, length in zip(journals, lengths, strict=True):
            made(journal, length)
        starts = [_starts(journal, effort.starts) for journal in journals]
        last = journals[-1]
        newest, every, stats = (
            _processor_s([*words, "--journal", str(last)], folder, (effort.starts + 2) // 3)
            for words in (["matches"], ["matches", "--all"], ["stats"])
        )
        export = _ran(nimmt("export", "--all", "--journal", str(last)), folder)
    worst_name, worst = max(sizes, key=lambda one: one[1])
    return [
        Figure(
            "long-journals.step",
            "bytes of the file for a step of a whole match, of the game with the largest",
            worst,
            "bytes",
            None,
            "",
            at_most(BYTES_A_STEP),
            f"the largest is {worst_name}",
            dict(sizes),
        ),
        *_ratios(lengths, starts),
        _processor("matches", f"`nimmt matches` with {longest} matches", newest, MATCHES_S),
        _processor("all-matches", f"`nimmt matches --all` with {longest} matches", every, MATCHES_S),
        _processor("stats", f"`nimmt stats` with {longest} matches", stats, STATS_S),
        Figure(
            "long-journals.export",
            f"memory of `nimmt export --all` with {longest} matches",
            export[1],
            "MB",
            None,
            "",
            at_most(EXPORT_MB),
        ),
    ]


def made(path: Path, length: int) -> None:
    """A journal of so many matches with their summaries; the newest is the same whatever the length."""
    Journal.open(path, wall=lambda: AT)[0].close()
    prepared = [_prepared(name) for name in SHORT]
    shapes = Shapes()
    with closing(sqlite3.connect(path, isolation_level=None, factory=Database)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        which = (length - 1) % len(SHORT)  # so that the newest is the first of them
        order = islice(cycle(prepared), len(SHORT) - which, len(SHORT) - which + length)
        for number, (header, steps, summary) in enumerate(order, start=1):
            match_id, _ = changes.begin(db, header, AT, f"match {number}")
            changes.append(db, shapes, rows.head(db, match_id), steps)
            changes.summarise(db, match_id, rows.head(db, match_id).chain, summary)
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _prepared(name: str) -> tuple[dict[str, Any], list[tuple[dict[str, Any], str]], dict[str, Any]]:
    """Header, steps, and summary of a sample."""
    header, *records = _steps_of_today(name)
    match = log.replay([header, *records])
    entry = MatchEntry(1, header, AT, match.steps, AT, "")
    past = played_match(match, entry, [AT] * match.steps, ())
    return header, [(record, AT) for record in records], summary_of(past, Translator())


def _steps_of_today(name: str) -> list[dict[str, Any]]:
    """A sample whose steps are judged again, so that their reasons are stored as today."""
    header, *records = map(json.loads, (SAMPLES / f"{name}.jsonl").read_text().splitlines())
    match = log.replay([header])
    steps = [{**header, "badges": list(range(1, header["seats"] + 1))}]
    for record in records:
        step = log.read_step(record, match.game)
        if step.command is not None and step.redoes is None:
            judged = match.propose(step.command)
            # The samples were played by older rulings, which asked for some owners that are certain today.
            if isinstance(judged, Step) and judged.events == step.events:
                step = judged
        steps.append(log.write_step(step, sentences=False))
        match = match.then(step)
    return steps


def _bytes_a_step(path: Path, name: str) -> float:
    """How much the file grows for each step of such a match."""
    header, *steps = _steps_of_today(name)
    sizes = []
    for _ in range(6):
        journal, _ = Journal.open(path, wall=lambda: AT)
        with closing(journal):
            match_id = journal.begin(header)
            for number, step in enumerate(steps, start=1):
                journal.append(match_id, number, step)
        sizes.append(path.stat().st_size)
    return (sizes[-1] - sizes[0]) / (5 * len(steps))


def _processor_s(words: list[str], folder: Path, repetitions: int) -> float:
    """The least processor time of a command in several runs: other programs only ever add to it."""
    return min(_ran(nimmt(*words), folder)[0] for _ in range(repetitions))


def _starts(path: Path, repetitions: int) -> tuple[float, float]:
    """Processor time and bytes read from the start of Python to the first picture."""
    runs = [_ran([*bare(_START), str(path)], path.parent) for _ in range(repetitions + 1)][1:]
    # The least processor time: other programs only ever add to it, and here a tenth of it counts.
    return min([run[0] for run in runs]), middle([float(run[2]) for run in runs])


def _ran(command: list[str], folder: Path) -> tuple[float, float, bytes]:
    """A program that ends by itself: its processor time, its largest memory in MB, what it printed last."""
    with (folder / "printed").open("wb") as printed, (folder / "told").open("wb") as told:
        process = subprocess.Popen(  # noqa: S603
            command, cwd=machine.HOUSE, env=environment(folder), stdout=printed, stderr=told
        )
        patience = threading.Timer(PATIENCE_S * 3, process.kill)
        patience.start()
        _, status, used = os.wait4(process.pid, 0)
        patience.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.stderr.write((folder / "told").read_text(errors="replace"))
        raise subprocess.CalledProcessError(process.returncode, command)
    with (folder / "printed").open("rb") as printed:
        printed.seek(max(0, printed.seek(0, os.SEEK_END) - 100))
        tail = printed.read().split()[-1:]
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6, b"".join(tail)


def _ratios(lengths: Iterable[int], starts: list[tuple[float, float]]) -> list[Figure]:
    few, *_, many = lengths
    detail = {"lengths": list(lengths), "processor_s": [one[0] for one in starts]}
    return [
        Figure(
            f"long-journals.{name}",
            f"{what} from a start to the first picture with {many} matches, compared with {few}",
            max(one[at] for one in starts) / starts[0][at],
            "times",
            1.0,
            "as with one match",
            at_most(START_RATIO),
            detail={**detail, "bytes": [one[1] for one in starts]},
        )
        for at, (name, what) in enumerate((("start", "processor time"), ("start-reads", "bytes read")))
    ]


def _processor(name: str, about: str, measured_s: float, limit_s: float) -> Figure:
    return Figure(
        f"long-journals.{name}",
        f"processor time of {about}",
        measured_s,
        "s",
        None,
        "",
        at_most(limit_s),
        timed_by=Clock.PROCESSOR,
    )
