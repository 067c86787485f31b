"""Times as the journal stores them."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Final

from companion.text.sentence import Text, in_context
from firmware.text.translation import Translator


def read_time(text: str) -> datetime | None:
    """A wall clock time in UTC; None if the text is not a time. Without a time zone it is UTC."""
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is UTC:
            return found
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):  # overflow: a time of the year 1 or 9999, in another time zone
        return None


_LONGEST_GAP: Final = timedelta(minutes=30)


def minutes_of(times: Iterable[str]) -> int | None:
    """How long was played, for the times of the start and of each step; None if fewer than two are known.

    It is the sum of the gaps. A gap counts half an hour at most, because a match can be suspended and a clock
    be set meanwhile; one backwards counts nothing.
    """
    known = [time for time in map(read_time, times) if time is not None]
    if len(known) < 2:  # noqa: PLR2004 - a gap has two ends
        return None
    gaps = (max(timedelta(), min(after - before, _LONGEST_GAP)) for before, after in pairwise(known))
    return round(sum(gaps, timedelta()) / timedelta(minutes=1))


def shown(when: datetime, t: Translator) -> str:
    """A time as the clock on the wall at the table shows it, with its zone: `2026-02-21 23:00 UTC+03:30`.

    The date is written as the language writes it, in its calendar and digits; the zone is the same
    everywhere.
    """
    here = _here(when)
    text = here.isoformat(" ", "minutes")  # a list shows thousands, and strftime takes four times as long
    ahead = text[16:22]
    return f"{day(here, t)} {t.digits(text[11:16])} UTC{'' if ahead[1:] == '00:00' else ahead}"


def day(when: datetime, t: Translator) -> str:
    """The date of a time, as the language writes it, in its calendar and digits: `2026-02-21`."""
    # Translators: Only numbers, with leading zeros; the calendar is that of the language.
    return _format(when, t, in_context("a date", "{year}-{month}-{day}"))


def day_of_year(when: datetime, t: Translator) -> str:
    """The same without the year, where there is little room: `02-21`."""
    # Translators: Only numbers, with leading zeros, in few letters.
    return _format(when, t, in_context("a date without its year", "{month}-{day}"))


def _format(when: datetime, t: Translator, form: Text) -> str:
    year, month, of_month = t.date(when)
    said = form.with_facts(year=f"{year:04}", month=f"{month:02}", day=f"{of_month:02}")
    return t.digits(t.say(said))


def local_time(text: str) -> datetime | None:
    """The same as a clock on the wall at the table shows it, in the time zone of this machine."""
    found = read_time(text)
    return None if found is None else _here(found)


def _here(when: datetime) -> datetime:
    try:
        return when.astimezone()
    except (ValueError, OverflowError, OSError):  # a year for which the system knows no time zone
        return when
