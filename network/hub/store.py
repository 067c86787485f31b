"""The database: every step of every match once, however often and in which order it is sent.

`take` is the whole of it. A step is stored if its seal follows that of the step before it. One that is known
is left alone. One that says something else than the step that is kept goes to the conflicts, and people are
told. One that comes before its predecessor is kept too and waits: whether it follows is known once that has
come.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, select

from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value, field
from network.hub import faults, schema
from network.hub.schema import METADATA
from network.mqtt import topics
from network.mqtt.payloads import Event, Had, first_seal, follows, is_whole

VERSION: Final = 1
"""Of the tables in the database."""

_LOCK: Final = 6_096_111_204
"""Any number that nobody else uses in this database."""

_VERSION: Final = sa.Table("schema_version", sa.MetaData(), sa.Column("version", sa.Integer, nullable=False))


def _made_ready(db: Connection) -> None:
    """Make the tables of a new database, in the open transaction. Raises `CompanionError` for a later one.

    Hubs that start at the same time do so one after the other.
    """
    if db.dialect.name == "postgresql":
        db.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    _VERSION.create(db, checkfirst=True)
    version = db.execute(select(_VERSION.c.version)).scalar()
    if version is None:
        METADATA.create_all(db)
        db.execute(sa.insert(_VERSION).values(version=VERSION))
    elif version > VERSION:
        raise CompanionError(
            say(
                "the database has version {version}, but this program knows {newest}",
                version=version,
                newest=VERSION,
            ),
            say("update the program"),
        )


MOST_AHEAD: Final = 1000
"""Steps that may wait for one before them; what is further ahead is sent again."""

_AGREED: Final = ("game", "seats", "options", "first")
"""What never changes in a header; badges do, when players join."""


class StoredEvent(Value):
    """An event of a table, and when it came."""

    box: str
    event: Event
    at_s: float


class Grown(Struct):
    """A match with its row, as events are taken; what has come of them is new."""

    uid: str
    box: str
    header: Mapping[str, Any] | None
    header_seal: str
    steps: int
    seal: str
    ahead: int
    changed: bool = False
    new_header: bool = False
    waits: bool = False
    records: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    """The new steps, in order."""
    known: list[StoredEvent] = field(default_factory=list)
    """Events of steps that were stored before."""

    @property
    def had(self) -> Had:
        return _had(self.steps, self.seal, self.header_seal)


class Store:
    """A database by its URL; every method may be called from every thread."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        with self.writing() as db:
            _made_ready(db)
            # In the place of one that waits there: this one follows, of the other nobody knows.
            insert = schema.insert_into(db, schema.step)
            fields = {name: insert.excluded[name] for name in ("seal", "record", "at", "arrived_s")}
            self._new_steps = insert.on_conflict_do_update(index_elements=["uid", "number"], set_=fields)

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

    # ------------------------------------------------------------------------------------- steps

    def take(self, db: Connection, arrived: Sequence[StoredEvent]) -> list[Grown]:
        """Store events; gives every match that they were about, also where nothing was new."""
        heads = self._heads(db, arrived)
        new: list[dict[str, Any]] = []
        for one in arrived:
            head = heads[one.event.match]
            if one.event.number == 0:
                _take_header(db, head, one)
            elif one.event.number <= head.steps:
                head.known.append(one)
            elif one.event.number == head.steps + 1:
                if follows(head.seal, one.event):
                    _advance(db, head, one)
                    new.append(_row(one))
                else:
                    self._contradicts(db, "not after", one)
            else:
                self._wait(db, head, one)
        if new:
            db.execute(self._new_steps, new)
        for head in heads.values():
            self._compare(db, head)
            if head.ahead > head.steps and (head.waits or head.records):
                self._catch_up(db, head)
        _write_heads(db, heads.values(), arrived[-1].at_s)
        return list(heads.values())

    def _heads(self, db: Connection, arrived: Sequence[StoredEvent]) -> dict[str, Grown]:
        """The rows of the matches, locked in one order, so that no two hubs wait for each other."""
        first = {one.event.match: one for one in reversed(arrived)}
        at = schema.match.c
        wanted = (
            select(at.uid, at.box, at.header, at.header_seal, at.steps, at.seal, at.ahead)
            .where(at.uid.in_(sorted(first)))
            .order_by(at.uid)
            .with_for_update()
        )
        found = {row.uid: Grown(*row) for row in db.execute(wanted)}
        if missing := [first[uid] for uid in sorted(first.keys() - found.keys())]:
            rows = [
                {"uid": one.event.match, "box": one.box, "seal": first_seal(one.event.match)}
                | {"begun_s": one.at_s, "changed_s": one.at_s}
                for one in missing
            ]
            db.execute(schema.insert_into(db, schema.match).on_conflict_do_nothing(), rows)
            found = {row.uid: Grown(*row) for row in db.execute(wanted)}
        return found

    def _wait(self, db: Connection, head: Grown, one: StoredEvent) -> None:
        """Keep a step that came before the one it follows, if it is from the match's own box.

        Its seal cannot be checked yet. A box repeats every step that the hub does not confirm.
        """
        if one.box != head.box or one.event.number > head.steps + MOST_AHEAD:
            return
        db.execute(schema.insert_into(db, schema.step).on_conflict_do_nothing(), [_row(one)])
        head.ahead = max(head.ahead, one.event.number)
        head.waits = head.changed = True

    def _compare(self, db: Connection, head: Grown) -> None:
        """Look whether steps that are known are the same as those that came again."""
        if not head.known:
            return
        at = schema.step.c
        numbers = {one.event.number for one in head.known}
        wanted = select(at.number, at.seal).where(at.uid == head.uid, at.number.in_(sorted(numbers)))
        kept = {row.number: row.seal for row in db.execute(wanted)}
        for one in head.known:
            if kept[one.event.number] != one.event.seal:
                self._contradicts(db, "contradicts", one)
            elif head.box != one.box:
                _move(db, head, one)

    def _catch_up(self, db: Connection, head: Grown) -> None:
        """Go on with the steps that have waited for those that are there now."""
        at = schema.step.c
        wanted = select(schema.step).where(at.uid == head.uid, at.number > head.steps).order_by(at.number)
        rows = db.execute(wanted).all()
        for row in rows:
            if row.number != head.steps + 1:
                break
            one = Event(head.uid, row.number, row.at, row.seal, row.record)
            came = StoredEvent(head.box, one, row.arrived_s)
            if not follows(head.seal, one):
                db.execute(sa.delete(schema.step).where(at.uid == head.uid, at.number == row.number))
                self._contradicts(db, "not after", came)
                break
            _advance(db, head, came)
        head.ahead = max((row.number for row in rows if row.number > head.steps), default=0)
        head.changed = True

    def _contradicts(self, db: Connection, kind: str, one: StoredEvent) -> None:
        row = {**_row(one), "box": one.box}
        db.execute(schema.insert_into(db, schema.conflict).on_conflict_do_nothing(), [row])
        faults.tell(db, (kind, one.box, one.event.match), one.at_s, {"number": one.event.number})

    def start_over(self, db: Connection, uid: str) -> None:
        """Forget how far a match has come, so that its table sends it again from the beginning.

        What was stored goes to the conflicts: nothing is thrown away.
        """
        of_step = schema.step.c
        fresh = {
            "header": None, "header_seal": "", "steps": 0, "seal": first_seal(uid), "ahead": 0,
            "summary": None, "summary_steps": -1,
        }  # fmt: skip
        db.execute(sa.update(schema.match).where(schema.match.c.uid == uid).values(**fresh))
        names = ("uid", "number", "seal", "record", "at", "arrived_s")
        box = select(schema.match.c.box).where(schema.match.c.uid == uid).scalar_subquery()
        stored = select(*(of_step[name] for name in names), box).where(of_step.uid == uid)
        db.execute(
            schema.insert_into(db, schema.conflict)
            .from_select([*names, "box"], stored)
            .on_conflict_do_nothing()
        )
        db.execute(sa.delete(schema.step).where(of_step.uid == uid))

    # ------------------------------------------------------------------------------------- reading

    def goes_on(self, uid: str, had: Had) -> bool:
        """Whether what is stored of a match goes on from there: it has this step with this seal."""
        at = schema.step.c
        with self.reading() as db:
            seal = db.execute(select(at.seal).where(at.uid == uid, at.number == had.steps)).scalar()
        return had.steps == 0 or seal == had.seal

    def had(self, box: str) -> dict[str, Had]:
        """How far the newest matches of a table have come."""
        at = schema.match.c
        newest = (
            select(at.uid, at.steps, at.seal, at.header_seal)
            .where(at.box == box)
            .order_by(at.begun_s.desc(), at.uid)
            .limit(topics.NEWEST)
        )
        with self.reading() as db:
            return {row.uid: _had(row.steps, row.seal, row.header_seal) for row in db.execute(newest)}

    def records(
        self, uid: str, after: int = 0
    ) -> tuple[dict[str, Any] | None, list[tuple[int, dict[str, Any]]]]:
        """The header of a match, if it has come, and its steps after one, up to a gap."""
        of_match, of_step = schema.match.c, schema.step.c
        with self.reading() as db:
            head = db.execute(select(of_match.header, of_match.steps).where(of_match.uid == uid)).first()
            if head is None:
                return None, []
            rows = db.execute(
                select(of_step.number, of_step.record)
                .where(of_step.uid == uid, of_step.number > after, of_step.number <= head.steps)
                .order_by(of_step.number)
            )
            return head.header, [(row.number, row.record) for row in rows]

    def times(self, uid: str) -> list[str]:
        """When the steps of a match were made, by the clock of its box."""
        at = schema.step.c
        with self.reading() as db:
            return list(db.execute(select(at.at).where(at.uid == uid).order_by(at.number)).scalars())


CONNECT_S: Final = 5
"""A server that has not answered for so long is away."""

_OF_POSTGRESQL: Final = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
"""Else a machine that has gone without a word is waited for over hours (seconds, and tries)."""


def _engine(url: str) -> sa.Engine:
    made = sa.make_url(url)
    if made.get_backend_name() != "sqlite":
        usual = {"connect_timeout": CONNECT_S, **_OF_POSTGRESQL, "tcp_user_timeout": CONNECT_S * 1000}
        unsaid = {key: value for key, value in usual.items() if key not in made.query}
        return sa.create_engine(made, connect_args=unsaid, pool_timeout=CONNECT_S)
    engine = sa.create_engine(made, connect_args={"timeout": 30})

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


def _take_header(db: Connection, head: Grown, one: StoredEvent) -> None:
    if head.header_seal == one.event.seal or not is_whole(one.event):
        return
    before = head.header
    if before is not None and any(before.get(key) != one.event.record.get(key) for key in _AGREED):
        faults.tell(db, ("two headers", one.box, head.uid), one.at_s)
        return
    head.header, head.header_seal = one.event.record, one.event.seal
    head.changed = head.new_header = True


def _advance(db: Connection, head: Grown, one: StoredEvent) -> None:
    head.steps, head.seal, head.changed = one.event.number, one.event.seal, True
    head.records.append((one.event.number, one.event.record))
    if head.box != one.box:
        _move(db, head, one)


def _move(db: Connection, head: Grown, one: StoredEvent) -> None:
    """Note that a match goes on under another name; only its own box can know what has the right seal."""
    faults.tell(db, ("moved", one.box, head.uid), one.at_s, {"other": head.box})
    head.box, head.changed = one.box, True


_FIELDS: Final = ("box", "header", "header_seal", "steps", "seal", "ahead")
_CHANGED: Final = (
    sa.update(schema.match)
    .where(schema.match.c.uid == sa.bindparam("of"))
    .values({name: sa.bindparam(name) for name in (*_FIELDS, "changed_s")})
)


def _write_heads(db: Connection, heads: Iterable[Grown], now_s: float) -> None:
    rows = [
        {"of": head.uid, "changed_s": now_s, **{name: getattr(head, name) for name in _FIELDS}}
        for head in heads
        if head.changed
    ]
    if rows:
        db.execute(_CHANGED, rows)


def _had(steps: int, seal: str, header: str) -> Had:
    return Had(steps, seal if steps else "", header)


def _row(one: StoredEvent) -> dict[str, Any]:
    return {
        "uid": one.event.match,
        "number": one.event.number,
        "seal": one.event.seal,
        "record": one.event.record,
        "at": one.event.at,
        "arrived_s": one.at_s,
    }
