"""What the journal costs: syncs of the disk for a step, and what a long journal costs a start and a command.

Journals of 1, 1,000 and 10,000 matches are compared, all with their tallies: no start may depend on what was
played before. Starts are compared by the bytes that they read, which no busy machine changes.
"""

import json
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from companion.core.tally import MatchTally
from companion.match import log
from companion.match.match import Step
from companion.match.tally import tally_of
from firmware.journal import rows
from firmware.journal.file import Database
from firmware.journal.store import Journal
from firmware.journal.writes import Append
from tools.bench import machine
from tools.bench.figure import Clock, Effort, Figure, at_most, exactly
from tools.bench.machine import DISK, HOUSE, MEMORY
from tools.bench.programs import PATIENCE_S, bare, child, environment, nimmt, ran

_SYNCS: Final = "fsync,fdatasync,sync,syncfs,sync_file_range,msync"
_MARK: Final = re.compile(r'write\(\d+, "steps (-?\d+)\\n"')
_SYNC: Final = re.compile(rf"\s*\d+\s+(?:{_SYNCS.replace(',', '|')})\(")

_SAMPLES: Final = HOUSE / "tests" / "companion" / "samples"
_GAMES: Final = ("match-of-four", "eleven-of-four", "ciao-of-four", "match-with-draft", "score-typed")
"""Whole matches; the size of their steps is measured."""

_SHORT: Final = ("match-corrected", "score-in-teams", "score-put-right", "score-typed")
"""Short matches; the long journals are made of them."""

_BYTES_A_STEP: Final = 300.0
_START_RATIO: Final = 1.1
_SECONDS: Final = {"matches": 0.3, "stats": 1.0}
"""The processor time that a command with the longest journal may take."""

_EXPORT_MB: Final = 120.0
_AT: Final = "2026-02-21T20:15:00Z"

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


def journal(effort: Effort) -> list[Figure]:
    """One sync for each step and none for anything else; no clock is asked for that."""
    name = "journal.syncs"
    if shutil.which("strace") is None:
        note = "needs strace to count what the kernel is asked for: apt-get install strace"
        return [Figure(name, None, "", exactly(1.0), floor=1.0, note=note)]
    actions = counted(_trace(effort.steps))
    # The act that is farthest off stands for all: an average would hide a step with two behind one with none.
    worst = max((syncs - steps for steps, syncs in actions), key=abs)
    steps = sum(steps for steps, _ in actions)
    synced, idle = (sum(syncs for made, syncs in actions if bool(made) is some) for some in (True, False))
    inputs = sum(not made for made, _ in actions)
    note = f"{steps} steps, {synced} syncs; {inputs} inputs that make no step, {idle} syncs"
    detail = {"steps": steps, "syncs": synced + idle}
    return [Figure(name, 1.0 + worst, "", exactly(1.0), detail=detail, floor=1.0, note=note)]


def _trace(steps: int) -> str:
    """What strace saw of a match that was played on the disk."""
    with machine.fresh_folder(DISK) as folder:
        trace = folder / "trace"
        command = ["strace", "-f", "-e", f"trace=write,{_SYNCS}", "-o", str(trace)]
        subprocess.run(  # noqa: S603 - our own programs
            [*command, *child("journal", folder, steps)],
            cwd=HOUSE,
            env=environment(),
            check=True,
            timeout=PATIENCE_S,
        )
        return trace.read_text(encoding="utf-8", errors="replace")


def counted(trace: str) -> list[tuple[int, int]]:
    """Of each act in a match: how many steps it made, and how many syncs."""
    actions = []
    syncs, before = 0, -1
    for line in trace.splitlines():
        if _SYNC.match(line):
            syncs += 1
        elif mark := _MARK.search(line):
            made = int(mark[1])
            if before >= 0 and made >= 0:
                actions.append((made - before, syncs))
            syncs, before = 0, made
    return actions


def long_journals(effort: Effort) -> list[Figure]:
    """Three journals are made, the longest of ten thousand matches; that takes some seconds."""
    with machine.fresh_folder(MEMORY) as folder:
        games = _GAMES if effort.starts > 1 else _GAMES[-1:]
        sizes = {name: _bytes_a_step(folder / f"{name}.sqlite", name) for name in games}
    with machine.fresh_folder(DISK) as folder:
        lengths = (1, effort.longest // 10, effort.longest)
        journals = [folder / f"of-{length}.sqlite" for length in lengths]
        for journal, length in zip(journals, lengths, strict=True):
            _made(journal, length)
        reads = [_read_bytes(journal) for journal in journals]
        last = ["--journal", str(journals[-1])]
        # The least of several runs: other programs only ever add to it.
        times_s = {
            command: min(
                ran(nimmt(command, *last), folder)[0].processor_s for _ in range(effort.starts // 3 + 1)
            )
            for command in _SECONDS
        }
        export, _ = ran(nimmt("export", "--all", *last), folder)
    worst = max(sizes, key=lambda name: sizes[name])
    return [
        Figure(
            "long-journals.step",
            sizes[worst],
            "bytes",
            at_most(_BYTES_A_STEP),
            note=f"the largest is {worst}",
            detail=sizes,
        ),
        Figure(
            "long-journals.start-reads",
            max(reads) / reads[0],
            "times",
            at_most(_START_RATIO),
            floor=1.0,
            detail={"lengths": lengths, "bytes read": reads},
        ),
        *(
            Figure(
                f"long-journals.{command}", times_s[command], "s", at_most(limit_s), timed_by=Clock.PROCESSOR
            )
            for command, limit_s in _SECONDS.items()
        ),
        Figure("long-journals.export", export.peak_mb, "MB", at_most(_EXPORT_MB)),
    ]


def _made(path: Path, length: int) -> None:
    """A journal of so many matches with their tallies; the newest is the same whatever the length."""
    Journal.open(path, wall=lambda: _AT)[0].close()
    prepared = [_prepared(name) for name in _SHORT]
    with closing(sqlite3.connect(path, isolation_level=None, factory=Database)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        which = (length - 1) % len(_SHORT)  # so that the newest is the first of them
        order = islice(cycle(prepared), len(_SHORT) - which, len(_SHORT) - which + length)
        for number, (header, steps, tally) in enumerate(order, start=1):
            match_id = rows.begin(db, header, _AT, f"match {number}")
            rows.append(db, rows.head(db, match_id), steps, tally=tally)
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _prepared(name: str) -> tuple[dict[str, Any], list[tuple[dict[str, Any], str]], MatchTally]:
    header, *records = _steps_of_today(name)
    tally = tally_of(log.replay([header, *records]))
    return header, [(record, _AT) for record in records], tally


def _steps_of_today(name: str) -> list[dict[str, Any]]:
    """A sample whose steps are judged again, so that their reasons are stored as today."""
    header, *records = map(json.loads, (_SAMPLES / f"{name}.jsonl").read_text().splitlines())
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
        journal, _ = Journal.open(path, wall=lambda: _AT)
        with closing(journal):
            match_id = journal.begin(header)
            for number, step in enumerate(steps, start=1):
                journal.write([Append(match_id, number, step)])
        sizes.append(path.stat().st_size)
    return (sizes[-1] - sizes[0]) / (5 * len(steps))


def _read_bytes(journal: Path) -> float:
    """The bytes read from the start of Python to the first picture, with the caches filled."""
    _, printed = [ran([*bare(_START), str(journal)], journal.parent) for _ in range(2)][-1]
    return float(printed)
