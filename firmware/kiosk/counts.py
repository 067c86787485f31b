"""What visitors did, counted by day: one line of a CSV file each, without any personal data.

The file is written when a visitor has gone, and now and then in between: a power cut loses the counts of a
few minutes at most. A line that cannot be read is left out when the file is written the next time.
"""

import csv
import io
import logging
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Final

from companion.text.files import text_in
from companion.text.spreadsheet import csv_text
from firmware.bounded_file import keep, read_bounded
from firmware.play.effects import VisitorAction

_LOG: Final = logging.getLogger(__name__)

FILE: Final = "kiosk.csv"
DAY: Final = "day"
COLUMNS: Final = tuple(what.value for what in VisitorAction)

UNKNOWN_DAY: Final = "unknown"
"""The day of what was counted while the clock was not set."""

_MOST_DAYS: Final = 4000
"""Ten years; older days are dropped."""


class Counts:
    """The counts of all days. For one thread. Without a `path` they are kept in memory only."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._days = _read(path)
        self._changed = False

    def add(self, day: str, column: str) -> None:
        counts = self._days.setdefault(day, dict.fromkeys(COLUMNS, 0))
        counts[column] += 1
        self._changed = True
        if len(self._days) > _MOST_DAYS:
            del self._days[next(iter(self._days))]

    def of(self, day: str) -> Mapping[str, int]:
        return self._days.get(day, dict.fromkeys(COLUMNS, 0))

    def in_all(self) -> Mapping[str, int]:
        """The counts of all days together."""
        return {column: sum(day[column] for day in self._days.values()) for column in COLUMNS}

    def save(self) -> None:
        """Write what has changed. A file that cannot be written is logged once, and no more is tried."""
        if not self._changed or self._path is None:
            return
        try:
            keep(self.as_csv().encode(), self._path, 0o644)
        except OSError as error:
            _LOG.warning("the counts of the kiosk can no longer be written: %s", error)
            self._path = None
        self._changed = False

    def as_csv(self) -> str:
        """All days, one line each."""
        days = ((day, *(counts[column] for column in COLUMNS)) for day, counts in self._days.items())
        return csv_text(chain([(DAY, *COLUMNS)], days))


def _read(path: Path | None) -> dict[str, dict[str, int]]:
    try:
        return dict(_days(text_in(read_bounded(path)))) if path else {}
    except (OSError, ValueError):
        return {}


def _days(text: str) -> Iterator[tuple[str, dict[str, int]]]:
    for line in csv.DictReader(io.StringIO(text)):
        day = line.get(DAY)
        counts = {column: line.get(column) or "0" for column in COLUMNS}
        if day and all(count.isdecimal() for count in counts.values()):
            yield day, {column: int(count) for column, count in counts.items()}


def is_open(hours: tuple[int, int] | None, now: datetime | None) -> bool:
    """Whether a box with these hours, in minutes from midnight, is open.

    A span may go past midnight. A box whose clock is not set (None) stays open.
    """
    if hours is None or now is None:
        return True
    begin, end = hours
    minute = now.hour * 60 + now.minute
    return begin <= minute < end if begin < end else minute >= begin or minute < end
