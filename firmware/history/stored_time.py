"""Times as the journal stores them."""

from __future__ import annotations

from datetime import UTC, datetime


def read_time(text: str) -> datetime | None:
    """A wall clock time in UTC; None if the text is not a time. Without a time zone it is UTC."""
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is UTC:
            return found
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):  # overflow: a time of the year 1 or 9999, in another time zone
        return None


def shown(when: datetime) -> str:
    """A time as the clock on the wall at the table shows it, with its zone: `2026-02-21 23:00 UTC+03:30`."""
    try:
        here = when.astimezone()
    except (ValueError, OverflowError, OSError):  # a year for which the system knows no time zone
        here = when
    text = here.isoformat(" ", "minutes")  # a list shows thousands, and strftime takes four times as long
    ahead = text[16:22]
    return f"{text[:16]} UTC{'' if ahead[1:] == '00:00' else ahead}"


def local_time(text: str) -> datetime | None:
    """The same as a clock on the wall at the table shows it, in the time zone of this machine."""
    found = read_time(text)
    try:
        return None if found is None else found.astimezone()
    except (ValueError, OverflowError, OSError):  # a year for which the system knows no time zone
        return found
