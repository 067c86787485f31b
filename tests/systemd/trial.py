"""What all trials share: how fast this machine is just now, what was done, how a program is reached.

A trial boots whole systems. On a busy machine everything takes many times longer, and what was only slow
looks broken. So a fixed piece of work is measured first, and every time-out is as many times longer.
"""

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

NOT_DONE: Final = 75
"""The exit status of a trial that has found nothing out: EX_TEMPFAIL of sysexits.h, "try again"."""

HOPELESS: Final = 15.0
"""So many times slower than usual, a trial is not begun: it would take a day."""

_PIECE_S: Final = 0.0077
"""What a piece of the work takes on the machine of the usual times, with nothing beside it."""
_PIECES: Final = 60
_SLOWED: Final = 1.5


class NotDone(Exception):
    """The trial could not be made, so nothing is known of the product. Says why."""


def slowness() -> float:
    """How many times longer a fixed piece of work takes here and now than usual.

    By the clock on the wall: what others take of the processor counts. Blocks for half a second or more.
    """
    began_s = time.perf_counter()
    for _ in range(_PIECES):
        sum(number * number % 7 for number in range(100_000))
    return (time.perf_counter() - began_s) / (_PIECES * _PIECE_S)


@dataclass
class Pace:
    """The pace of this machine; `factor` is 1 where it is as fast as usual, or faster."""

    measure: Callable[[], float] = slowness
    factor: float = 1.0

    def calibrate(self) -> None:
        """Measure it; before anything is started. Raises `NotDone` where a trial makes no sense."""
        self.factor = max(1.0, self.measure())
        if self.factor > HOPELESS:
            raise NotDone(
                f"this machine is {self.factor:.0f} times slower than usual, and up to {HOPELESS:.0f} "
                "will do: end other programs, and try again"
            )

    def patient_s(self, usual_s: float) -> float:
        """How long to wait here for what takes less than so many seconds usually."""
        return usual_s * self.factor

    def follow(self) -> bool:
        """Wait longer from now on if the machine has slowed, but not hopelessly; whether it has."""
        now = self.measure()
        if not _SLOWED * self.factor < now <= HOPELESS:
            return False
        self.factor = now
        return True

    def has_slowed(self) -> bool:
        """Whether the machine has become so much slower since that a time-out says nothing."""
        return self.measure() > _SLOWED * self.factor


PACE: Final = Pace()
"""The pace of the trial that runs in this process."""


def status(*, failed: bool, not_done: bool) -> int:
    """The exit status of a trial: 0 all went as it should, 1 something did not, else `NOT_DONE`."""
    if failed:
        return 1
    return NOT_DONE if not_done else 0


@dataclass
class Report:
    """What was tried and what came of it; `rows` make the table."""

    rows: list[tuple[str, str]] = field(default_factory=list)

    def did(self, what: str, result: str) -> None:
        self.rows.append((what, result))
        sys.stderr.write(f"{what}: {result}\n")

    def goes_on(self, what: str) -> None:
        """Show that it goes on; not for the table."""
        sys.stderr.write(f"  {what}\n")

    def table(self) -> str:
        return "\n".join(
            ["| what was done | what came of it |", "|---|---|", *(f"| {a} | {b} |" for a, b in self.rows)]
        )


def spread(seconds: list[float]) -> str:
    """The middle one, the shortest and the longest."""
    return f"{sorted(seconds)[len(seconds) // 2]:.1f} s ({min(seconds):.1f} to {max(seconds):.1f})"


def begun(packages: Collection[str]) -> Report:
    """A report for a trial that may begin. Else the program ends, and says why.

    Its exit status is 2 without root, or where these packages are missing; `NOT_DONE` at a hopeless pace.
    """
    if os.geteuid() or packages:
        sys.stderr.write(f"this needs root, and: apt install {' '.join(packages)}\n")
        sys.exit(2)
    report = Report()
    try:
        PACE.calibrate()
    except NotDone as hopeless:
        sys.stderr.write(f"NOT DONE: {hopeless}\n")
        sys.exit(NOT_DONE)
    report.did("this machine", f"{PACE.factor:.1f} times as slow as the one of the usual times")
    return report


def connected(place: Path, usual_s: float) -> socket.socket:
    """A connection to a Unix socket that another program is about to open. Raises `TimeoutError`."""
    deadline_s, pause = time.monotonic() + PACE.patient_s(usual_s), threading.Event()
    while True:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(str(place))
        except OSError:
            line.close()
            if time.monotonic() > deadline_s:
                raise TimeoutError from None
            pause.wait(0.01)
        else:
            return line
