"""The time of day where a machine has no clock: whether anything has told it, and how a program tells it.

A program that has heard the time, and runs as a user who may not set the clock, leaves it in a folder in
memory; systemd then starts `nimmt card clock`, which may do that and nothing else, and decides.
"""

import math
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.values import Value
from firmware.bounded_file import publish, read_bounded

KNOWN_PAST_S: Final = 1_780_000_000
"""May 2026: this program did not exist before, so a clock that shows an earlier time was never set."""
_STALE_S: Final = 60.0
"""An offer that nobody has taken for so long counts no more."""


class Clock(Value):
    """The clock of this machine; other places are for tests. Times of day are seconds since 1970."""

    rtc: Path = Path("/sys/class/rtc")
    synchronized: Path = Path("/run/systemd/timesync/synchronized")
    folder: Path = Path("/run/table-clock")
    """There only where the box takes a time from another program."""
    now_s: Callable[[], float] = time.time
    since_start_s: Callable[[], float] = lambda: time.clock_gettime(time.CLOCK_BOOTTIME)
    """A clock that nobody sets, the same for all programs."""

    def is_told(self) -> bool:
        """Whether anything has told this machine the time since its start."""
        with suppress(OSError):  # most machines have no such folder
            if any(self.rtc.iterdir()):
                return True
        return self.synchronized.exists() or self._told.exists()

    def asks(self) -> bool:
        """Whether a time may be offered now."""
        return self._offer.parent.is_dir() and not self.is_told()

    @property
    def began_s(self) -> float:
        """The time of day when the machine started, by its clock: it changes only when that is set."""
        return self.now_s() - self.since_start_s()

    def offer(self, now_s: float) -> None:
        """Offer a time. Raises `OSError`."""
        publish(f"{now_s:.3f} {self.since_start_s():.3f}\n".encode(), self._offer)

    def is_offered(self) -> bool:
        return self._offer.exists()

    def withdraw(self) -> None:
        """Remove the offer. Raises `OSError`."""
        self._offer.unlink(missing_ok=True)

    def offered_s(self) -> float | None:
        """The time that it must be now by the offer; None without an offer, or with one that says nothing."""
        try:
            offer = read_bounded(self._offer, follow=False)
            said, at_s = map(float, offer.decode("ascii").split())
        except (OSError, ValueError):
            return None
        passed_s = self.since_start_s() - at_s
        return said + passed_s if 0 <= passed_s <= _STALE_S and math.isfinite(said) else None

    def tell(self) -> None:
        """Note that the clock was set. Raises `OSError`."""
        self._told.touch()

    @property
    def _offer(self) -> Path:
        # In a folder of its own, which belongs to the user of the game; root writes nothing there.
        return self.folder / "offered" / "time"

    @property
    def _told(self) -> Path:
        return self.folder / "told"


SAVED: Final = "var/lib/systemd/timesync/clock"
"""Its time is that of the box when it was switched off; systemd-timesyncd keeps it."""
LATEST_S: Final = KNOWN_PAST_S + 50 * 365 * 86_400
"""Who says a later time is wrong."""


def take(clock: Clock, saved: Path, set_s: Callable[[float], None]) -> str:
    """Set the clock with `set_s` if the time that is offered can be right; what was done, for the log.

    Never where something better has told the time, and never to a time before the one that was saved: what
    was played before must not seem to be later. The offer is gone afterwards. Raises `OSError`.
    """
    try:
        offered_s = clock.offered_s()
        if offered_s is None:
            return "no time is offered"
        if clock.is_told():
            return "the clock is set already"
        earliest_s = max(KNOWN_PAST_S, saved.stat().st_mtime if saved.exists() else 0.0)
        if not earliest_s <= offered_s <= LATEST_S:
            return f"{offered_s:.0f} is refused: it is not from {earliest_s:.0f} to {LATEST_S}"
        set_s(offered_s)
        clock.tell()
        return f"the clock is set to {offered_s:.0f}"
    finally:
        clock.withdraw()
