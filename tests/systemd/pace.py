"""How fast this machine is just now: how long a trial has to wait, and whether it can say anything at all.

A trial boots whole systems. On a busy machine everything takes many times longer, and what was only slow
looks broken. So a fixed piece of work is measured first, and every time-out is as many times longer.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
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
