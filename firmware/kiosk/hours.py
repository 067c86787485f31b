"""Opening hours."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


def is_open(hours: tuple[int, int] | None, now: datetime | None) -> bool:
    """Whether a box with these hours, in minutes from midnight, is open.

    A span may go past midnight. A box whose clock is not set (None) stays open.
    """
    if hours is None or now is None:
        return True
    begin, end = hours
    minute = now.hour * 60 + now.minute
    return begin <= minute < end if begin < end else minute >= begin or minute < end
