"""The tables of the journal, and reading matches, steps, summaries and notes from them.

Every row carries a seal, a CRC-32 over its content and its place. SQLite checks the
structure of its pages but not what is in them: a bit that flips inside a record would turn
card 57 into card 59, and no check of SQLite's would notice.

The seals of the steps of a match are a chain: the seal of a step is over all steps up to it, and the first
one begins with the identity of the match. The row of the match holds the number of its steps and the seal of
the last. So a step that is missing, swapped or from another match is found, and so is a match that has lost
its last steps. The note `journal` says how many matches there are, and which other notes. A note that is
lost would otherwise read as one that was never written, and the match in play would not be resumed.
"""

from __future__ import annotations

import json
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.text import say
from firmware.journal.errors import DamagedMatch, JournalError
from firmware.journal.shapes import Shapes

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from companion.text import Text

_TABLES: Final = {
    "match": """CREATE TABLE "match" (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        header TEXT NOT NULL,
        started_at TEXT NOT NULL,
        steps INTEGER NOT NULL,
        last_at TEXT,
        chain INTEGER NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    "step": """CREATE TABLE "step" (
        match_id INTEGER NOT NULL REFERENCES "match" (id),
        number INTEGER NOT NULL,
        record TEXT NOT NULL,
        at TEXT NOT NULL,
        chain INTEGER NOT NULL,
        PRIMARY KEY (match_id, number)
    ) STRICT, WITHOUT ROWID""",
    "shape": """CREATE TABLE "shape" (
        number INTEGER PRIMARY KEY,
        names TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    "summary": """CREATE TABLE "summary" (
        match_id INTEGER PRIMARY KEY REFERENCES "match" (id),
        chain INTEGER NOT NULL,
        content TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    "note": """CREATE TABLE "note" (
        key TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
}

SCHEMA: Final = ";\n".join(_TABLES.values()) + ";\n"

_OBJECTS: Final = {("table", name, name, sql) for name, sql in _TABLES.items()} | {
    ("index", "sqlite_autoindex_match_1", "match", None)
}
"""Everything that SQLite may know of in a journal: a trigger, a view or an index is somebody else's."""

KNOWN: Final = "journal"
"""The key of the note about the journal itself, see `Known`."""

_HEAD: Final = "id, uid, header, started_at, steps, last_at, chain, seal"
_DECODE: Final = json.JSONDecoder().raw_decode
"""As `json.loads` for a text that was written by `json.dumps`, in less time."""

_AT_ONCE: Final = 256
"""So many matches are read together: no query stays open between two of them."""


class MatchEntry(
    NamedTuple
):  # a frozen dataclass takes several times as long to make, and a list has thousands
    """One line in the list of matches.

    `steps` counts the saved steps; `started_at` and `last_at` are the wall clock times when the match began
    and when its last step was saved, `last_at` None before the first. `uid` is the same for every copy of
    this match. `summary` is what was derived from the steps and is still true of them; None if it has to be
    derived. `fault` says what is damaged in the line itself; the header is then empty.
    """

    id: int
    header: dict[str, Any]
    started_at: str
    steps: int
    last_at: str | None
    uid: str
    summary: dict[str, Any] | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """How many matches the journal must have, the newest that was ever begun, the keys of the other notes.

    `last` is the newest match that must be there: a later one was removed, and its number is not given again.
    """

    matches: int = 0
    newest: int = 0
    notes: tuple[str, ...] = ()
    last: int = 0


@dataclass(frozen=True, slots=True)
class Head:
    """The row of a match without what is read from its header."""

    id: int
    uid: str
    header: str
    started_at: str
    steps: int
    last_at: str | None
    chain: int

    @property
    def seal(self) -> int:
        """The seal of the row."""
        return _seal_of_match(
            self.id, self.uid, self.header, self.started_at, self.steps, self.last_at, self.chain
        )

    def row(self) -> tuple[int | str | None, ...]:
        """The whole row."""
        return (
            self.id,
            self.uid,
            self.header,
            self.started_at,
            self.steps,
            self.last_at,
            self.chain,
            self.seal,
        )


def sealed(*content: str | int) -> int:
    """The seal of a row with this content, 0 to 2**32-1; raises ValueError if a text is not valid UTF-8."""
    return zlib.crc32("\n".join(map(str, content)).encode())


def _seal_of_match(  # noqa: PLR0913, PLR0917 - the columns in their order
    number: int, uid: str, header: str, started_at: str, steps: int, last_at: str | None, chain: int
) -> int:
    """What `sealed` gives for the row of a match, in less time: a list asks for thousands."""
    return zlib.crc32(f"{number}\n{uid}\n{header}\n{started_at}\n{steps}\n{last_at or ''}\n{chain}".encode())


def first_link(uid: str) -> int:
    """What the chain of a match begins with, before its first step."""
    return zlib.crc32(uid.encode())


def link(before: int, number: int, text: str, at: str) -> int:
    """The seal of a step: over all steps up to it. `text` is the record as JSON."""
    return zlib.crc32(f"{number}\n{text}\n{at}\n".encode(), before)


@contextmanager
def one_moment(db: sqlite3.Connection) -> Iterator[None]:
    """Let several queries see the same state, whatever a device writes meanwhile."""
    ours = not db.in_transaction
    if ours:
        db.execute("BEGIN")
    try:
        yield
    finally:
        if ours and db.in_transaction:
            db.execute("ROLLBACK")


def matches(db: sqlite3.Connection, newest: int | None = None) -> Iterator[MatchEntry]:
    """Every match, or only so many of the newest, oldest first.

    A match that cannot be trusted is given as well and says so. One that begins meanwhile may come last.
    """
    after = 0
    if newest is not None:
        earlier = 'SELECT id FROM "match" ORDER BY id DESC LIMIT 1 OFFSET ?'
        (after,) = db.execute(earlier, (newest,)).fetchone() or (0,)
    while rows := _lines(db, "m.id > ? ORDER BY m.id LIMIT ?", after, _AT_ONCE):
        yield from map(_entry, rows)
        after = rows[-1][0]


def entry(db: sqlite3.Connection, match_id: int) -> MatchEntry:
    """One match. Raises `JournalError` if there is none with this number, or it cannot be trusted."""
    rows = _lines(db, "m.id = ?", match_id)
    if not rows:
        raise unknown_match(db, match_id)
    found = _entry(rows[0])
    if found.fault is not None:
        raise damaged(match_id)
    return found


def entry_with(db: sqlite3.Connection, uid: str) -> MatchEntry | None:
    """The match of that identity."""
    rows = _lines(db, "m.uid = ?", uid)
    return _entry(rows[0]) if rows else None


def numbers(db: sqlite3.Connection, after: int, most: int) -> list[int]:
    """The numbers of the next matches above `after`, at most so many."""
    rows = db.execute('SELECT id FROM "match" WHERE id > ? ORDER BY id LIMIT ?', (after, most)).fetchall()
    return [number for (number,) in rows]


def has(db: sqlite3.Connection, match_id: int) -> bool:
    """Whether there is a match with this number."""
    if not 0 < match_id < 2**63:  # SQLite has no larger numbers
        return False
    return db.execute('SELECT 1 FROM "match" WHERE id = ?', (match_id,)).fetchone() is not None


def head(db: sqlite3.Connection, match_id: int) -> Head:
    """The row of a match. Raises `JournalError` if there is none, or it cannot be trusted."""
    row = db.execute(f'SELECT {_HEAD} FROM "match" WHERE id = ?', (match_id,)).fetchone()  # noqa: S608 - a constant
    if row is None:
        raise unknown_match(db, match_id)
    *content, seal = row
    found = Head(*content)
    if found.seal != seal:
        raise damaged(match_id)
    return found


def steps(db: sqlite3.Connection, match_id: int, shapes: Shapes) -> Iterator[tuple[dict[str, Any], str]]:
    """The records of a match with their times, step 1 first; each is checked when it is read.

    Raises `JournalError` at once for an unknown match. Raises `DamagedMatch` on reaching a step that is
    missing, damaged or from elsewhere; the steps before it have then been given.
    """
    with one_moment(db):
        of_match = head(db, match_id)
        # All rows at once: a half-read query would hold back tidying up for as long as it is open.
        rows = db.execute(
            "SELECT number, record, at, chain FROM step WHERE match_id = ? ORDER BY number", (match_id,)
        ).fetchall()
        read_shapes(db, shapes)
    return _records(of_match, rows, shapes)


def steps_after(
    db: sqlite3.Connection, match_id: int, number: int, shapes: Shapes
) -> tuple[int, Iterator[tuple[dict[str, Any], str]], int]:
    """The seal of step `number`, the later records with their times, and the seal of the last one.

    The chain begins with a seal, too: that of number 0. Raises as `steps` does, but for what is damaged up
    to `number`: that is not looked at.
    """
    with one_moment(db):
        of_match = head(db, match_id)
        rows = db.execute(
            "SELECT number, record, at, chain FROM step WHERE match_id = ? AND number >= ? ORDER BY number",
            (match_id, number),
        ).fetchall()
        read_shapes(db, shapes)
    chain = first_link(of_match.uid)
    if number:
        if not rows or rows[0][0] != number:
            raise damaged(match_id, number, "missing")
        chain = rows.pop(0)[3]
    return chain, _records(of_match, rows, shapes, number, chain), of_match.chain


def heads(db: sqlite3.Connection, newest: int) -> list[Head]:
    """The rows of so many of the newest matches, the newest first; one that cannot be trusted is left out."""
    rows = db.execute(f'SELECT {_HEAD} FROM "match" ORDER BY id DESC LIMIT ?', (newest,)).fetchall()  # noqa: S608 - a constant
    return [found for *content, seal in rows if (found := Head(*content)).seal == seal]


def times(db: sqlite3.Connection, match_id: int) -> tuple[str, ...]:
    """When the steps of a match were saved, step 1 first, by the wall clock; empty for an unknown match."""
    rows = db.execute("SELECT at FROM step WHERE match_id = ? ORDER BY number", (match_id,)).fetchall()
    return tuple(at for (at,) in rows)


def read_shapes(db: sqlite3.Connection, shapes: Shapes) -> None:
    """Learn the shapes that are new since the last call. Raises `JournalError` for a damaged one."""
    rows = db.execute(
        "SELECT number, names, seal FROM shape WHERE number > ? ORDER BY number", (len(shapes),)
    ).fetchall()
    for number, names, seal in rows:
        try:
            if number != len(shapes) + 1 or sealed(number, names) != seal:
                raise ValueError(number)  # noqa: TRY301 - the same answer as for a text that is no shape
            shapes.learn([names])
        except ValueError as bad:
            raise _beyond_use(f"shape {number} of the records") from bad


def counted(db: sqlite3.Connection) -> int:
    """How many matches are there."""
    number: int = db.execute('SELECT count(*) FROM "match"').fetchone()[0]
    return number


def latest(db: sqlite3.Connection) -> int | None:
    """The match that was started last; None if there is none."""
    row = db.execute('SELECT max(id) FROM "match"').fetchone()
    number: int | None = row[0]
    return number


def recall(db: sqlite3.Connection, key: str) -> object:
    """The value remembered under `key`; None when there is none. Raises `JournalError` if it is damaged."""
    row = db.execute("SELECT value, seal FROM note WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    value, seal = row
    if sealed(key, value) != seal:
        raise _beyond_use(f"the note {key!r}")
    try:
        remembered: object = json.loads(value)
    except (ValueError, RecursionError) as error:
        raise _beyond_use(f"the note {key!r}") from error
    return remembered


def known(db: sqlite3.Connection) -> Known:
    """What the journal must have. Raises `JournalError` if the note about it is damaged."""
    note = recall(db, KNOWN)
    if note is None:
        return Known()
    try:
        if not isinstance(note, dict):
            raise TypeError(note)  # noqa: TRY301 - the same answer as for one without its parts
        note = {"last": note["newest"], **note}  # older programs write no last one
        return Known(note["matches"], note["newest"], tuple(note["notes"]), note["last"])
    except (KeyError, TypeError) as bad:
        raise _beyond_use(f"the note {KNOWN!r}") from bad


def unknown_match(db: sqlite3.Connection, match_id: int) -> JournalError:
    """The error for an unknown match."""
    newest = latest(db)
    choice = "there are no matches yet" if newest is None else f"use a match from 1 to {newest}"
    return JournalError(say("there is no match {match_id}", match_id=match_id), choice)


def damaged(match_id: int, step: int | None = None, what: str = "damaged") -> DamagedMatch:
    """The error for a match whose header (no step) or step cannot be trusted."""
    if step is None:
        return DamagedMatch(
            say("the header of match {match_id} is damaged", match_id=match_id),
            say("the other matches can be read; a backup may have it: nimmt restore"),
            match_id,
        )
    before = {1: "nothing before it can be read", 2: "step 1 can be read"}.get(
        step, f"steps 1 to {step - 1} can be read"
    )
    return DamagedMatch(
        say("step {step} of match {match_id} is {what}", step=step, match_id=match_id, what=what),
        say(
            "{before}, and so can the other matches; a backup may have the rest: nimmt restore", before=before
        ),
        match_id,
        step,
    )


_LAST_ROWS: Final = (
    "SELECT * FROM summary ORDER BY match_id DESC LIMIT 1",
    "SELECT * FROM shape ORDER BY number DESC LIMIT 1",
    'SELECT uid FROM "match" INDEXED BY sqlite_autoindex_match_1 ORDER BY uid DESC LIMIT 1',
)
"""The way into each tree that nothing else of the start reads. With a damaged one no match could be listed or
begun, and a start would not help."""


def fault_at_start(db: sqlite3.Connection) -> str | None:
    """What is wrong with a journal that is to be written, in words for users; None if it can be used.

    Looks at the tables, the notes and the newest match, which may be resumed: as much for a journal of ten
    thousand matches as for one. `fault_in` looks at the rest. Raises `sqlite3.Error` for pages that cannot be
    read at all.
    """
    if (fault := fault_of_tables(db)) is not None:
        return fault
    for last_row in _LAST_ROWS:
        db.execute(last_row).fetchone()
    try:
        if (fault := _fault_of_notes(db)) is not None:
            return fault
        count, last = known(db).matches, known(db).last
        at_last = latest(db) or 0
        if last != at_last or (count == 0) != (last == 0):
            return f"match {last} is missing" if last > at_last else f"match {at_last} is not its own"
        if last:
            for _ in steps(db, last, Shapes()):
                pass
        strange = db.execute("SELECT match_id FROM step ORDER BY match_id DESC LIMIT 1").fetchone()
        if strange and strange[0] > last:
            return f"the header of match {strange[0]} is missing"
    except JournalError as error:
        return error.fault
    return None


def _fault_of_notes(db: sqlite3.Connection) -> str | None:
    """Whether the notes are those that were written; raises `JournalError` for one that is damaged.

    Each is also looked for by its key: on a damaged page a note that is there may not be found.
    """
    there = [key for (key,) in db.execute("SELECT key FROM note").fetchall()]
    if not there:
        return None
    notes = known(db).notes
    for key in (KNOWN, *notes):
        if db.execute("SELECT 1 FROM note WHERE key = ?", (key,)).fetchone() is None:
            return f"the note {key!r} is missing"
        recall(db, key)
    strange = [key for key in there if key not in (KNOWN, *notes)]
    return f"the note {strange[0]!r} is not its own" if strange else None


def fault_of_tables(db: sqlite3.Connection) -> str | None:
    """Whether the file has the tables of a journal, and nothing else that SQLite would act upon."""
    found = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    if strange := [f"the {kind} {name!r}" for kind, name, *_ in found if kind in ("trigger", "view")]:
        return f"it has {strange[0]}, which no journal has"
    if set(found) != _OBJECTS or len(found) != len(_OBJECTS):
        return "its tables are not those of a journal"
    return None


def fault_in(db: sqlite3.Connection) -> str | None:
    """What is wrong with the content of a journal, in words for users; None if it is valid.

    Checks every page, the tables, every match with all its steps, and the notes. Raises `sqlite3.Error` for
    pages that cannot be read at all.
    """
    verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        return f"it is damaged ({verdict})"
    if (fault := fault_at_start(db)) is not None:
        return fault
    try:
        shapes = Shapes()
        for number in (number for (number,) in db.execute('SELECT id FROM "match" ORDER BY id').fetchall()):
            for _ in steps(db, number, shapes):
                pass
        missing = fault_of_count(db)
        return None if missing is None else str(missing)
    except JournalError as error:
        return error.fault


def fault_of_count(db: sqlite3.Connection) -> Text | None:
    """Whether as many matches are there as were begun and not removed, and no steps of others."""
    count = known(db).matches
    there = counted(db)
    if there < count:
        return say("only {there} of {count} matches are there", there=there, count=count)
    if there > count:
        return say(
            "{there} matches are there, but only {count} were played or imported", there=there, count=count
        )
    return None


def _records(
    of_match: Head,
    rows: Sequence[tuple[int, str, str, int]],
    shapes: Shapes,
    after: int = 0,
    chain: int | None = None,
) -> Iterator[tuple[dict[str, Any], str]]:
    """The steps in these rows, all that there are above `after`, whose seal is `chain`."""
    if chain is None:
        chain = first_link(of_match.uid)
    for expected, (number, stored, at, seal) in enumerate(rows, start=after + 1):
        if number != expected or expected > of_match.steps:
            what = "missing" if _is_after(number, expected) else "not its own"
            raise damaged(of_match.id, expected, what)
        try:
            record = shapes.full(stored)
            chain = link(chain, number, shapes.text_of(stored, record), at)
        except (
            ValueError,
            TypeError,
            RecursionError,
        ) as bad:  # TypeError: a damaged page made something else of a text
            raise damaged(of_match.id, number) from bad
        if chain != seal:
            raise damaged(of_match.id, number)
        yield record, at
    if after + len(rows) < of_match.steps:
        raise damaged(of_match.id, after + len(rows) + 1, "missing")
    if chain != of_match.chain:
        raise damaged(of_match.id, of_match.steps)


def _is_after(number: object, expected: int) -> bool:
    return isinstance(number, int) and number > expected  # a damaged page can make a text of a number


def _lines(db: sqlite3.Connection, which: str, *values: int | str) -> list[tuple[Any, ...]]:
    columns = ", ".join(f"m.{name}" for name in _HEAD.split(", "))
    return db.execute(
        f"SELECT {columns}, s.chain, s.content, s.seal"  # noqa: S608 - constants
        f' FROM "match" AS m LEFT JOIN summary AS s ON s.match_id = m.id WHERE {which}',
        values,
    ).fetchall()


def _entry(row: tuple[Any, ...]) -> MatchEntry:
    match_id, uid, text, started_at, count, last_at, chain, seal, of_chain, content, seal_of_summary = row
    if _seal_of_match(match_id, uid, text, started_at, count, last_at, chain) != seal:
        return MatchEntry(match_id, {}, "", 0, None, uid, fault=damaged(match_id).fault)
    try:
        header = _header(text)
    except (ValueError, RecursionError):
        return MatchEntry(match_id, {}, "", 0, None, uid, fault=damaged(match_id).fault)
    summary = None
    # What `sealed` gives for the row of a summary, in less time: a list asks for thousands.
    if of_chain == chain and zlib.crc32(f"{match_id}\n{of_chain}\n{content}".encode()) == seal_of_summary:
        summary, _ = _DECODE(content)
    return MatchEntry(match_id, dict(header), started_at, count, last_at, uid, summary)


@lru_cache(maxsize=256)
def _header(text: str) -> dict[str, Any]:
    """A header; the same people play the same game again and again. Raises ValueError if it is none."""
    header = json.loads(text)
    if not isinstance(header, dict):
        raise ValueError("a header that is no object")  # noqa: TRY004 - what is wrong is the text
    return header


def _beyond_use(what: str) -> JournalError:
    return JournalError(
        say("{what} is damaged", what=what),
        say("use a backup: nimmt restore; or restart nimmt: it renames the file and starts a new journal"),
    )
