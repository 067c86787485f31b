"""The connection through which the journal is written, and what becomes of it after an error of the disk."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from companion.text.sentence import say
from firmware.journal import file, paths
from firmware.journal.errors import JournalError, primary_code, refusal, refuse_locked
from firmware.journal.shapes import Shapes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.text.sentence import Text
    from firmware.journal.changes import Statement

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

    One thread uses and closes it. `shapes` are those that it has read or written. `what`, in each method,
    is what cannot be done if it fails: the first words of the error.
    """

    def __init__(self, path: Path, lock: int, db: sqlite3.Connection) -> None:
        self.shapes = Shapes()
        self._path = path
        self._lock: int | None = lock
        self._db: sqlite3.Connection | None = db  # None after an error that it may not survive
        self._place = paths.identity(path)
        self._missed = False  # the file was found missing, and that was reported
        self._undoing: tuple[Statement, ...] = ()  # take back a refused write that may be in the log

    @property
    def is_open(self) -> bool:
        """Whether there is a connection now, without opening one."""
        return self._db is not None

    @property
    def is_in_place(self) -> bool:
        """Whether the file that was opened still has the name of the journal."""
        return paths.identity(self._path) == self._place

    def close(self) -> None:
        """Close the file and release the lock; may be called again. Raises nothing: all is saved."""
        if self._lock is not None:
            if self._undoing:
                with suppress(JournalError):
                    self.connected(say("the failed change was not undone"))
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
            if paths.log_bytes(self._path) > LONGEST_LOG_BYTES:
                file.move_log_into_file(db)
            db.execute("BEGIN IMMEDIATE")
            refuse_locked(self._path)
            yield db
            if db.in_transaction:  # there was nothing to change after all
                self._roll_back(db)
        except sqlite3.Error as error:
            self._roll_back(db)
            raise self.refused(error, what) from error
        except OSError as error:
            self._roll_back(db)
            if self._undoing:
                self._drop()
            raise refusal(error, self._path, what) from error
        except BaseException:
            self._roll_back(db)
            raise

    def commit(self, db: sqlite3.Connection, *undoing: Statement) -> None:
        """End the transaction of `writing`; on the disk when this returns. `undoing` takes it back."""
        try:
            db.execute("COMMIT")
            refuse_locked(self._path)  # again: it may have been locked before the sync
        except (sqlite3.Error, OSError) as error:
            # A sync that failed may leave all of the transaction in the log, and the program that opens the
            # log next would count it as saved. It is refused, so the next connection takes it back.
            if isinstance(error, OSError) or primary_code(error) not in _CONNECTION_STAYS:
                self._undoing = undoing
            raise

    def _roll_back(self, db: sqlite3.Connection) -> None:
        self.shapes = Shapes()  # some may have been taken back with the rest
        if db.in_transaction:  # most errors have rolled back already
            try:
                db.execute("ROLLBACK")
            except sqlite3.Error:
                self._drop()

    def refused(self, error: sqlite3.Error, what: Text) -> JournalError:
        """What an error of SQLite means; after one of the disk the connection is not used again."""
        if isinstance(error, sqlite3.ProgrammingError):  # a second thread, say: not the disk's fault
            raise error
        if primary_code(error) not in _CONNECTION_STAYS:
            self._drop()
        return refusal(error, self._path, what)

    def _drop(self) -> None:
        if self._db is not None:
            # Closing moves the log into the file where that is possible; all steps are safe either way.
            with suppress(sqlite3.OperationalError):
                self._db.close()
            self._db = None

    def connected(self, what: Text) -> sqlite3.Connection:
        """The connection, opened again if need be. Raises `JournalError`."""
        if self._lock is None:
            raise ValueError("the journal is closed")
        db = self._db
        if db is None:
            try:
                fault = file.fault_of(self._path)
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
                db = self._connected_again(what)
            except (OSError, sqlite3.Error) as error:
                raise refusal(error, self._path, what) from error
        return db

    def _connected_again(self, what: Text) -> sqlite3.Connection:
        db = file.connect(self._path)
        try:
            self._undo_refused(db, what)
        except BaseException:
            db.close()
            raise
        return self._take(db)

    def _undo_refused(self, db: sqlite3.Connection, what: Text) -> None:
        if paths.log_bytes(self._path):
            raise JournalError(
                say(
                    "{what}: the disk failed before, and another program prevents the file from being "
                    "repaired",
                    what=what,
                ),
                say("close whatever else has {path} open, then try again", path=self._path),
            )
        if self._undoing:
            db.execute("BEGIN IMMEDIATE")
            for statement in reversed(self._undoing):
                db.execute(*statement)
            db.execute("COMMIT")
            self._undoing = ()

    def in_place(self, what: Text) -> sqlite3.Connection:
        """The connection to the file that has the name of the journal. Raises `JournalError`."""
        db = self.connected(what)
        place = paths.identity(self._path)
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
            paths.install(self._path, db.backup)
            fresh = file.connect(self._path)
        except (OSError, sqlite3.Error) as error:
            raise refusal(error, self._path, what) from error
        self._drop()
        return self._take(fresh)

    def _take(self, db: sqlite3.Connection) -> sqlite3.Connection:
        self._db = db
        self.shapes = Shapes()
        self._place = paths.identity(self._path)
        return db
