"""Twelve figures, each of which guards a promise: what is measured, beside the limit that it must not exceed.

No figure is elapsed time: each is counted, or is the ratio of two times of the same run, or is processor
time. So a busy machine is not taken for a slow program. Where a measurement is repeated, the shortest time
counts, for other programs can only add to it.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, Literal

from companion.values import Value

HOUSE: Final = Path(__file__).parents[2]
"""The folder of the project; programs are started in it."""

PATIENCE_S: Final = 120.0
"""How long to wait for what must happen before a measurement is given up."""

UNDECIDED: Final = 75
"""The exit status of a run that found nothing out: EX_TEMPFAIL of sysexits.h, "try again"."""


class Figure(Value):
    """What was measured, beside its limit and the floor, below which no program could go on this machine.

    `measured` is None where this machine cannot measure it; the note then says what to do.
    """

    measured: float | None
    unit: str
    limit: float
    floor: float | None = None
    note: str = ""

    @property
    def verdict(self) -> Literal["held", "MISSED", "not measurable"]:
        if self.measured is None:
            return "not measurable"
        return "held" if self.measured <= self.limit else "MISSED"


def outcome(figures: Iterable[Figure]) -> int:
    """The exit status: 0 if all limits are held, 1 if one is missed, else 75 if one was not measurable."""
    verdicts = {figure.verdict for figure in figures}
    if "MISSED" in verdicts:
        return 1
    return UNDECIDED if "not measurable" in verdicts else 0


def processor_s(work: Callable[[], object]) -> float:
    """The time that this thread has on a processor for a piece of work."""
    began_s = time.thread_time()
    work()
    return time.thread_time() - began_s


def processor_of(pid: int) -> float:
    """Seconds that all threads of another process have had on a processor so far, to the nanosecond."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9


def resident_mb(pid: int) -> float:
    """The resident memory of a process in millions of bytes (`VmRSS`), shared libraries included."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024 / 1e6
