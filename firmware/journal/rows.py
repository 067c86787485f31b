"""Reading matches, steps and notes from the tables; each row is checked as it is read."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final, NamedTuple

from companion.core.tally import MatchTally, read_tally
from companion.text.sentence import say
from companion.values import Value
from firmware.journal.errors import JournalError, beyond_use, damaged
from firmware.journal.tables import first_link, link, seal_of_match, sealed, unpacked

_HEAD: Final = "id, uid, header, started_at, steps, last_at, chain, tally, seal"


_AT_ONCE: Final = 256
"""So many matches are read together: no query stays open between two of them."""


class MatchEntry(
    NamedTuple
):  # a frozen dataclass takes several times as long to make, and a list has thousands
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


class Head(Value):
    """The row of a match without what is read from its header."""

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
        """The seal of the row."""
        return seal_of_match(
            self.id, self.uid, self.header, self.started_at, self.steps, self.last_at, self.chain, self.tally
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
            self.tally,
            self.seal,
        )


class Notes(Value):
    """A few JSON values that outlive a match, by key; and what the journal must have.

    `matches` is how many matches there are, `newest` the newest that was ever begun, `last` the newest that
    is there: a later one was removed, and its number is not given again.
    """

    matches: int = 0
    newest: int = 0
    last: int = 0
    values: Mapping[str, object] = {}


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
    while rows := _lines(db, "id > ? ORDER BY id LIMIT ?", after, _AT_ONCE):
        yield from map(_entry, rows)
        after = rows[-1][0]


def entry(db: sqlite3.Connection, match_id: int) -> MatchEntry:
    """One match. Raises `JournalError` if there is none with this number, or it cannot be trusted."""
    rows = _lines(db, "id = ?", match_id)
    if not rows:
        raise unknown_match(db, match_id)
    found = _entry(rows[0])
    if found.fault is not None:
        raise damaged(match_id)
    return found


def entry_with(db: sqlite3.Connection, uid: str) -> MatchEntry | None:
    """The match of that identity."""
    rows = _lines(db, "uid = ?", uid)
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


def steps(db: sqlite3.Connection, match_id: int) -> Iterator[tuple[dict[str, Any], str]]:
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
    return _records(of_match, rows)


def steps_after(
    db: sqlite3.Connection, match_id: int, number: int
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
    chain = first_link(of_match.uid)
    if number:
        if not rows or rows[0][0] != number:
            raise damaged(match_id, number, say("step {step} of match {match_id} is missing"))
        chain = rows.pop(0)[3]
    return chain, _records(of_match, rows, number, chain), of_match.chain


def heads(db: sqlite3.Connection, newest: int) -> list[Head]:
    """The rows of so many of the newest matches, the newest first; one that cannot be trusted is left out."""
    rows = db.execute(f'SELECT {_HEAD} FROM "match" ORDER BY id DESC LIMIT ?', (newest,)).fetchall()  # noqa: S608 - a constant
    return [found for *content, seal in rows if (found := Head(*content)).seal == seal]


def times(db: sqlite3.Connection, match_id: int) -> tuple[str, ...]:
    """When the steps of a match were saved, step 1 first, by the wall clock; empty for an unknown match."""
    rows = db.execute("SELECT at FROM step WHERE match_id = ? ORDER BY number", (match_id,)).fetchall()
    return tuple(at for (at,) in rows)


def notes(db: sqlite3.Connection) -> Notes:
    """The notes. Raises `JournalError` if they are damaged."""
    try:
        ((content, seal),) = db.execute("SELECT content, seal FROM note").fetchall()
        if sealed(content) != seal:
            raise ValueError(seal)  # noqa: TRY301 - the same answer as for a row that is missing
        return Notes(**json.loads(content))
    except (ValueError, TypeError, RecursionError) as bad:
        raise beyond_use() from bad


def counted(db: sqlite3.Connection) -> int:
    """How many matches are there."""
    number: int = db.execute('SELECT count(*) FROM "match"').fetchone()[0]
    return number


def latest(db: sqlite3.Connection) -> int | None:
    """The match that was started last; None if there is none."""
    row = db.execute('SELECT max(id) FROM "match"').fetchone()
    number: int | None = row[0]
    return number


def unknown_match(db: sqlite3.Connection, match_id: int) -> JournalError:
    """The error for an unknown match."""
    newest = latest(db)
    choice = (
        say("there are no matches yet")
        if newest is None
        else say("use a match from 1 to {newest}", newest=newest)
    )
    return JournalError(say("there is no match {match_id}", match_id=match_id), choice)


def _records(
    of_match: Head,
    rows: Sequence[tuple[int, bytes, str, int]],
    after: int = 0,
    chain: int | None = None,
) -> Iterator[tuple[dict[str, Any], str]]:
    """The steps in these rows, all that there are above `after`, whose seal is `chain`."""
    if chain is None:
        chain = first_link(of_match.uid)
    for expected, (number, record, at, seal) in enumerate(rows, start=after + 1):
        if number != expected or expected > of_match.steps:
            what = (
                say("step {step} of match {match_id} is missing")
                if _is_after(number, expected)
                else say("step {step} of match {match_id} is not its own")
            )
            raise damaged(of_match.id, expected, what)
        try:
            text = unpacked(record)
        except (ValueError, TypeError, zlib.error) as bad:  # TypeError: a damaged page made a text of it
            raise damaged(of_match.id, number) from bad
        chain = link(chain, number, text, at)
        if chain != seal:
            raise damaged(of_match.id, number)
        yield json.loads(text), at
    if after + len(rows) < of_match.steps:
        raise damaged(of_match.id, after + len(rows) + 1, say("step {step} of match {match_id} is missing"))
    if chain != of_match.chain:
        raise damaged(of_match.id, of_match.steps)


def _is_after(number: object, expected: int) -> bool:
    return isinstance(number, int) and number > expected  # a damaged page can make a text of a number


def _lines(db: sqlite3.Connection, which: str, *values: int | str) -> list[tuple[Any, ...]]:
    return db.execute(f'SELECT {_HEAD} FROM "match" WHERE {which}', values).fetchall()  # noqa: S608 - constants


def _entry(row: tuple[Any, ...]) -> MatchEntry:
    match_id, uid, text, started_at, count, last_at, chain, tally, seal = row
    if seal_of_match(match_id, uid, text, started_at, count, last_at, chain, tally) != seal:
        return MatchEntry(match_id, {}, "", 0, None, uid, fault=damaged(match_id).fault)
    try:
        header = _header(text)
    except (ValueError, RecursionError):
        return MatchEntry(match_id, {}, "", 0, None, uid, fault=damaged(match_id).fault)
    known = read_tally(tally) if tally else None
    return MatchEntry(match_id, dict(header), started_at, count, last_at, uid, known)


@lru_cache(maxsize=256)
def _header(text: str) -> dict[str, Any]:
    """A header; the same people play the same game again and again. Raises ValueError if it is none."""
    header = json.loads(text)
    if not isinstance(header, dict):
        raise ValueError("a header that is no object")  # noqa: TRY004 - what is wrong is the text
    return header
