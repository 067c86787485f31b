"""Writing the journal: one commit and one sync per step, and no trust in a connection after a disk error."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from companion.core.tally import MatchTally
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.journal import changes, checks, file, opening, rows
from firmware.journal.changes import StoredMatch
from firmware.journal.connection import WritingConnection
from firmware.journal.errors import JournalError, has_room, primary_code, refusal
from firmware.journal.opening import OpenReport
from firmware.journal.reader import JournalReader
from firmware.journal.rows import MatchEntry
from firmware.journal.tables import written

__all__ = ["Journal", "JournalError", "JournalReader", "MatchEntry", "OpenReport", "StoredMatch"]

TIDY_BYTES = 1024 * 1024  # a log of some hundred steps; reading slows down with its length


class Size(Value):
    """How many matches there are, the bytes of the file with its log, and the bytes free on its disk."""

    matches: int
    used_bytes: int
    free_bytes: int


def new_uid() -> str:
    """A unique identity for a match: 16 digits and letters."""
    return os.urandom(8).hex()  # what secrets.token_hex gives, without random, hmac and base64


class Journal:
    """The journal of one device, for writing; from `Journal.open`.

    One thread opens, uses and closes it; other threads and programs use `Journal.read`. A write blocks for
    one sync of the disk (5 to 30 ms on an SD card), and for up to one more second if another program locks
    the file. A write that raises `JournalError` has no effect; the same call may be repeated, and succeeds
    once the cause is gone.
    """

    def __init__(
        self,
        path: Path,
        wall: Callable[[], str],
        lock: int,
        db: sqlite3.Connection,
        identity: Callable[[], str],
    ) -> None:
        self._path = path
        self._wall = wall
        self._identity = identity
        self._connection = WritingConnection(path, lock, db)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        wall: Callable[[], str],
        identity: Callable[[], str] = new_uid,
        on_trial: bool = False,
    ) -> tuple[Journal, OpenReport]:
        """The journal at `path`, created with its folders if need be, and what was found there.

        A file that is damaged, foreign or garbage is renamed to `<name>.damaged-<n>`, one of a
        newer nimmt to `<name>.newer-v<version>-<n>`, and a new journal is started: the report says
        so. `wall` gives the date and time as text; it is stored, never computed with; `identity`
        gives every new match its `uid`. Blocks while every page is looked at (2 ms per MB on a
        laptop).

        `on_trial` says that this version of the program is not confirmed yet: a journal of another format is
        then left as it is, and a copy is used (see `opening`).

        Raises `JournalError` when another process has the journal open (it names it), when `path` is
        no file (a folder, a link to nowhere), and when disk or rights forbid writing.
        """
        lock = file.hold(path)
        path = path.resolve()
        try:
            report = opening.prepare(path, wall, on_trial=on_trial)
            return cls(report.path, wall, lock, file.connect(report.path), identity), report
        except BaseException as error:
            os.close(lock)
            if isinstance(error, (OSError, sqlite3.Error)):
                raise refusal(error, path, say("the journal cannot be opened")) from error
            raise

    @staticmethod
    def read(path: Path) -> JournalReader:
        """The journal at `path` for reading only, even while a device writes it."""
        return JournalReader.open(path)

    def begin(
        self, header: Mapping[str, object], notes: Callable[[int], Mapping[str, object]] | None = None
    ) -> int:
        """Start a match: its number, 1 or more, one above the newest. On the disk when this returns.

        `header` is stored as JSON, and so is what `notes` gives for the number of the match, each under
        its key as by `remember`: all of it or nothing, after one sync. Raises `JournalError`; TypeError
        or ValueError if something is no JSON.
        """
        written(dict(header))  # what is no JSON is refused before anything is written
        what = say("the new match was not saved")
        with self._connection.writing(what) as db:
            match_id = changes.begin(db, header, self._wall(), self._identity())
            changes.note(db, notes(match_id) if notes else {})
            self._connection.commit(db)
        return match_id

    def append(
        self,
        match_id: int,
        number: int,
        record: Mapping[str, object],
        header: Mapping[str, object] | None = None,
        tally: MatchTally | None = None,
    ) -> None:
        """Save step `number` of a match, counted from 1. On the disk when this returns, after one sync.

        A `header` or a `tally` takes the place of the one there is, together with the step. Raises
        `JournalError`, also for an unknown match and for any number but the next one; TypeError or
        ValueError if something is no JSON.
        """
        at = self._wall()
        with self._connection.writing(
            say("step {number} of match {match_id} was not saved", number=number, match_id=match_id)
        ) as db:
            head = rows.head(db, match_id)
            if number != head.steps + 1:
                raise JournalError(
                    say(
                        "step {number} of match {match_id} cannot follow step {steps}",
                        number=number,
                        match_id=match_id,
                        steps=head.steps,
                    ),
                    say("save step {steps} next", steps=head.steps + 1),
                )
            changes.append(db, head, [(record, at)], header, tally)
            self._connection.commit(db)

    def matches(self) -> list[MatchEntry]:
        """All matches, oldest first; one that cannot be trusted says so. Raises `JournalError`."""
        with self._connection.reading(say("the matches could not be read")) as db:
            return list(rows.matches(db))

    def newest(self, most: int) -> list[MatchEntry]:
        """The newest matches, oldest first, at most so many. Raises `JournalError`."""
        with self._connection.reading(say("the matches could not be read")) as db:
            return list(rows.matches(db, most))

    def entry(self, match_id: int) -> MatchEntry:
        """One match. Raises `JournalError` if there is none with this number, or it cannot be trusted."""
        with self._connection.reading(say("match {match_id} could not be read", match_id=match_id)) as db:
            return rows.entry(db, match_id)

    def has(self, match_id: int) -> bool:
        """Whether there is a match with this number. Raises `JournalError`."""
        with self._connection.reading(say("match {match_id} could not be read", match_id=match_id)) as db:
            return rows.has(db, match_id)

    def numbers(self, after: int, most: int) -> list[int]:
        """The numbers of the next matches above `after`, at most so many. Raises `JournalError`."""
        with self._connection.reading(say("the matches could not be read")) as db:
            return rows.numbers(db, after, most)

    def steps(self, match_id: int) -> Iterator[dict[str, object]]:
        """The records of a match from step 1 on, as of this call: later steps are not included.

        Raises `JournalError` for an unknown match, and on reaching a damaged record, naming match and step;
        the records before it have then been yielded.
        """
        return (record for record, _ in self.timed_steps(match_id))

    def timed_steps(self, match_id: int) -> Iterator[tuple[dict[str, object], str]]:
        """The same with the time at which each was saved."""
        with self._connection.reading(say("match {match_id} could not be read", match_id=match_id)) as db:
            return rows.steps(db, match_id)

    def latest(self) -> int | None:
        """The match that was started last; None in an empty journal. Raises `JournalError`."""
        with self._connection.reading(say("the latest match could not be found")) as db:
            return rows.latest(db)

    def size(self) -> Size:
        """How large the journal is. Raises `JournalError`."""
        with self._connection.reading(say("the matches could not be counted")) as db:
            used = file.file_bytes(self._path) + file.log_bytes(self._path)
            return Size(rows.notes(db).matches, used, file.free_bytes(self._path))

    def fault_of_count(self) -> Text | None:
        """Whether matches are missing that were begun and not removed. Raises `JournalError`."""
        with self._connection.reading(say("the matches could not be counted")) as db:
            return checks.fault_of_count(db)

    def check_pages(self, stop: Callable[[], bool]) -> tuple[bool, str | None]:
        """Let SQLite check the pages of the file: whether that was finished, and what is wrong, if anything.

        It is not finished if `stop` has ended it, which is asked every millisecond or so; then nothing is
        known. Blocks for about 1 ms per MB on a laptop. Raises `JournalError`.
        """
        with self._connection.reading(say("the journal could not be checked")) as db:
            db.set_progress_handler(stop, 2000)
            try:
                verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            except sqlite3.OperationalError as error:
                if primary_code(error) != sqlite3.SQLITE_INTERRUPT:
                    raise
                return False, None
            finally:
                db.set_progress_handler(None, 0)
        return True, None if verdict == "ok" else f"it is damaged ({verdict})"

    def remove(self, match_id: int) -> None:
        """Remove a match with all its steps; the numbers of the others stay. One sync. `JournalError`."""
        with self._connection.writing(say("match {match_id} was not removed", match_id=match_id)) as db:
            changes.remove(db, match_id)
            self._connection.commit(db)

    def withdraw(self, match_id: int, notes: Mapping[str, object]) -> None:
        """Take back that the newest match was begun: it has no step, and its number is given again.

        The notes are stored with it, each under its key as by `remember`. One sync. Raises `JournalError`.
        """
        with self._connection.writing(say("match {match_id} was not removed", match_id=match_id)) as db:
            changes.withdraw(db, match_id)
            changes.note(db, notes)
            self._connection.commit(db)

    def remember(self, key: str, value: object) -> None:
        """Store a JSON value across matches, replacing the old value of `key`. On the disk when this returns.

        Raises `JournalError`; TypeError or ValueError if `value` is not JSON.
        """
        with self._connection.writing(say("{key} was not saved", key=repr(key))) as db:
            changes.note(db, {key: value})
            self._connection.commit(db)

    def recall(self, key: str) -> object:
        """The value remembered under `key`; None if there is none. Raises `JournalError`."""
        with self._connection.reading(say("{key} could not be read", key=repr(key))) as db:
            return rows.notes(db).values.get(key)

    def import_matches(self, matches: Sequence[StoredMatch]) -> list[int]:
        """Save whole matches from elsewhere, all or none: their numbers here, in the same order.

        On the disk when this returns, after one sync. Raises `JournalError` if one of them is already here;
        TypeError or ValueError if a record is not JSON.
        """
        with self._connection.writing(say("the matches were not imported")) as db:
            numbers = changes.insert(db, matches)
            self._connection.commit(db)
        return numbers

    def erase(self, headers: Mapping[int, Mapping[str, object]], notes: Mapping[str, object]) -> None:
        """Put other headers and notes in the place of those there are, and leave no byte of the old ones.

        Blocks while the file is rewritten, some 10 ms per MB and two syncs. Raises `JournalError`;
        where it says that traces are left, the change is made, and the same call removes them later.
        """
        what = say("nothing was removed")
        self._connection.in_place(what).execute("PRAGMA secure_delete = ON")
        with self._connection.writing(what) as db:
            changes.replace_headers(db, headers, notes)
            self._connection.commit(db)
        left = say("traces of the removed data are still in the file")
        with self._connection.reading(left) as db:
            db.execute("VACUUM")
            file.move_log_into_file(db)
        if file.log_bytes(self._path):
            raise JournalError(
                say("{left}: another program is reading it", left=left),
                say("close whatever else has {path} open, then try again", path=self._path),
            )

    def times(self, match_id: int) -> tuple[str, ...]:
        """When the steps of a match were saved, step 1 first. Raises `JournalError`."""
        with self._connection.reading(
            say("the times of match {match_id} could not be read", match_id=match_id)
        ) as db:
            return rows.times(db, match_id)

    def tidy(self) -> None:
        """Merge a log of more than `TIDY_BYTES` into the file; to be called when nobody waits for a play.

        Blocks for a few syncs, never for a reader: what a reader still needs is merged the next time. Raises
        nothing: all steps are as safe in the log, and a broken disk shows at the next write.
        """
        what = say("the log was not merged into the file")
        if not self._connection.is_open or file.log_bytes(self._path) < TIDY_BYTES:
            return
        try:
            file.move_log_into_file(self._connection.connected(what))
        except sqlite3.Error as error:
            self._connection.refused(error, what)

    def writable(self) -> bool:
        """Whether a step could be saved now, as far as that can be known without writing.

        Also False when the disk has room for hardly five plays. For a watchdog: it does not write to disk,
        and blocks for at most a second, when another program locks the file. After a disk error it tries to
        open and check the file again. Raises nothing.
        """
        what = say("the journal cannot be written")
        if not (os.access(self._path, os.W_OK) and has_room(self._path)):
            return False
        try:
            file.try_writing(self._connection.connected(what))
        except sqlite3.Error as error:
            self._connection.refused(error, what)
            return False
        except JournalError:
            return False
        return self._connection.is_in_place

    def close(self) -> None:
        """Close the file and release the lock; may be called again. Raises nothing: all is saved."""
        self._connection.close()
