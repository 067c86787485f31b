"""Reads a journal, even one that a device is writing; it takes no lock and changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.text.sentence import Text, say
from firmware.journal import checks, rows
from firmware.journal.errors import refusal
from firmware.journal.opening import connect_to_read
from firmware.journal.rows import Head, MatchEntry


class JournalReader:
    """A journal for reading; from `Journal.read`. Each call sees what is saved at that moment.

    One thread opens, uses and closes it; every thread may have its own.
    """

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self._path = path
        self._db = db

    @classmethod
    def open(cls, path: Path) -> JournalReader:
        """The journal at `path`. Raises `JournalError` if there is none, or it cannot be read."""
        try:
            return cls(path, connect_to_read(path))
        except (OSError, sqlite3.Error) as error:
            raise refusal(error, path, say("the journal {path} cannot be read", path=path)) from error

    def matches(self) -> list[MatchEntry]:
        """All matches, oldest first; one that cannot be trusted says so. Raises `JournalError`."""
        return list(self.each_match())

    def each_match(self, newest: int | None = None) -> Iterator[MatchEntry]:
        """The same one after the other, all or only so many of the newest.

        Raises `JournalError`, also later on.
        """
        with self._reading(say("the matches could not be read")) as db:
            yield from rows.matches(db, newest)

    def counted(self) -> int:
        """How many matches are there. Raises `JournalError`."""
        with self._reading(say("the matches could not be counted")) as db:
            return rows.counted(db)

    def entry(self, match_id: int) -> MatchEntry:
        """One match. Raises `JournalError` if there is none with this number, or it cannot be trusted."""
        with self._reading(say("match {match_id} could not be read", match_id=match_id)) as db:
            return rows.entry(db, match_id)

    def has(self, match_id: int) -> bool:
        """Whether there is a match with this number. Raises `JournalError`."""
        with self._reading(say("match {match_id} could not be read", match_id=match_id)) as db:
            return rows.has(db, match_id)

    def steps(self, match_id: int) -> Iterator[dict[str, object]]:
        """The records of a match from step 1 on, as of this call: later steps are not included.

        Raises `JournalError` for an unknown match, and on reaching a damaged record, naming match and step;
        the records before it have then been yielded.
        """
        return (record for record, _ in self.timed_steps(match_id))

    def timed_steps(self, match_id: int) -> Iterator[tuple[dict[str, object], str]]:
        """The same with the time at which each was saved."""
        with self._reading(say("match {match_id} could not be read", match_id=match_id)) as db:
            return rows.steps(db, match_id)

    def steps_after(
        self, match_id: int, number: int
    ) -> tuple[int, Iterator[tuple[dict[str, Any], str]], int]:
        """The steps of a match above `number`, between the seals of that step and of the last one.

        For who has read the others before: if the first seal is still what it was, so are they. Raises
        `JournalError`.
        """
        with self._reading(say("match {match_id} could not be read", match_id=match_id)) as db:
            return rows.steps_after(db, match_id, number)

    def heads(self, newest: int) -> list[Head]:
        """What the journal knows of its newest matches without reading them, the newest first."""
        with self._reading(say("the matches could not be read")) as db:
            return rows.heads(db, newest)

    def times(self, match_id: int) -> tuple[str, ...]:
        """When the steps of a match were saved, step 1 first. Raises `JournalError`."""
        with self._reading(say("the times of match {match_id} could not be read", match_id=match_id)) as db:
            return rows.times(db, match_id)

    def fault_of_count(self) -> Text | None:
        """Whether matches are missing that were begun and not removed. Raises `JournalError`."""
        with self._reading(say("the matches could not be counted")) as db:
            return checks.fault_of_count(db)

    def latest(self) -> int | None:
        """The match that was started last; None in an empty journal. Raises `JournalError`."""
        with self._reading(say("the latest match could not be found")) as db:
            return rows.latest(db)

    def recall(self, key: str) -> object:
        """The value remembered under `key`; None if there is none. Raises `JournalError`."""
        with self._reading(say("{key} could not be read", key=repr(key))) as db:
            return rows.notes(db).values.get(key)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._db.close()

    @contextmanager
    def _reading(self, what: Text) -> Iterator[sqlite3.Connection]:
        try:
            yield self._db
        except sqlite3.ProgrammingError:  # closed, or a second thread
            raise
        except sqlite3.Error as error:
            raise refusal(error, self._path, what) from error
