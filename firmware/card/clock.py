"""Setting the clock of the box to the time that another program has offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from firmware.service.machine import KNOWN_PAST_S

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from firmware.service.clock import Clock

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
