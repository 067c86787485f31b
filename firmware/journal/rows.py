"""The tables of the journal, and reading matches, steps and notes from them.

Every row carries a seal, a CRC-32 over its content and its place. SQLite checks the
structure of its pages but not what is in them: a bit that flips inside a record would turn
card 57 into card 59, and no check of SQLite's would notice.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware.journal.errors import JournalError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

_TABLES = {
    "match": """CREATE TABLE "match" (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        header TEXT NOT NULL,
        started_at TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    "step": """CREATE TABLE "step" (
        match_id INTEGER NOT NULL REFERENCES "match" (id),
        number INTEGER NOT NULL,
        record TEXT NOT NULL,
        at TEXT NOT NULL,
        seal INTEGER NOT NULL,
        PRIMARY KEY (match_id, number)
    ) STRICT, WITHOUT ROWID""",
    "note": """CREATE TABLE "note" (
        key TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
}

SCHEMA = ";\n".join(_TABLES.values()) + ";\n"


@dataclass(frozen=True, slots=True)
class MatchEntry:
    """One line in the list of matches.

    `steps` counts the saved steps; `started_at` and `last_at` are the wall clock times when the match began
    and when its last step was saved, `last_at` None before the first. `uid` is the same for every copy of
    this match.
    """

    id: int
    header: dict[str, object]
    started_at: str
    steps: int
    last_at: str | None
    uid: str


def written(value: object) -> str:
    """The JSON text of a value: compact, in the given order, non-ASCII characters unchanged.

    Raises TypeError or ValueError for values that JSON cannot hold, which are programming mistakes.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def sealed(*content: str | int) -> int:
    """The seal of a row with this content, 0 to 2**32-1; raises ValueError if a text is not valid UTF-8."""
    return zlib.crc32("\n".join(map(str, content)).encode())


def matches(db: sqlite3.Connection) -> list[MatchEntry]:
    """All matches, oldest first. Raises `JournalError` for a header that cannot be trusted."""
    rows = db.execute(
        "SELECT id, uid, header, started_at, seal,"
        " (SELECT number FROM step WHERE match_id = id ORDER BY number DESC LIMIT 1),"
        " (SELECT at FROM step WHERE match_id = id ORDER BY number DESC LIMIT 1)"
        ' FROM "match" ORDER BY id'
    ).fetchall()
    entries = []
    for match_id, uid, header, started_at, seal, number, at in rows:
        if sealed(match_id, uid, header, started_at) != seal:
            raise _damaged(f"the header of match {match_id}")
        entries.append(MatchEntry(match_id, _mapping(header, match_id), started_at, number or 0, at, uid))
    return entries


def steps(db: sqlite3.Connection, match_id: int) -> Iterator[dict[str, object]]:
    """The records of a match, step 1 first; each is checked when it is read.

    Raises `JournalError` at once for an unknown match, and on reaching a missing or damaged step; the steps
    before it have then been yielded.
    """
    if not db.execute('SELECT 1 FROM "match" WHERE id = ?', (match_id,)).fetchone():
        raise unknown_match(db, match_id)
    # All rows at once: a half-read query would hold back tidying up for as long as it is open.
    rows = db.execute(
        "SELECT number, record, at, seal FROM step WHERE match_id = ? ORDER BY number", (match_id,)
    ).fetchall()
    return _records(match_id, rows)


def times(db: sqlite3.Connection, match_id: int) -> tuple[str, ...]:
    """When the steps of a match were saved, step 1 first, by the wall clock; empty for an unknown match."""
    rows = db.execute("SELECT at FROM step WHERE match_id = ? ORDER BY number", (match_id,)).fetchall()
    return tuple(at for (at,) in rows)


def latest(db: sqlite3.Connection) -> int | None:
    """The match that was started last; None if there is none."""
    return _one_number(db, 'SELECT max(id) FROM "match"')


def step_count(db: sqlite3.Connection, match_id: int) -> int | None:
    """How many steps a match has; None when there is no such match."""
    return _one_number(
        db,
        'SELECT (SELECT coalesce(max(number), 0) FROM step WHERE match_id = id) FROM "match" WHERE id = ?',
        match_id,
    )


def recall(db: sqlite3.Connection, key: str) -> object:
    """The value remembered under `key`; None when there is none. Raises `JournalError` if it is damaged."""
    row = db.execute("SELECT value, seal FROM note WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    value, seal = row
    if sealed(key, value) != seal:
        raise _damaged(f"the note {key!r}")
    remembered: object = json.loads(value)
    return remembered


def unknown_match(db: sqlite3.Connection, match_id: int) -> JournalError:
    """The error for an unknown match."""
    newest = latest(db)
    known = "there are no matches yet" if newest is None else f"use a match from 1 to {newest}"
    return JournalError(f"there is no match {match_id}", known)


def fault_in(db: sqlite3.Connection) -> str | None:
    """What is wrong with the content of a journal, in words for users; None if it is valid.

    Checks every page, the numbering of all steps, every header and note, and each step of the latest match,
    which may be resumed. Older records are checked when they are read. Raises `sqlite3.Error` for pages that
    cannot be read at all.
    """
    verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        return f"it is damaged ({verdict})"
    tables = dict(db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall())
    if tables != _TABLES:
        return "its tables are not those of a journal"
    gap = db.execute(
        "SELECT match_id FROM step GROUP BY match_id"
        " HAVING min(number) <> 1 OR max(number) <> count(*)"
        ' OR match_id NOT IN (SELECT id FROM "match")'
    ).fetchone()
    if gap:
        return f"steps of match {gap[0]} are missing"
    try:
        matches(db)
        for (key,) in db.execute("SELECT key FROM note").fetchall():
            recall(db, key)
        newest = latest(db)
        for _ in () if newest is None else steps(db, newest):
            pass
    except JournalError as error:
        return error.fault
    return None


def _records(match_id: int, rows: list[tuple[int, str, str, int]]) -> Iterator[dict[str, object]]:
    for expected, (number, record, at, seal) in enumerate(rows, start=1):
        if number != expected or sealed(match_id, number, record, at) != seal:
            raise _damaged(f"step {expected} of match {match_id}")
        yield _mapping(record, match_id, number)


def _mapping(text: str, match_id: int, number: int | None = None) -> dict[str, object]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if isinstance(value, dict):
        return value
    what = f"the header of match {match_id}" if number is None else f"step {number} of match {match_id}"
    raise _damaged(what)


def _one_number(db: sqlite3.Connection, query: str, *values: int) -> int | None:
    row = db.execute(query, values).fetchone()
    number: int | None = row[0] if row else None
    return number


def _damaged(what: str) -> JournalError:
    return JournalError(
        f"{what} is damaged",
        "read the matches around it; what is left of the damaged one shows with "
        "`sqlite3 FILE .recover` on a copy of the journal's file",
    )
