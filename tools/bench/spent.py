"""How long something took, by the clock on the wall and by the time it had on a processor.

On a busy machine only the second says something about the program: one that waits for its turn takes longer
and uses no more.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import subprocess


@dataclass(frozen=True, slots=True)
class Spent:
    """Two times for the same thing, in seconds."""

    wall_s: float
    processor_s: float
    """Of user and kernel together, all threads."""


class Stopwatch:
    """Runs from when it is made: this process with all its threads, or others through their `processor_s`."""

    def __init__(self) -> None:
        self._began: Final = (time.perf_counter(), time.process_time())

    def spent(self) -> Spent:
        """What this process has spent since; its children do not count."""
        wall_s, processor_s = self._began
        return Spent(time.perf_counter() - wall_s, time.process_time() - processor_s)


def ended(process: subprocess.Popen[bytes], began_s: float) -> Spent:
    """Wait for a child to end: how long since `began_s` (`time.perf_counter`), and what it used.

    What its own children used counts. Sets its `returncode`. Blocks for as long as the child runs.
    """
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Spent(time.perf_counter() - began_s, used.ru_utime + used.ru_stime)
