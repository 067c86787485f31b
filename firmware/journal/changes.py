"""Changes to many rows of a journal at once, within a transaction of its owner; and what takes each back.

A step is saved by `store` itself. Here are the rare ones: notes, matches that come from elsewhere,
and headers and notes that are replaced so that a player is erased.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from firmware.journal import rows
from firmware.journal.errors import JournalError
from firmware.journal.rows import sealed, written

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

Statement: TypeAlias = tuple[str, tuple[int | str, ...]]


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A whole match from elsewhere: each step with the time at which it was saved there."""

    uid: str
    header: Mapping[str, object]
    started_at: str
    steps: Sequence[tuple[Mapping[str, object], str]]


def insert(db: sqlite3.Connection, matches: Sequence[StoredMatch]) -> list[int]:
    """Write the matches after the newest; gives their numbers. Raises `JournalError` for one that is here."""
    here = {entry.uid: entry for entry in rows.matches(db)}
    number = rows.latest(db) or 0
    numbers = []
    for kept in matches:
        if (known := here.get(kept.uid)) is not None:
            raise _here_already(known, len(kept.steps))
        number += 1
        numbers.append(number)
        text = written(dict(kept.header))
        seal = sealed(number, kept.uid, text, kept.started_at)
        match = (number, kept.uid, text, kept.started_at, seal)
        db.execute('INSERT INTO "match" VALUES (?, ?, ?, ?, ?)', match)
        here[kept.uid] = rows.MatchEntry(
            number, dict(kept.header), kept.started_at, len(kept.steps), None, kept.uid
        )
        for place, (record, at) in enumerate(kept.steps, start=1):
            line = written(dict(record))
            step = (number, place, line, at, sealed(number, place, line, at))
            db.execute("INSERT INTO step VALUES (?, ?, ?, ?, ?)", step)
    return numbers


def removal(numbers: Sequence[int]) -> Iterator[Statement]:
    """The statements that undo `insert`."""
    for number in numbers:
        yield "DELETE FROM step WHERE match_id = ?", (number,)
        yield 'DELETE FROM "match" WHERE id = ?', (number,)


def replace(
    db: sqlite3.Connection, headers: Mapping[int, Mapping[str, object]], notes: Mapping[str, object]
) -> Iterator[Statement]:
    """Write other headers and notes; the statements to undo it. `JournalError` for an unknown match."""
    back: list[Statement] = []
    for number, header in headers.items():
        found = db.execute(
            'SELECT uid, header, started_at, seal FROM "match" WHERE id = ?', (number,)
        ).fetchone()
        if found is None:
            raise rows.unknown_match(db, number)
        uid, old, started_at, seal = found
        text = written(dict(header))
        write = 'UPDATE "match" SET header = ?, seal = ? WHERE id = ?'
        db.execute(write, (text, sealed(number, uid, text, started_at), number))
        back.append((write, (old, seal, number)))
    back += [note(db, key, value) for key, value in notes.items()]
    return iter(back)


def note(db: sqlite3.Connection, key: str, value: object) -> Statement:
    """Replace a note; gives the statements to undo it."""
    text = written(value)
    write = "INSERT OR REPLACE INTO note VALUES (?, ?, ?)"
    before = db.execute("SELECT * FROM note WHERE key = ?", (key,)).fetchone()
    db.execute(write, (key, text, sealed(key, text)))
    return (write, before) if before else ("DELETE FROM note WHERE key = ?", (key,))


def _here_already(known: rows.MatchEntry, steps: int) -> JournalError:
    fault = f"match {known.id} in the journal is the same match"
    if known.steps >= steps:
        return JournalError(f"{fault}, with {known.steps} steps", "there is nothing to import")
    return JournalError(
        f"{fault}, with {known.steps} steps of the {steps} in the file",
        "import the file into another journal: --journal FILE",
    )
