"""The machine that the figures are measured on, and what it says of a program.

What it is; a folder on its disk or in its memory; time on the wall and on a processor; how busy others are.
"""

from __future__ import annotations

import os
import platform
import resource
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.values import Value, field

if TYPE_CHECKING:
    from hardware.simulation.gpio_chip import GpioChip

BUS_HZ: Final = 400_000
"""Of the simulated I2C bus; that of a panel in fast mode."""

HOUSE: Final = Path(__file__).parents[2]
"""The folder of the project; programs are started in it."""

DISK: Final = HOUSE / "build" / "bench"
"""Where files lie that must be on a real disk; the folder for temporary files may be in memory."""

_SHM: Final = Path("/dev/shm")  # noqa: S108 - a private folder is made in it
MEMORY: Final = _SHM if _SHM.is_dir() else DISK
"""A file system without a disk, where a sync costs nothing; the disk on a machine that has none."""

STEP_BYTES: Final = 4120
"""What SQLite appends to its log for a step: one page and its header."""

_TICK_S: Final = 1 / os.sysconf("SC_CLK_TCK")
_BUSY: Final = (0, 1, 2, 5, 6, 7)  # user, nice, system, irq, softirq, steal: proc(5), /proc/stat
_NS_PER_S: Final = 1e9
KIB_PER_MB: Final = 1000 / 1.024


def simulated_pins() -> GpioChip:
    """A simulated chip under the real gpiozero and gpiod."""
    from hardware.simulation import gpio_chip

    return gpio_chip.installed()


def described() -> dict[str, Any]:
    """The machine in a few words, for people and for the file."""
    return {
        "processor": _processor() or platform.processor() or platform.machine(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "python": platform.python_version(),
    }


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return ""


@contextmanager
def fresh_folder(place: Path) -> Iterator[Path]:
    """A new folder within a place, which is made if need be; gone with all that is in it at the end."""
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place, prefix="nimmt-bench-") as folder:
        yield Path(folder)


class Measured(Value):
    """Two times for the same thing, in seconds, and of a child that has ended its memory.

    On a busy machine only the second says something about the program: one that waits for its turn takes
    longer and uses no more.
    """

    wall_s: float
    processor_s: float
    """Of user and kernel together, all threads."""

    peak_mb: float = 0.0
    """The most resident memory that a child ever had, in millions of bytes."""


def resident_mb(pid: int) -> float:
    """The resident memory of a process in millions of bytes (`VmRSS`).

    Shared libraries are included.
    """
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return float(line.split()[1]) / KIB_PER_MB
    raise ProcessLookupError(f"process {pid} has no memory")


def processor_s(pid: int) -> float:
    """Seconds that all threads of a process have had on a processor so far, to the nanosecond.

    `/proc/<pid>/stat` counts in ticks of 10 ms, which is too coarse for a program that sleeps.
    """
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / _NS_PER_S


def sync_times_s(repetitions: int, gap_s: float) -> list[float]:
    """How long it takes to append a step to a file and have it on the disk, each time.

    This is the least that a step costs which must survive a power cut. `gap_s` is the pause before each: a
    disk and its driver that have gone to sleep are slower.
    """
    block = os.urandom(STEP_BYTES)
    DISK.mkdir(parents=True, exist_ok=True)
    place, pause = DISK / f"raw-{os.getpid()}", threading.Event()
    file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    times_s = []
    try:
        for _ in range(repetitions):
            pause.wait(gap_s)
            began_s = time.perf_counter()
            os.write(file, block)
            os.fdatasync(file)
            times_s.append(time.perf_counter() - began_s)
    finally:
        os.close(file)
        place.unlink()
    return times_s


class Neighbours(Value):
    """A stop watch over the processors: begins when it is made."""

    _began_s: float = field(default_factory=time.monotonic)
    _busy_s: float = field(default_factory=lambda: _all_s() - _own_s())

    def percent(self) -> float:
        """What others have had since, in percent of one processor; programs of ours must have ended."""
        took_s = time.monotonic() - self._began_s
        return max(0.0, 100 * (_all_s() - _own_s() - self._busy_s) / took_s)


def _all_s() -> float:
    ticks = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:]
    return sum(int(ticks[place]) for place in _BUSY) * _TICK_S


def _own_s() -> float:
    """What we have had: the process itself, and those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
