"""What a step costs the disk: how many syncs, and how many steps a second beside the disk's own pace."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

from companion.core import games
from companion.match.log import header, write_step
from companion.protocol.referee import Referee
from firmware.journal.store import Journal
from firmware.play.runtime import wall
from tools.bench import disk, machine
from tools.bench.figure import Figure, exactly, middle, slow_end
from tools.bench.programs import PATIENCE_S, environment
from tools.bench.referee_rate import conversation

if TYPE_CHECKING:
    from companion.match.match import Step
    from tools.bench.effort import Effort

_SYNCS: Final = "fsync,fdatasync,sync,syncfs,sync_file_range,msync"
_MARK: Final = re.compile(r'write\(\d+, "steps (-?\d+)\\n"')
_SYNC: Final = re.compile(rf"\s*\d+\s+(?:{_SYNCS.replace(',', '|')})\(")


def measure(effort: Effort) -> list[Figure]:
    """One sync for each step and none for anything else; no clock is asked for that."""
    return [_syncs(effort), _pace(effort)]


# -------------------------------------------------------------------------------------------- how many syncs


def _syncs(effort: Effort) -> Figure:
    name, about = "journal.syncs", "syncs of the disk for each step of a match played on the device"
    floor_is = "what was not synced is not on the disk"
    if shutil.which("strace") is None:
        note = "needs strace to count what the kernel is asked for: apt-get install strace"
        return Figure(name, about, None, "", 1.0, floor_is, exactly(1.0), note)
    actions = counted(_trace(effort.steps))
    # The act that is farthest off stands for all: an average would hide a step with two behind one with none.
    worst = max((syncs - steps for steps, syncs in actions), key=abs)
    made, idle = sum(steps for steps, _ in actions), [syncs for steps, syncs in actions if not steps]
    return Figure(
        name,
        about,
        1.0 + worst,
        "",
        1.0,
        floor_is,
        exactly(1.0),
        f"{made} steps, {sum(syncs for steps, syncs in actions if steps)} syncs; "
        f"{len(idle)} inputs that make no step, {sum(idle)} syncs",
        {"steps": made, "syncs": sum(syncs for _, syncs in actions), "acts_without_step": len(idle)},
    )


def _trace(steps: int) -> str:
    """What strace saw of a match that was played on the disk."""
    with machine.fresh_folder(machine.DISK) as folder:
        trace = folder / "trace"
        command = ["strace", "-f", "-e", f"trace=write,{_SYNCS}", "-o", str(trace)]
        subprocess.run(  # noqa: S603 - our own programs
            [*command, sys.executable, "-m", "tools.bench.journal_child", str(folder), str(steps)],
            cwd=machine.HOUSE,
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


# --------------------------------------------------------------------------------------------- steps a second


def _pace(effort: Effort) -> Figure:
    """Steps one after the other without a pause, as another program makes them through `nimmt referee`."""
    with machine.fresh_folder(machine.DISK) as folder:
        journal, _ = Journal.open(folder / "journal.sqlite", wall=wall)
        try:
            times_s = _times_s(journal, effort.steps)
            step_bytes = (folder / "journal.sqlite-wal").stat().st_size // len(times_s)
        finally:
            journal.close()
        raw_s = disk.sync_times_s(folder, step_bytes, effort.steps)
    return Figure(
        name="journal.pace",
        about="steps a second that the journal takes, each on the disk before the next",
        measured=1 / middle(times_s),
        unit="/s",
        floor=1 / middle(raw_s),
        floor_is=f"appending {step_bytes} bytes to a file and syncing it",
        note=f"a step {1000 * middle(times_s):.2f} ms, p95 {1000 * slow_end(times_s):.2f} ms; "
        f"a bare sync {1000 * middle(raw_s):.2f} ms; on {machine.file_system(machine.DISK)}",
        detail={"step_bytes": step_bytes, "p95_ms": 1000 * slow_end(times_s)},
    )


def _times_s(journal: Journal, steps: int) -> list[float]:
    """How long it takes to save each of so many steps of matches by chance."""
    match_ids: list[int] = []
    times_s: list[float] = []

    def stepped(step: Step) -> None:
        record = write_step(step, sentences=False)
        began_s = time.perf_counter()
        journal.append(match_ids[-1], step.number, record)
        times_s.append(time.perf_counter() - began_s)

    referee = Referee(lambda terms: match_ids.append(journal.begin(header(terms))), stepped)
    for line in conversation(games.first(), steps):
        referee.answer(line)
    return times_s
