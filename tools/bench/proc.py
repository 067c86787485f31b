"""What the kernel says about a process: its memory and the time it has had on a processor."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_NS_PER_S: Final = 1e9
_KIB_PER_MB: Final = 1000 / 1.024


def resident_mb(pid: int | str) -> float:
    """The resident memory of a process ("self": of this one) in millions of bytes (`VmRSS`).

    Shared libraries are included.
    """
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return float(line.split()[1]) / _KIB_PER_MB
    raise ProcessLookupError(f"process {pid} has no memory")


def processor_s(pid: int) -> float:
    """Seconds that all threads of a process have had on a processor so far, to the nanosecond.

    `/proc/<pid>/stat` counts in ticks of 10 ms, which is too coarse for a program that sleeps.
    """
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / _NS_PER_S
