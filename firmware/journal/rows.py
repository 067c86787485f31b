"""The rows of a journal: what is stored, with the seals, and how single rows are read and written.

SQLite checks the structure of its pages but not what is in them: a bit that flips inside a record would turn
card 57 into card 59, and no check of SQLite's would notice. So every row has a seal, a CRC-32 over its
content and its place.

The seals of the steps of a match are a chain: the seal of a step is over all steps up to it, and the first
one begins with the identity of the match. The row of the match holds the number of its steps and the seal of
the last. So a step that is missing, swapped or from another match is found, and so is a match that has lost
its last steps. The one row of `note` holds how many matches there are, so that one that is gone is missed.

What changes rows does so within a transaction of its owner.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec.structs import asdict

from companion.core.tally import MatchTally, read_tally, write_tally
from companion.values import Value, replace
from firmware.journal.errors import JournalError, damaged

TABLES: Final = {
    "match": """CREATE TABLE "match" (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        header TEXT NOT NULL,
        started_at TEXT NOT NULL,
        steps INTEGER NOT NULL,
        last_at TEXT,
        chain INTEGER NOT NULL,
        tally TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    "step": """CREATE TABLE "step" (
        match_id INTEGER NOT NULL REFERENCES "match" (id),
        number INTEGER NOT NULL,
        record BLOB NOT NULL,
        at TEXT NOT NULL,
        chain INTEGER NOT NULL,
        PRIMARY KEY (match_id, number)
    ) STRICT, WITHOUT ROWID""",
    "note": """CREATE TABLE "note" (
        content TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
}

OBJECTS: Final = {("table", name, name, sql) for name, sql in TABLES.items()} | {
    ("index", "sqlite_autoindex_match_1", "match", None)
}
"""Everything that SQLite may know of in a journal: a trigger, a view or an index is somebody else's."""

_JSON: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

_MIN_LOOKAHEAD: Final = 262
"""Bytes of its window in which zlib looks for nothing."""


def written(value: object) -> str:
    """The JSON text of a value: compact, in the given order, non-ASCII characters unchanged.

    Raises TypeError or ValueError for values that JSON cannot hold, which are programming mistakes.
    """
    return _JSON.encode(value)


def packed(record: str) -> bytes:
    """A record as it is stored: half as long. Raises ValueError if it is not valid UTF-8.

    Without the header and the checksum of zlib: a record has its seal. A window with room for all of it gives
    the same bytes as the largest one, for which 128 KiB of memory are needed each time.
    """
    text = record.encode()
    window = (len(text) + _MIN_LOOKAHEAD).bit_length()
    return zlib.compress(text, wbits=-max(9, min(window, zlib.MAX_WBITS)))


def unpacked(stored: bytes) -> str:
    """The record as it was before `packed`. Raises `zlib.error` or ValueError for what was never one."""
    return zlib.decompress(stored, wbits=-zlib.MAX_WBITS).decode()


def first_link(uid: str) -> int:
    """What the chain of a match begins with, before its first step."""
    return zlib.crc32(uid.encode())


def link(before: int, number: int, text: str, at: str) -> int:
    """The seal of a step: over all steps up to it. `text` is the record as JSON."""
    return zlib.crc32(f"{number}\n{text}\n{at}\n".encode(), before)


class MatchHead(NamedTuple):
    """The row of a match, without its seal and without what is read from its header."""

    id: int
    uid: str
    header: str
    started_at: str
    steps: int
    last_at: str | None
    chain: int
    tally: str = ""

    @property
    def seal(self) -> int:
        number, uid, header, started_at, steps, last_at, chain, tally = self
        return zlib.crc32(
            f"{number}\n{uid}\n{header}\n{started_at}\n{steps}\n{last_at or ''}\n{chain}\n{tally}".encode()
        )


class MatchEntry(NamedTuple):
    """One line in the list of matches.

    `steps` counts the saved steps; `started_at` and `last_at` are the wall clock times when the match began
    and when its last step was saved, `last_at` None before the first. `uid` is the same for every copy of
    this match. `tally` is what the match amounts to after its last step; None where who wrote the steps could
    not know, as for a game that is not installed. `fault` says what is damaged in the line itself; the header
    is then empty.
    """

    id: int
    header: dict[str, Any]
    started_at: str
    steps: int
    last_at: str | None
    uid: str
    tally: MatchTally | None = None
    fault: str | None = None


class Notes(Value):
    """A few JSON values that outlive a match, by key; and what the journal must have.

    `matches` is how many matches there are, `newest` the newest that was ever begun, `last` the newest that
    is there: a later one was removed, and its number is not given again.
    """

    matches: int = 0
    newest: int = 0
    last: int = 0
    values: Mapping[str, object] = {}


class ImportedMatch(Value):
    """A whole match from elsewhere, with its tally: each step with the time at which it was saved there."""

    uid: str
    header: Mapping[str, object]
    started_at: str
    steps: Sequence[tuple[Mapping[str, object], str]]
    tally: MatchTally | None = None


_NO_NUMBER: Final = 2**63
"""SQLite has no larger numbers."""


def heads(db: sqlite3.Connection, which: str, *values: int) -> list[tuple[MatchHead, bool]]:
    """The rows of matches, and whether each can be trusted; `which` ends a query."""
    columns = "id, uid, header, started_at, steps, last_at, chain, tally, seal"
    rows = db.execute(f'SELECT {columns} FROM "match" {which}', values).fetchall()  # noqa: S608 - constants
    return [(found := MatchHead._make(row[:-1]), found.seal == row[-1]) for row in rows]


def head(db: sqlite3.Connection, match_id: int) -> MatchHead:
    """The row of a match. Raises `JournalError` if there is none, or it cannot be trusted."""
    rows = heads(db, "WHERE id = ?", match_id) if match_id < _NO_NUMBER else []
    if not rows:
        newest = latest(db)
        fix = f"use a match from 1 to {newest}" if newest else "there are no matches yet"
        raise JournalError(f"there is no match {match_id}", fix)
    ((found, sound),) = rows
    if not sound:
        raise damaged(match_id)
    return found


def entry(row: MatchHead, *, sound: bool = True) -> MatchEntry:
    """The line of a match in a list, for its row."""
    try:
        if sound:
            known = read_tally(row.tally) if row.tally else None
            header = dict(_header(row.header))
            return MatchEntry(row.id, header, row.started_at, row.steps, row.last_at, row.uid, known)
    except (ValueError, RecursionError):
        pass
    return MatchEntry(row.id, {}, "", 0, None, row.uid, fault=damaged(row.id).fault)


@lru_cache(maxsize=256)
def _header(text: str) -> dict[str, Any]:
    """A header; the same people play the same game again and again. Raises ValueError if it is none."""
    header = json.loads(text)
    if not isinstance(header, dict):
        raise ValueError("a header that is no object")  # noqa: TRY004 - what is wrong is the text
    return header


def latest(db: sqlite3.Connection) -> int | None:
    """The match that was started last; None if there is none."""
    row = db.execute('SELECT max(id) FROM "match"').fetchone()
    number: int | None = row[0]
    return number


def notes(db: sqlite3.Connection) -> Notes:
    """The notes. Raises `JournalError` if they are damaged."""
    try:
        ((content, seal),) = db.execute("SELECT content, seal FROM note").fetchall()
        if zlib.crc32(content.encode()) != seal:
            raise ValueError(seal)  # noqa: TRY301 - the same answer as for a row that is missing
        return Notes(**json.loads(content))
    except (ValueError, TypeError, AttributeError, RecursionError) as bad:
        raise JournalError(
            "the notes are damaged",
            ("use a backup: nimmt restore; or restart nimmt: it renames the file and starts a new journal"),
        ) from bad


def _keep(db: sqlite3.Connection, notes: Notes) -> None:
    content = written(asdict(notes))
    db.execute("UPDATE note SET content = ?, seal = ?", (content, zlib.crc32(content.encode())))


def note(db: sqlite3.Connection, values: Mapping[str, object]) -> None:
    """Replace notes, each by its key."""
    before = notes(db)
    _keep(db, replace(before, values={**before.values, **values}))


def lay_out(db: sqlite3.Connection) -> None:
    """Write the tables of a journal without matches."""
    for table in TABLES.values():
        db.execute(table)
    db.execute("INSERT INTO note VALUES ('', 0)")
    _keep(db, Notes())


def begin(db: sqlite3.Connection, header: Mapping[str, object], started_at: str, uid: str) -> int:
    """Write a match without steps, one above the newest; gives its number."""
    known = notes(db)
    number = max(known.newest, latest(db) or 0) + 1
    row = MatchHead(number, uid, written(dict(header)), started_at, 0, None, first_link(uid))
    db.execute('INSERT INTO "match" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', (*row, row.seal))
    _keep(db, replace(known, matches=known.matches + 1, newest=number, last=number))
    return number


def append(
    db: sqlite3.Connection,
    row: MatchHead,
    steps: Iterable[tuple[Mapping[str, object], str]],
    header: Mapping[str, object] | None = None,
    tally: MatchTally | None = None,
) -> None:
    """Write the next steps of a match, each with its time, and the row of the match that counts them.

    A `header` or a `tally` takes the place of the one there is.
    """
    count, last_at, chain = row.steps, row.last_at, row.chain
    for record, last_at in steps:
        count, text = count + 1, written(record)
        chain = link(chain, count, text, last_at)
        db.execute("INSERT INTO step VALUES (?, ?, ?, ?, ?)", (row.id, count, packed(text), last_at, chain))
    agreed = row.header if header is None else written(dict(header))
    known = row.tally if tally is None else write_tally(tally)
    rewrite(db, MatchHead(row.id, row.uid, agreed, row.started_at, count, last_at, chain, known))


def rewrite(db: sqlite3.Connection, row: MatchHead) -> None:
    """Write the row of a match that is there."""
    db.execute(
        'UPDATE "match" SET header = ?, steps = ?, last_at = ?, chain = ?, tally = ?, seal = ? WHERE id = ?',
        (row.header, row.steps, row.last_at, row.chain, row.tally, row.seal, row.id),
    )


def insert(db: sqlite3.Connection, kept: ImportedMatch) -> int:
    """Write a match after the newest; gives its number. Raises `JournalError` for one that is here."""
    for number, steps in db.execute('SELECT id, steps FROM "match" WHERE uid = ?', (kept.uid,)).fetchall():
        if steps >= len(kept.steps):
            raise JournalError(
                f"match {number} in the journal is the same match, with {steps} steps",
                "there is nothing to import",
            )
        raise JournalError(
            (
                f"match {number} in the journal is the same match, with {steps} steps of the "
                f"{len(kept.steps)} in the file"
            ),
            "import the file into another journal: --journal FILE",
        )
    number = begin(db, kept.header, kept.started_at, kept.uid)
    append(db, head(db, number), kept.steps, tally=kept.tally)
    return number


def remove(db: sqlite3.Connection, match_id: int) -> None:
    """Remove a match with its steps, so that the journal knows that it is gone."""
    db.execute("DELETE FROM step WHERE match_id = ?", (match_id,))
    db.execute('DELETE FROM "match" WHERE id = ?', (match_id,))
    known = notes(db)
    _keep(db, replace(known, matches=known.matches - 1, last=latest(db) or 0))


def withdraw(db: sqlite3.Connection, match_id: int) -> None:
    """Remove the newest match, in which nothing was done, as if it had never been begun. `JournalError`."""
    if head(db, match_id).steps or match_id != latest(db):
        raise JournalError(f"match {match_id} is not a new one", "remove it instead")
    remove(db, match_id)
    _keep(db, replace(notes(db), newest=match_id - 1))
