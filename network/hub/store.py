"""The database: every step of every match once, however often it is sent.

A match begins with its header. Its steps are stored in order: one that is known is left alone, one that comes
before its predecessor is not taken, for its table sends both again. So a match in the database never has a
gap.

A table whose journal was restored from a backup has another history of a match, with the same numbers. It is
noticed by the times of the steps (`at` and `after` of an event): then what the table has counts, and the hub
takes the match again from its beginning. Two histories are never mixed.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import sqlalchemy as sa
from msgspec import Struct, json
from sqlalchemy import Connection, func, select

from companion.text.errors import CompanionError
from companion.values import field
from network.hub import faults, schema
from network.hub.schema import METADATA
from network.mqtt.payloads import MatchEvent

_LOG: Final = logging.getLogger(__name__)

VERSION: Final = 1
"""Of the tables in the database."""

MAX_MATCHES: Final = 200
"""Of so many matches a table is told how many steps are stored; it tells of fewer."""

MAX_A_DAY: Final = 300
"""Matches that a table may begin in a day; to a new hub it sends its newest hundred."""

_DAY_S: Final = 86_400.0

ANEW_S: Final = 60.0
"""After so long a match can be taken anew again: two boxes with one match must not take turns for ever."""


def _made_ready(db: Connection) -> None:
    """Make the tables of a new database, in the open transaction. Raises `CompanionError` for a later one."""
    METADATA.create_all(db)
    version = db.execute(select(schema.version.c.version)).scalar()
    if version is None:
        db.execute(sa.insert(schema.version).values(version=VERSION))
    elif version > VERSION:
        raise CompanionError(
            f"the database has version {version}, but this program knows {VERSION}", "update the program"
        )


class MatchUpdate(Struct):
    """A match with its row, and what is new of it."""

    uid: str
    box: str
    header: Mapping[str, Any]
    steps: int = 0
    last_at: str = ""
    anew_s: float = 0.0
    begins: bool = False
    """Whether the header or the whole history is another one than before."""
    is_changed: bool = False
    rows: list[dict[str, Any]] = field(default_factory=list)
    """The new steps, in order, as rows of their table."""


class StoredEvents(Struct):
    """What has come of events: the matches that they were about, also where nothing was new."""

    matches: dict[str, MatchUpdate]
    incomplete: set[str] = field(default_factory=set)
    """The tables that have sent a step without those before it."""


class Store:
    """A database by its URL; every method may be called from every thread."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        with self.writing() as db:
            _made_ready(db)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes; it is on disk when this ends. Raises `SQLAlchemyError`."""
        with self.engine.connect().execution_options(writes=True) as db, db.begin():
            yield db

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self.engine.connect() as db, db.begin():
            yield db

    def take(self, db: Connection, arrived: Sequence[tuple[str, MatchEvent, float]]) -> StoredEvents:
        """Store events in the order in which they came, each with its table and the time."""
        at = schema.match.c
        wanted = select(at.uid, at.box, at.header, at.steps, at.last_at, at.anew_s)
        rows = db.execute(wanted.where(at.uid.in_({event.match for _, event, _ in arrived})))
        taken = StoredEvents({row.uid: MatchUpdate(*row) for row in rows})
        for box, event, at_s in arrived:
            match = taken.matches.get(event.match)
            if event.number == 0 and (match is not None or _may_begin(db, taken, box, at_s)):
                taken.matches[event.match] = _take_header(match, box, event)
            elif match is None or not _take_step(db, match, box, event, at_s):
                taken.incomplete.add(box)
        _write(db, taken.matches.values(), arrived[-1][2])
        return taken

    def stored(self, box: str) -> dict[str, int]:
        """How many steps of the newest matches of a table are stored, the oldest match first."""
        at = schema.match.c
        newest = select(at.uid, at.steps).where(at.box == box).order_by(at.begun_s.desc(), at.uid)
        with self.reading() as db:
            rows = db.execute(newest.limit(MAX_MATCHES)).all()
        return {row.uid: row.steps for row in reversed(rows)}

    def match(self, uid: str) -> tuple[dict[str, Any] | None, Sequence[Any]]:
        """The header of a match, None where there is no such match, and the rows of its steps, in order."""
        at = schema.step.c
        with self.reading() as db:
            header = db.execute(select(schema.match.c.header).where(schema.match.c.uid == uid)).scalar()
            steps = select(at.number, at.record, at.at).where(at.uid == uid).order_by(at.number)
            return header, db.execute(steps).mappings().all()


def _may_begin(db: Connection, taken: StoredEvents, box: str, at_s: float) -> bool:
    """Whether a table may begin one more match; if not, that is told."""
    at = schema.match.c
    begun = select(func.count()).where(at.box == box, at.begun_s > at_s - _DAY_S)
    new = sum(match.box == box and match.begins for match in taken.matches.values())
    if db.execute(begun).scalar_one() + new < MAX_A_DAY:
        return True
    faults.report(db, ("too many", box, ""), at_s, {"count": MAX_A_DAY})
    return False


def _take_step(db: Connection, match: MatchUpdate, box: str, event: MatchEvent, at_s: float) -> bool:
    """Store a step if it is the next one; False if those before it are missing."""
    next_number = match.steps + 1
    if event.number > next_number:
        return False
    if event.number == next_number:
        belongs = event.after == match.last_at
    else:
        belongs = _stored(db, match, event.number) == (event.at, event.record)
    if not belongs:
        faults.report(db, ("other history", box, event.match), at_s, {"number": event.number})
        if box != match.box or at_s - match.anew_s < ANEW_S:
            return True
        _LOG.warning("table %s sends another history of match %s: it is taken anew", box, match.uid)
        db.execute(sa.delete(schema.step).where(schema.step.c.uid == match.uid))
        match.steps, match.last_at, match.anew_s = 0, "", at_s
        match.begins = match.is_changed = True
        match.rows.clear()
        return False
    if match.box != box:
        faults.report(db, ("moved", box, event.match), at_s, {"other": match.box})
        match.box, match.is_changed = box, True
    if event.number == next_number:
        row = {"uid": match.uid, "number": event.number, "record": event.record, "at": event.at}
        match.rows.append(row)
        match.steps, match.last_at, match.is_changed = event.number, event.at, True
    return True


def _take_header(match: MatchUpdate | None, box: str, header: MatchEvent) -> MatchUpdate:
    """The match with the header that has come. Only its own table can change it."""
    if match is None:
        return MatchUpdate(header.match, box, header.record, begins=True, is_changed=True)
    if match.box == box and match.header != header.record:
        match.header, match.begins, match.is_changed = header.record, True, True
    return match


def _stored(db: Connection, match: MatchUpdate, number: int) -> tuple[str, Mapping[str, Any]]:
    for new in match.rows:
        if new["number"] == number:
            return new["at"], new["record"]
    at = schema.step.c
    row = db.execute(select(at.at, at.record).where(at.uid == match.uid, at.number == number)).one()
    return row.at, row.record


def _write(db: Connection, matches: Iterable[MatchUpdate], now_s: float) -> None:
    for match in matches:
        if match.is_changed:
            columns = ("box", "header", "steps", "last_at", "anew_s")
            fields: dict[str, Any] = {name: getattr(match, name) for name in columns} | {"changed_s": now_s}
            if match.begins:
                fields["summary"] = None
            schema.upsert(db, schema.match, {"uid": match.uid}, {**fields, "begun_s": now_s}, fields)
    if rows := [row for match in matches for row in match.rows]:
        insert = schema.insert_into(db, schema.step)
        again = {name: insert.excluded[name] for name in ("record", "at")}
        db.execute(insert.on_conflict_do_update(index_elements=["uid", "number"], set_=again), rows)


CONNECT_S: Final = 5
"""A server that has not answered for so long is away."""

_OF_POSTGRESQL: Final = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
"""Else a machine that has gone without a word is waited for over hours (seconds, and tries)."""

_JSON: Final[Mapping[str, Any]] = {
    "json_serializer": lambda value: json.encode(value).decode(),
    "json_deserializer": json.decode,
}


def _engine(url: str) -> sa.Engine:
    made = sa.make_url(url)
    if made.get_backend_name() != "sqlite":
        usual = {"connect_timeout": CONNECT_S, **_OF_POSTGRESQL, "tcp_user_timeout": CONNECT_S * 1000}
        unsaid = {key: value for key, value in usual.items() if key not in made.query}
        return sa.create_engine(made, connect_args=unsaid, pool_timeout=CONNECT_S, **_JSON)
    engine = sa.create_engine(made, connect_args={"timeout": 30}, **_JSON)

    @sa.event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:  # noqa: ANN401 - of the driver
        connection.isolation_level = None  # else Python begins transactions by itself
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")

    @sa.event.listens_for(engine, "begin")
    def begun(db: Connection) -> None:
        # One that reads first and writes later could be refused in between.
        writes = db.get_execution_options().get("writes")
        db.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
