"""Who played this evening, and how: the standing over all tables, from the tallies of the matches.

People are known by their names. Where a table sends none, a badge is all that is known, and badge 3 of one
table is somebody else than badge 3 of another.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import convert
from sqlalchemy import Connection, select

from companion.core.tally import MatchTally
from companion.values import Value
from firmware.history.players import people_in
from firmware.history.statistics import Statistics
from network.hub import schema

QUIET_S: Final = 6 * 3600.0
"""An evening begins after so long without a match."""

_MOST: Final = 20_000
_AT_ONCE: Final = 500


class MatchRow(Value):
    """A match as a list shows it. `tally` is None until a deal is finished."""

    uid: str
    box: str
    header: dict[str, Any]
    steps: int
    begun_s: float
    changed_s: float
    tally: MatchTally | None

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat, as far as they are known."""
        seats = self.tally.seats if self.tally else self.header.get("seats", 0)
        return names_in(self.header, seats)


def names_in(header: dict[str, Any], seats: int) -> tuple[str, ...]:
    """The names of so many players of a match: those that are sent, else their badges."""
    people = people_in(header, seats)
    sent = header.get("names", ())
    return tuple(
        name if (name := sent[one.seat] if one.seat < len(sent) else None) else one.name for one in people
    )


def matches(db: Connection, before_s: float | None = None, most: int = _AT_ONCE) -> list[MatchRow]:
    """The matches that the hub heard of last, the newest first."""
    at = schema.match.c
    wanted = select(at.uid, at.box, at.header, at.steps, at.begun_s, at.changed_s, at.summary)
    if before_s is not None:
        wanted = wanted.where(at.begun_s < before_s)
    rows = db.execute(wanted.order_by(at.begun_s.desc(), at.uid).limit(most))
    return [
        MatchRow(
            row.uid, row.box, json.loads(row.header or "{}"), row.steps, row.begun_s, row.changed_s,
            _read(row.summary) if row.summary else None,
        )
        for row in rows
    ]  # fmt: skip


def _read(summary: str) -> MatchTally:
    """The tally in the database; older versions stored null for what was taken."""
    known = json.loads(summary)
    return convert({**known, "taken": known["taken"] or ()}, MatchTally)


def of_the_evening(db: Connection) -> Iterator[MatchRow]:
    """The matches since the last long quiet time, the newest first."""
    newer_s: float | None = None
    for _ in range(_MOST // _AT_ONCE):
        found = matches(db, newer_s)
        for one in found:
            if newer_s is not None and newer_s - max(one.begun_s, one.changed_s) > QUIET_S:
                return
            newer_s = one.begun_s
            yield one
        if len(found) < _AT_ONCE:
            return


def standing(evening: Iterable[MatchRow]) -> Sequence[Statistics]:
    """A line for everybody and each game: who has won most first, then who has the better mean."""
    found: dict[tuple[object, str, bool], Statistics] = {}
    for match in evening:
        tally = match.tally
        if tally is None:
            continue
        sent, badges = match.header.get("names", ()), match.header.get("badges", ())
        for seat, name in enumerate(match.names):
            named = seat < len(sent) and sent[seat]
            who = name if named else (match.box, name)
            shown = name if named else f"{name} ({match.box})"
            badge = badges[seat] if seat < len(badges) else 0
            key = (who, tally.game, tally.high)
            line = found.setdefault(key, Statistics(badge, shown, tally.game, high_wins=tally.high))
            line.add(seat, tally)
    return sorted(found.values(), key=_rank)


def _rank(line: Statistics) -> tuple[Any, ...]:
    mean = line.mean if line.mean is not None else 0.0
    return (line.game, -line.wins, -mean if line.high_wins else mean, line.name)
