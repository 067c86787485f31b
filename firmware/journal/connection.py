"""The connection through which the journal is written, and what becomes of it after an error of the disk.

A COMMIT whose sync failed may leave its transaction in the log, and a program that opened the log next would
count it as saved. The connection itself does not count it: for SQLite it was rolled back. So before anything
else this connection moves the transactions before it into the file and empties the log; only then is it
closed. What comes before it in the log was synced by its own COMMIT.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from companion.text.sentence import Text, say
from firmware.journal import file, opening
from firmware.journal.errors import JournalError, is_locked, primary_code, refusal

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


class WritingConnection:
    """A connection to a journal file whose lock the caller holds: opened again after an error of the disk.

    One thread uses and closes it. `what`, in each method, is what cannot be done if it fails: the first words
    of the error.
    """

    def __init__(self, path: Path, lock: int, db: sqlite3.Connection) -> None:
        self._path = path
        self._lock: int | None = lock
        self._db: sqlite3.Connection | None = db  # None after an error that it may not survive
        self._place = file.identity(path)
        self._missed = False  # the file was found missing, and that was reported
        self._refused_in_log = False  # what was refused may be in the log

    @property
    def is_open(self) -> bool:
        """Whether there is a connection now, without opening one."""
        return self._db is not None

    @property
    def is_in_place(self) -> bool:
        """Whether the file that was opened still has the name of the journal."""
        return file.identity(self._path) == self._place

    def close(self) -> None:
        """Close the file and release the lock; may be called again. Raises nothing: all is saved."""
        if self._lock is not None:
            if self._db is not None and self._refused_in_log:
                with suppress(sqlite3.Error):
                    file.move_log_into_file(self._db)
                self._refused_in_log = False  # closing tries once more
            self._drop()
            os.close(self._lock)
            self._lock = None

    @contextmanager
    def reading(self, what: Text) -> Iterator[sqlite3.Connection]:
        """A connection that can be read from. Raises `JournalError`, also for an error in the block."""
        try:
            yield self.connected(what)
        except sqlite3.Error as error:
            raise self.refused(error, what) from error

    @contextmanager
    def writing(self, what: Text) -> Iterator[sqlite3.Connection]:
        """A transaction, rolled back unless `commit` ends it. Raises `JournalError`, as `reading` does."""
        db = self.in_place(what)
        try:
            if file.log_bytes(self._path) > LONGEST_LOG_BYTES:
                file.move_log_into_file(db)
            db.execute("BEGIN IMMEDIATE")
            yield db
            if db.in_transaction:  # there was nothing to change after all
                self._roll_back(db)
        except (sqlite3.Error, OSError) as error:
            self._roll_back(db)
            raise self.refused(error, what) from error
        except BaseException:
            self._roll_back(db)
            raise

    def commit(self, db: sqlite3.Connection) -> None:
        """End the transaction of `writing`; on the disk when this returns."""
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

    def _roll_back(self, db: sqlite3.Connection) -> None:
        if db.in_transaction:  # most errors have rolled back already
            try:
                db.execute("ROLLBACK")
            except sqlite3.Error:
                self._drop()

    def refused(self, error: sqlite3.Error | OSError, what: Text) -> JournalError:
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

    def connected(self, what: Text) -> sqlite3.Connection:
        """The connection, opened again if need be. Raises `JournalError`."""
        if self._lock is None:
            raise ValueError("the journal is closed")
        if self._db is not None and self._refused_in_log:
            self._empty_log(self._db, what)
        if self._db is not None:
            return self._db
        try:
            fault = opening.fault_of(self._path)
            if fault is not None:
                raise JournalError(
                    say(
                        "{what}: {path} can no longer be used, {fault}",
                        what=what,
                        path=self._path,
                        fault=fault,
                    ),
                    say("restart nimmt: it renames the file and starts a new one"),
                )
            return self._take(file.connect(self._path))
        except (OSError, sqlite3.Error) as error:
            raise refusal(error, self._path, what) from error

    def _empty_log(self, db: sqlite3.Connection, what: Text) -> None:
        """Remove what was refused from the log, and close the connection. Raises `JournalError`."""
        try:
            file.move_log_into_file(db)
        except sqlite3.Error as error:
            raise refusal(error, self._path, what) from error
        if file.log_bytes(self._path):
            raise JournalError(
                say(
                    "{what}: the disk failed before, and another program prevents the file from being "
                    "repaired",
                    what=what,
                ),
                say("close whatever else has {path} open, then try again", path=self._path),
            )
        self._refused_in_log = False
        self._drop()

    def in_place(self, what: Text) -> sqlite3.Connection:
        """The connection to the file that has the name of the journal. Raises `JournalError`."""
        db = self.connected(what)
        place = file.identity(self._path)
        if place == self._place:
            self._missed = False
            return db
        if place[0] not in (None, self._place[0]):
            raise JournalError(
                say("{what}: another file has replaced {path}", what=what, path=self._path),
                say(
                    "move that file away, then try again: the journal is still open and will be written there"
                ),
            )
        if not self._missed:
            self._missed = True
            raise JournalError(
                say(
                    "{what}: {path} or the log beside it was deleted or moved away",
                    what=what,
                    path=self._path,
                ),
                say("put it back, or just try again: all matches are then written there again"),
            )
        try:
            # The deleted files live on for as long as they are open here, and only here.
            file.install(self._path, db.backup)
            fresh = file.connect(self._path)
        except (OSError, sqlite3.Error) as error:
            raise refusal(error, self._path, what) from error
        self._drop()
        return self._take(fresh)

    def _take(self, db: sqlite3.Connection) -> sqlite3.Connection:
        self._db = db
        self._place = file.identity(self._path)
        return db
