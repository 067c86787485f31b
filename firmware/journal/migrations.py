"""Migrating an older journal to the current version, all of it or nothing.

Each migration is frozen: it contains its own copy of the tables before and after, and
never changes once a journal may have gone through it. A new version of the journal is a new
`_from_...` function, its line in `MIGRATIONS`, and the new tables in `tables`.
"""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from companion.core.tally import write_tally
from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from firmware.journal import rows
from firmware.journal.reader import fault_at_start, steps_after

_json: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


class Unusable(Exception):
    """The older journal is damaged and cannot be migrated; `fault` says where."""

    def __init__(self, fault: Text) -> None:
        super().__init__(str(fault))
        self.fault = fault


def _from_1(db: sqlite3.Connection) -> None:
    """Every match gets a uid, so that a copy of it is recognised when it is imported again."""
    db.execute(
        """CREATE TABLE "match_2" (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        header TEXT NOT NULL,
        started_at TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT"""
    )
    heads = db.execute('SELECT id, header, started_at, seal FROM "match" ORDER BY id').fetchall()
    for match_id, header, started_at, seal in heads:
        if zlib.crc32(f"{match_id}\n{header}\n{started_at}".encode()) != seal:
            raise Unusable(say("the header of match {number} is damaged", number=match_id))
        # Without badges: what is left of a person who has been erased must not be found by trying.
        agreed = {name: value for name, value in json.loads(header).items() if name != "badges"}
        content = json.dumps([match_id, agreed, started_at])
        import hashlib  # every start imports this file, and hardly any migrates a journal

        uid = hashlib.sha256(content.encode()).hexdigest()[:16]
        sealed = zlib.crc32(f"{match_id}\n{uid}\n{header}\n{started_at}".encode())
        db.execute("INSERT INTO match_2 VALUES (?, ?, ?, ?, ?)", (match_id, uid, header, started_at, sealed))
    db.execute('DROP TABLE "match"')
    db.execute('ALTER TABLE match_2 RENAME TO "match"')


def _from_2(db: sqlite3.Connection) -> None:
    """The seals of the steps become a chain, and each match knows how many steps it has.

    Records stay as they are: in full. A step whose seal was wrong gets a wrong one again, so that it is
    still named as damaged, and what comes before it can still be read.
    """
    for statement in (
        """CREATE TABLE "match_3" (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        header TEXT NOT NULL,
        started_at TEXT NOT NULL,
        steps INTEGER NOT NULL,
        last_at TEXT,
        chain INTEGER NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
        """CREATE TABLE "step_3" (
        match_id INTEGER NOT NULL REFERENCES "match" (id),
        number INTEGER NOT NULL,
        record TEXT NOT NULL,
        at TEXT NOT NULL,
        chain INTEGER NOT NULL,
        PRIMARY KEY (match_id, number)
    ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE "shape" (
        number INTEGER PRIMARY KEY,
        names TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
        """CREATE TABLE "summary" (
        match_id INTEGER PRIMARY KEY REFERENCES "match" (id),
        chain INTEGER NOT NULL,
        content TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    ):
        db.execute(statement)
    heads = db.execute('SELECT id, uid, header, started_at, seal FROM "match" ORDER BY id').fetchall()
    for match_id, uid, header, started_at, seal in heads:
        if zlib.crc32(f"{match_id}\n{uid}\n{header}\n{started_at}".encode()) != seal:
            raise Unusable(say("the header of match {number} is damaged", number=match_id))
        count, last_at, chain = _chained(db, match_id, uid)
        content = f"{match_id}\n{uid}\n{header}\n{started_at}\n{count}\n{last_at or ''}\n{chain}"
        row = (match_id, uid, header, started_at, count, last_at, chain, zlib.crc32(content.encode()))
        db.execute("INSERT INTO match_3 VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    lost = db.execute('SELECT match_id FROM step WHERE match_id NOT IN (SELECT id FROM "match")').fetchone()
    if lost:
        raise Unusable(say("steps of match {number} are there, but not the match", number=lost[0]))
    for name in ("match", "step"):
        db.execute(f'DROP TABLE "{name}"')
        db.execute(f'ALTER TABLE "{name}_3" RENAME TO "{name}"')
    notes = [key for (key,) in db.execute("SELECT key FROM note WHERE key != 'journal' ORDER BY key")]
    newest = heads[-1][0] if heads else 0
    known = json.dumps({"matches": len(heads), "newest": newest, "notes": notes}, separators=(",", ":"))
    seal = zlib.crc32(f"journal\n{known}".encode())
    db.execute("INSERT OR REPLACE INTO note VALUES ('journal', ?, ?)", (known, seal))


def _chained(db: sqlite3.Connection, match_id: int, uid: str) -> tuple[int, str | None, int]:
    """Copy the steps of a match; gives their number, the time of the last, and the end of their chain."""
    count, last_at, chain = 0, None, zlib.crc32(uid.encode())
    steps = db.execute(
        "SELECT number, record, at, seal FROM step WHERE match_id = ? ORDER BY number", (match_id,)
    )
    for number, record, at, seal in steps:
        count += 1
        if number != count:
            raise Unusable(say("steps of match {number} are missing", number=match_id))
        chain = zlib.crc32(f"{number}\n{record}\n{at}\n".encode(), chain)
        if zlib.crc32(f"{match_id}\n{number}\n{record}\n{at}".encode()) != seal:
            chain ^= 1
        db.execute("INSERT INTO step_3 VALUES (?, ?, ?, ?, ?)", (match_id, number, record, at, chain))
        last_at = at
    return count, last_at, chain


def _from_3(db: sqlite3.Connection) -> None:
    """Records are deflated instead of written by shapes, the notes are one row, and a match has its tally.

    The seals of the steps stay: they are over the records as JSON. A step that cannot be read gets a record
    that its seal does not fit, so that it is still named as damaged.
    """
    shapes: dict[int, list[str | list[str]]] = {}
    for number, names, seal in db.execute("SELECT number, names, seal FROM shape"):
        if zlib.crc32(f"{number}\n{names}".encode()) == seal:
            shapes[number] = json.loads(names)

    def full(value: Any) -> Any:  # noqa: ANN401 - any JSON value
        """`[12,33,[0,90]]` with shape 12 `[["kind","placed"],"card","takes"]`; a list begins with 0."""
        if not isinstance(value, list):
            return value
        parts = [full(part) for part in value[1:]]
        if value[0] == 0:
            return parts
        left = iter(parts)
        return dict(
            (name, next(left, None)) if isinstance(name, str) else (name[0], name[1])
            for name in shapes[value[0]]
        )

    def deflated(stored: str) -> bytes:
        try:
            text = stored if stored.startswith("{") else _json(full(json.loads(stored)))
        except (ValueError, LookupError, TypeError, RecursionError):
            text = ""
        return zlib.compress(text.encode(), wbits=-15)

    notes = dict(_notes_of_3(db))
    known = notes.pop("journal", {"matches": 0, "newest": 0, "notes": []})
    try:
        if sorted(notes) != sorted(known["notes"]):
            raise ValueError  # noqa: TRY301 - the same answer as for one without its parts
        content = _json(
            {
                "matches": known["matches"],
                "newest": known["newest"],
                "last": known.get("last", known["newest"]),
                "values": notes,
            }
        )
    except (ValueError, LookupError, TypeError, AttributeError) as bad:
        raise Unusable(say("the notes are damaged")) from bad
    for statement in (
        """CREATE TABLE "step_4" (
        match_id INTEGER NOT NULL REFERENCES "match" (id),
        number INTEGER NOT NULL,
        record BLOB NOT NULL,
        at TEXT NOT NULL,
        chain INTEGER NOT NULL,
        PRIMARY KEY (match_id, number)
    ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE "note_4" (
        content TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    ):
        db.execute(statement)
    db.execute("INSERT INTO note_4 VALUES (?, ?)", (content, zlib.crc32(content.encode())))
    db.create_function("deflated", 1, deflated)
    db.execute("INSERT INTO step_4 SELECT match_id, number, deflated(record), at, chain FROM step")
    db.execute('DROP TABLE "shape"')
    for name in ("step", "note"):
        db.execute(f'DROP TABLE "{name}"')
        db.execute(f'ALTER TABLE "{name}_4" RENAME TO "{name}"')
    _tallies_of_3(db)


def _notes_of_3(db: sqlite3.Connection) -> Iterator[tuple[str, Any]]:
    for key, value, seal in db.execute("SELECT key, value, seal FROM note"):
        if zlib.crc32(f"{key}\n{value}".encode()) != seal:
            raise Unusable(say("the notes are damaged"))
        yield key, json.loads(value)


def _tallies_of_3(db: sqlite3.Connection) -> None:
    """What a match amounts to stands in its own row. A row that was damaged gets a wrong seal again."""
    db.execute(
        """CREATE TABLE "match_4" (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        header TEXT NOT NULL,
        started_at TEXT NOT NULL,
        steps INTEGER NOT NULL,
        last_at TEXT,
        chain INTEGER NOT NULL,
        tally TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT"""
    )
    found = db.execute(
        "SELECT m.id, m.uid, m.header, m.started_at, m.steps, m.last_at, m.chain, m.seal, s.content, s.seal"
        ' FROM "match" AS m LEFT JOIN summary AS s ON s.match_id = m.id AND s.chain = m.chain ORDER BY m.id'
    ).fetchall()
    for match_id, uid, header, started_at, steps, last_at, chain, seal, content, seal_of_content in found:
        tally = ""
        if content is not None and zlib.crc32(f"{match_id}\n{chain}\n{content}".encode()) == seal_of_content:
            summary = json.loads(content)
            if summary.pop("version") == 1 and summary["taken"] is not None:
                tally = json.dumps(summary, ensure_ascii=False, separators=(",", ":"))
        row = f"{match_id}\n{uid}\n{header}\n{started_at}\n{steps}\n{last_at or ''}\n{chain}"
        damaged = zlib.crc32(row.encode()) != seal
        new_seal = zlib.crc32(f"{row}\n{tally}".encode()) ^ damaged
        columns = (match_id, uid, header, started_at, steps, last_at, chain, tally, new_seal)
        db.execute("INSERT INTO match_4 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", columns)
    db.execute("DROP TABLE summary")
    db.execute('DROP TABLE "match"')
    db.execute('ALTER TABLE match_4 RENAME TO "match"')


MIGRATIONS: Final[Mapping[int, Callable[[sqlite3.Connection], None]]] = {1: _from_1, 2: _from_2, 3: _from_3}
"""By version: how a journal of it becomes the next version."""

VERSION: Final = max(MIGRATIONS) + 1
"""The current version of the journal."""


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Migrate a journal from an older version to `VERSION` in one transaction.

    Raises `Unusable` for a journal that is damaged, before or after, and `sqlite3.Error`; it is then
    unchanged. `db` must be a connection of its own, without a transaction.
    """
    db.execute("PRAGMA foreign_keys = OFF")  # else dropping a table would look for its children
    db.execute("BEGIN IMMEDIATE")
    try:
        verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise Unusable(say("it is damaged ({error})", error=verdict))
        for number in range(version, VERSION):
            MIGRATIONS[number](db)
        _add_tallies(db)
        db.execute(f"PRAGMA user_version = {VERSION}")
        if (fault := fault_at_start(db)) is not None:
            raise Unusable(fault)
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _add_tallies(db: sqlite3.Connection) -> None:
    """Give a tally to each match that has none, from its steps.

    One that cannot be read, or whose game is not installed, has none: who asks for it is told why.
    """
    from companion.match import log  # every start imports this file, and hardly any migrates a journal
    from companion.match.tally import tally_of

    without = db.execute("""SELECT id FROM "match" WHERE tally = '' AND steps > 0""").fetchall()
    for (match_id,) in without:
        with suppress(CompanionError):
            head = rows.head(db, match_id)
            records = [record for record, _ in steps_after(db, match_id, 0)[1]]
            match = log.replay([json.loads(head.header), *records])
            rows.rewrite(db, head._replace(tally=write_tally(tally_of(match))))
