"""The evening: which tables there are, what they say, which match is played there, and who plays at all.

Tables are in memory, matches in the database. People are known by their names. Where a table sends none, a
badge is all that is known, and badge 3 of one table is somebody else than badge 3 of another.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from string import digits
from typing import Any, Final

from msgspec import convert
from sqlalchemy import Connection, func, select

from companion.core.tally import MatchTally
from companion.text.names import one_spelling
from companion.values import Value, replace
from firmware.history.players import Person, people_in
from firmware.history.statistics import Player, Statistics, count_players
from firmware.text.translation import Translator
from network.hub import schema
from network.mqtt.payloads import BoxState

MAX_BOXES: Final = 20_000
"""Tables of one hub; who can invent names could fill the memory otherwise."""


class TableNow(Value):
    """A table as it is now. `uid` is the match that is played there, or was played last; empty for none."""

    name: str
    label: str = ""
    device: str = ""
    online: bool = False
    seen_s: float = 0.0
    state: BoxState | None = None
    uid: str = ""

    @property
    def title(self) -> str:
        return self.label or self.name

    @property
    def is_playing(self) -> bool:
        match = None if self.state is None else self.state.match
        return match is not None and not match.over

    @property
    def number(self) -> int:
        """The digits at the end of its name; 0 where there are none."""
        return int(self.name[len(self.name.rstrip(digits)) :] or 0)

    @property
    def order(self) -> tuple[Any, ...]:
        """Tables in the order that people expect: table 2 before table 10."""
        return self.name.rstrip(digits), self.number, self.name


class TablesNow:
    """All tables; written by the intake, read by every thread."""

    def __init__(self) -> None:
        self._boxes: dict[str, TableNow] = {}
        self._lock = threading.Lock()

    def boxes(self) -> list[TableNow]:
        with self._lock:
            return sorted(self._boxes.values(), key=lambda box: box.order)

    def page(self, page: int, on_a_page: int) -> tuple[list[TableNow], int, int]:
        """The tables of a page, from 1, or of the last one; with its number, and how many pages there are."""
        boxes = self.boxes()
        pages = max(1, -(-len(boxes) // on_a_page))
        page = min(page, pages)
        return boxes[(page - 1) * on_a_page : page * on_a_page], page, pages

    def box(self, name: str) -> TableNow | None:
        return self._boxes.get(name)

    def set(self, name: str, **fields: Any) -> TableNow | None:  # noqa: ANN401 - fields of `Box`
        """Note something of a table; None where there are too many."""
        with self._lock:
            before = self._boxes.get(name)
            if before is None and len(self._boxes) >= MAX_BOXES:
                return None
            self._boxes[name] = after = replace(before or TableNow(name), **fields)
            return after

    def load(self, db: Connection) -> None:
        """Read which matches were played last; everything else of a table is kept by the broker."""
        at = schema.match.c
        newest = select(at.box, func.max(at.changed_s).label("at_s")).group_by(at.box).subquery()
        of_newest = (at.box == newest.c.box) & (at.changed_s == newest.c.at_s)
        for row in db.execute(select(at.box, at.uid).join(newest, of_newest)):
            self.set(row.box, uid=row.uid)


# ------------------------------------------------------------------------------------- people

QUIET_S: Final = 6 * 3600.0
"""An evening begins after so long without a match."""

_MAX_MATCHES: Final = 20_000
"""Matches of an evening."""


class MatchRow(Value):
    """A match as a list shows it. `summary` is None until a deal is finished."""

    uid: str
    box: str
    header: dict[str, Any]
    begun_s: float
    changed_s: float
    summary: MatchTally | None

    def names(self, t: Translator) -> tuple[str, ...]:
        """The players by seat, as far as they are known."""
        return tuple(name or person.called(t) for person, name in self.people())

    def people(self) -> list[tuple[Person, str]]:
        """The players by seat, each with the name that the table sends; empty where it has none."""
        seats = self.summary.seats if self.summary else self.header.get("seats", 0)
        return with_names(people_in(self.header, seats), self.header.get("names", ()))


def with_names(people: Iterable[Person], sent: Sequence[str | None]) -> list[tuple[Person, str]]:
    """Players, each with the name that the table sends, by seat; a table may send `P3` for none."""
    names = ((person, sent[person.seat] if person.seat < len(sent) else None) for person in people)
    return [(person, "" if name in (None, person.name) else one_spelling(name)) for person, name in names]


def matches(db: Connection, before_s: float | None = None, most: int = _MAX_MATCHES) -> Iterator[MatchRow]:
    """The matches that the hub heard of last, the newest first."""
    at = schema.match.c
    wanted = select(*(at[name] for name in MatchRow.__struct_fields__))
    if before_s is not None:
        wanted = wanted.where(at.begun_s < before_s)
    for row in db.execute(wanted.order_by(at.begun_s.desc(), at.uid).limit(most)):
        yield convert(row, MatchRow, from_attributes=True)


def of_the_evening(db: Connection) -> Iterator[MatchRow]:
    """The matches since the last long quiet time, the newest first."""
    newer_s: float | None = None
    for match in matches(db):
        if newer_s is not None and newer_s - max(match.begun_s, match.changed_s) > QUIET_S:
            return
        newer_s = match.begun_s
        yield match


def standing(evening: Iterable[MatchRow], title_of: Callable[[str], str], t: Translator) -> list[Statistics]:
    """A line for everybody and each game, the best first; `title_of` says what a table is called."""

    def players(match: MatchRow) -> Iterator[Player]:
        for person, name in match.people():
            shown = name or f"{person.called(t)} ({title_of(match.box)})"
            yield person.seat, name or (match.box, person.name), Statistics(person.badge, shown, "")

    return count_players((players(match), match.summary) for match in evening if match.summary is not None)
