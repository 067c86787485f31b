"""Changes of the rows of a journal, within a transaction of its owner."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import asdict

from companion.core.tally import MatchTally, write_tally
from companion.text.sentence import say
from companion.values import Value, replace
from firmware.journal import rows
from firmware.journal.errors import JournalError
from firmware.journal.rows import Head, Notes
from firmware.journal.tables import TABLES, first_link, link, packed, sealed, written


class StoredMatch(Value):
    """A whole match from elsewhere, with its tally: each step with the time at which it was saved there."""

    uid: str
    header: Mapping[str, object]
    started_at: str
    steps: Sequence[tuple[Mapping[str, object], str]]
    tally: MatchTally | None = None


def lay_out(db: sqlite3.Connection) -> None:
    """Write the tables of a journal without matches."""
    for table in TABLES.values():
        db.execute(table)
    db.execute("INSERT INTO note VALUES ('', 0)")
    _keep(db, Notes())


def begin(db: sqlite3.Connection, header: Mapping[str, object], started_at: str, uid: str) -> int:
    """Write a match without steps, one above the newest; gives its number."""
    notes = rows.notes(db)
    number = max(notes.newest, rows.latest(db) or 0) + 1
    head = Head(number, uid, written(dict(header)), started_at, 0, None, first_link(uid))
    db.execute('INSERT INTO "match" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', head.row())
    _keep(db, replace(notes, matches=notes.matches + 1, newest=number, last=number))
    return number


def append(
    db: sqlite3.Connection,
    head: Head,
    steps: Iterable[tuple[Mapping[str, object], str]],
    header: Mapping[str, object] | None = None,
    tally: MatchTally | None = None,
) -> None:
    """Write the next steps of a match, each with its time, and the row of the match that counts them.

    A `header` or a `tally` takes the place of the one there is.
    """
    for record, at in steps:
        number, text = head.steps + 1, written(record)
        chain = link(head.chain, number, text, at)
        db.execute("INSERT INTO step VALUES (?, ?, ?, ?, ?)", (head.id, number, packed(text), at, chain))
        head = replace(head, steps=number, last_at=at, chain=chain)
    if header is not None:
        head = replace(head, header=written(dict(header)))
    if tally is not None:
        head = replace(head, tally=write_tally(tally))
    rewrite(db, head)


def insert(db: sqlite3.Connection, matches: Sequence[StoredMatch]) -> list[int]:
    """Write the matches after the newest; gives their numbers. Raises `JournalError` for one that is here."""
    numbers = []
    for kept in matches:
        if (here := rows.entry_with(db, kept.uid)) is not None:
            raise _here_already(here, len(kept.steps))
        number = begin(db, kept.header, kept.started_at, kept.uid)
        append(db, rows.head(db, number), kept.steps, tally=kept.tally)
        numbers.append(number)
    return numbers


def remove(db: sqlite3.Connection, match_id: int) -> None:
    """Remove a match with its steps, so that the journal knows that it is gone."""
    db.execute("DELETE FROM step WHERE match_id = ?", (match_id,))
    db.execute('DELETE FROM "match" WHERE id = ?', (match_id,))
    notes = rows.notes(db)
    _keep(db, replace(notes, matches=notes.matches - 1, last=rows.latest(db) or 0))


def withdraw(db: sqlite3.Connection, match_id: int) -> None:
    """Remove the newest match, in which nothing was done, as if it had never been begun. `JournalError`."""
    if rows.head(db, match_id).steps or match_id != rows.latest(db):
        raise JournalError(
            say("match {match_id} is not a new one", match_id=match_id), say("remove it instead")
        )
    remove(db, match_id)
    _keep(db, replace(rows.notes(db), newest=match_id - 1))


def replace_headers(
    db: sqlite3.Connection, headers: Mapping[int, Mapping[str, object]], notes: Mapping[str, object]
) -> None:
    """Write other headers and notes. `JournalError` for an unknown match."""
    for number, header in headers.items():
        rewrite(db, replace(rows.head(db, number), header=written(dict(header))))
    note(db, notes)


def note(db: sqlite3.Connection, values: Mapping[str, object]) -> None:
    """Replace notes, each by its key."""
    notes = rows.notes(db)
    _keep(db, replace(notes, values={**notes.values, **values}))


def _keep(db: sqlite3.Connection, notes: Notes) -> None:
    content = written(asdict(notes))
    db.execute("UPDATE note SET content = ?, seal = ?", (content, sealed(content)))


def rewrite(db: sqlite3.Connection, head: Head) -> None:
    """Write the row of a match that is there."""
    db.execute(
        'UPDATE "match" SET header = ?, steps = ?, last_at = ?, chain = ?, tally = ?, seal = ? WHERE id = ?',
        (head.header, head.steps, head.last_at, head.chain, head.tally, head.seal, head.id),
    )


def _here_already(known: rows.MatchEntry, steps: int) -> JournalError:
    if known.steps >= steps:
        return JournalError(
            say(
                "match {match} in the journal is the same match, with {steps} steps",
                match=known.id,
                steps=known.steps,
            ),
            say("there is nothing to import"),
        )
    return JournalError(
        say(
            "match {match} in the journal is the same match, with {steps} steps of the {steps_2} in the file",
            match=known.id,
            steps=known.steps,
            steps_2=steps,
        ),
        say("import the file into another journal: --journal FILE"),
    )
