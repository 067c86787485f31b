"""Writing the journal: one commit and one sync per step, and no trust in a connection after a disk error.

A COMMIT whose sync failed may leave its transaction in the log, and a program that opened the log next would
count it as saved. The connection itself does not count it: for SQLite it was rolled back. So before anything
else this connection moves the transactions before it into the file and empties the log; only then is it
closed. What comes before it in the log was synced by its own COMMIT.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from firmware.journal import file, opening, rows
from firmware.journal.errors import JournalError, has_room, is_locked, primary_code, refusal
from firmware.journal.opening import OpenReport
from firmware.journal.reader import JournalReader, reader_of
from firmware.journal.rows import ImportedMatch
from firmware.journal.writes import Rewrite, Write, failed, make

CHECKPOINT_BYTES: Final = 1024 * 1024
"""A log of some hundred steps; reading slows down with its length."""

LONGEST_LOG_BYTES: Final = 8 * 1024 * 1024
"""A log of this length is merged before the next write, also when steps come without any pause."""

# After these SQLite has rolled back and the connection is as good as before. After any other
# error what the disk holds is unknown, and so is what the connection believes it holds.
_CONNECTION_STAYS: Final = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CONSTRAINT,
)


def wall() -> str:
    """The time of day in UTC. It is for reading only: the order of steps comes from their numbers."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def new_uid() -> str:
    """A unique identity for a match: 16 digits and letters."""
    return os.urandom(8).hex()  # what secrets.token_hex gives, without random, hmac and base64


class Journal:
    """The journal of one device, for writing; from `Journal.open`. What is in it is read through `reader`.

    One thread opens, uses and closes it; other threads and programs use `Journal.read`. A write is on the
    disk when it returns. It blocks for one sync of the disk (5 to 30 ms on an SD card), and for up to one
    more second if another program locks the file. A write that raises `JournalError` has no effect; the same
    call may be repeated, and succeeds once the cause is gone. TypeError or ValueError is raised for what is
    no JSON.
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
        self._lock: int | None = lock
        self._db: sqlite3.Connection | None = db  # None after an error that it may not survive
        self._place = file.identity(path)
        self._refused_in_log = False  # what was refused may be in the log
        self.reader = JournalReader(path, self._reading, self.close)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        wall: Callable[[], str] = wall,
        identity: Callable[[], str] = new_uid,
    ) -> tuple[Journal, OpenReport]:
        """The journal at `path`, created with its folders if need be, and what was found there.

        A file that is damaged, foreign or garbage is renamed to `<name>.damaged-<n>`, one of a
        newer nimmt to `<name>.newer-v<version>-<n>`, and a new journal is started: the report says
        so. `wall` gives the date and time as text; it is stored, never computed with; `identity`
        gives every new match its `uid`.

        Raises `JournalError` when another process has the journal open (it names it), when `path` is
        no file (a folder, a link to nowhere), and when disk or rights forbid writing.
        """
        lock, was_here = file.hold(path)
        path = path.resolve()
        try:
            report = opening.prepare(path, was_here=was_here)
            if not was_here:
                file.remember(lock)
            return cls(path, wall, lock, file.connect(path), identity), report
        except BaseException as error:
            os.close(lock)
            if isinstance(error, (OSError, sqlite3.Error)):
                raise refusal(error, path, "the journal cannot be opened") from error
            raise

    @staticmethod
    def read(path: Path) -> JournalReader:
        """The journal at `path` for reading only, even while a device writes it; it takes no lock.

        Raises `JournalError` if there is none, or it cannot be read.
        """
        try:
            return reader_of(path, opening.connect_to_read(path))
        except (OSError, sqlite3.Error) as error:
            raise refusal(error, path, f"the journal {path} cannot be read") from error

    def write(self, writes: Sequence[Write]) -> None:
        """Make changes in this order, all of them or nothing, after one sync.

        Raises `JournalError` also for a step that is not the next one of its match. A `Rewrite` blocks while
        the file is written again, some 10 ms per MB and two syncs. Where a `JournalError` says that traces
        are left, the changes are made, and a `Rewrite` of nothing removes the traces later.
        """
        if not writes:
            return
        at, erases = self._wall(), any(isinstance(write, Rewrite) for write in writes)
        with self._writing(failed(writes[0]), secure=erases) as db:
            for write in writes:
                make(db, write, at, self._identity)
        if erases:
            self._remove_traces()

    def begin(self, header: Mapping[str, object]) -> int:
        """Start a match: its number, 1 or more, one above the newest. `header` is stored as JSON."""
        with self._writing("the new match was not saved") as db:
            return rows.begin(db, header, self._wall(), self._identity())

    def recall(self, key: str) -> object:
        """The value remembered under `key`; None if there is none."""
        return self.reader.recall(key)

    def import_matches(self, matches: Sequence[ImportedMatch]) -> list[int]:
        """Save whole matches from elsewhere, all or none: their numbers here, in the same order.

        Raises `JournalError` also if one of them is already here.
        """
        with self._writing("the matches were not imported") as db:
            return [rows.insert(db, match) for match in matches]

    def _remove_traces(self) -> None:
        """Leave no byte of what was replaced."""
        left = "traces of the removed data are still in the file"
        with self._reading(left) as db:
            db.execute("VACUUM")
            file.checkpoint(db)
        if file.log_bytes(self._path):
            raise JournalError(
                f"{left}: another program is reading it",
                f"close whatever else has {self._path} open, then try again",
            )

    def checkpoint(self) -> None:
        """Merge a log of more than `CHECKPOINT_BYTES` into the file; call it when nobody waits for a play.

        Blocks for a few syncs, never for a reader: what a reader still needs is merged the next time. Raises
        nothing: all steps are as safe in the log, and a broken disk shows at the next write.
        """
        if self._db is None or file.log_bytes(self._path) < CHECKPOINT_BYTES:
            return
        with suppress(JournalError), self._reading("the log was not merged into the file") as db:
            file.checkpoint(db)

    def writable(self) -> bool:
        """Whether a step could be saved now, as far as that can be known without writing.

        Also False when the disk has room for hardly five plays. For a watchdog: it does not write to disk,
        and blocks for at most a second, when another program locks the file. After a disk error it tries to
        open and check the file again. Raises nothing.
        """
        if not (os.access(self._path, os.W_OK) and has_room(self._path)):
            return False
        try:
            with self._reading("the journal cannot be written") as db:
                file.try_writing(db)
                if file.identity(self._path) == self._place:
                    return True
                file.checkpoint(db)  # what only a log without a name holds is gone with this process
        except JournalError:
            pass
        return False

    def close(self) -> None:
        """Close the file and release the lock; may be called again. Raises nothing: all is saved."""
        if self._lock is not None:
            if self._db is not None and self._refused_in_log:
                with suppress(sqlite3.Error):
                    file.checkpoint(self._db)
                self._refused_in_log = False  # closing tries once more
            self._drop()
            os.close(self._lock)
            self._lock = None

    # --- the connection. `what` is what cannot be done if it fails: the first words of the error.

    @contextmanager
    def _reading(self, what: str) -> Iterator[sqlite3.Connection]:
        """A connection that can be read from. Raises `JournalError`, also for an error in the block."""
        try:
            yield self._connected(what)
        except sqlite3.Error as error:
            raise self._refused(error, what) from error

    @contextmanager
    def _writing(self, what: str, *, secure: bool = False) -> Iterator[sqlite3.Connection]:
        """A transaction, committed at the end of the block and rolled back if that raises.

        Raises `JournalError` as `_reading` does. `secure`: what is overwritten is filled with zeros.
        """
        db = self._connected(what)
        of_log, log_bytes = file.file_status(file.beside(self._path, "-wal"))
        if (file.file_status(self._path)[0], of_log) != self._place:
            raise self._gone(what)
        try:
            if secure:
                db.execute("PRAGMA secure_delete = ON")
            if log_bytes > LONGEST_LOG_BYTES:
                file.checkpoint(db)
            db.execute("BEGIN IMMEDIATE")
            yield db
            self._commit(db)
        except BaseException as error:
            if db.in_transaction:  # most errors have rolled back already
                try:
                    db.execute("ROLLBACK")
                except sqlite3.Error:
                    self._drop()
            if isinstance(error, (sqlite3.Error, OSError)):
                raise self._refused(error, what) from error
            raise

    def _commit(self, db: sqlite3.Connection) -> None:
        """End the transaction; on the disk when this returns."""
        if is_locked(self._path):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self._path))
        try:
            db.execute("COMMIT")
        except sqlite3.Error as error:
            self._refused_in_log = primary_code(error) not in _CONNECTION_STAYS
            raise
        if is_locked(self._path):
            # Before the sync or after it? Nobody can know, so it is neither shown as saved nor told as
            # refused: the program ends, and its next start finds out.
            raise RuntimeError(f"the file system of {self._path} was locked during a write")

    def _refused(self, error: sqlite3.Error | OSError, what: str) -> JournalError:
        """What an error means; after one of the disk the connection is not used again."""
        if isinstance(error, sqlite3.ProgrammingError):  # a second thread, say: not the disk's fault
            raise error
        if isinstance(error, sqlite3.Error) and primary_code(error) not in _CONNECTION_STAYS:
            self._drop()
        return refusal(error, self._path, what)

    def _drop(self) -> None:
        if self._db is not None and not self._refused_in_log:
            # Closing moves the log into the file where that is possible; all steps are safe either way.
            with suppress(sqlite3.OperationalError):
                self._db.close()
            self._db = None

    def _connected(self, what: str) -> sqlite3.Connection:
        """The connection, opened again if need be. Raises `JournalError`."""
        if self._lock is None:
            raise ValueError("the journal is closed")
        try:
            if self._db is not None and self._refused_in_log:
                self._empty_log(self._db, what)
            if self._db is not None:
                return self._db
            if (fault := opening.fault_of(self._path)) is not None:
                raise JournalError(
                    f"{what}: {self._path} can no longer be used, {fault}",
                    "restart nimmt: it renames the file and starts a new one",
                )
            if file.identity(self._path)[0] != self._place[0]:
                raise self._gone(what)
            self._db = file.connect(self._path)
            self._place = file.identity(self._path)
            return self._db
        except (OSError, sqlite3.Error) as error:
            raise refusal(error, self._path, what) from error

    def _empty_log(self, db: sqlite3.Connection, what: str) -> None:
        """Remove what was refused from the log, and close the connection. Raises `JournalError`."""
        file.checkpoint(db)
        if file.log_bytes(self._path):
            raise JournalError(
                (
                    f"{what}: the disk failed before, and another program prevents the file from being "
                    "repaired"
                ),
                f"close whatever else has {self._path} open, then try again",
            )
        self._refused_in_log = False
        self._drop()

    def _gone(self, what: str) -> JournalError:
        """The files are deleted, moved or replaced: what is written to those that are open would be lost."""
        return JournalError(
            f"{what}: {self._path} or the log beside it was deleted, moved away or replaced",
            "put the files back, then try again; without them a restart begins a new journal",
        )
