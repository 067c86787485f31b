"""The journal's file: locked by one process, checked, brought up to date, and opened.

`paths` names, renames and replaces files; `rows` has what is in them.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import stat
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from companion.text.sentence import say
from companion.values import Value
from firmware.journal.changes import lay_out
from firmware.journal.checks import fault_at_start, fault_of_tables
from firmware.journal.database import Database
from firmware.journal.errors import JournalError, blames_the_file, refusal
from firmware.journal.migrations import MIGRATIONS, Unusable, migrate
from firmware.journal.migrations import VERSION as SCHEMA_VERSION
from firmware.journal.paths import (
    beside,
    draft,
    free_name,
    give_to_owner_of_folder,
    install,
    make_folder,
    move_side_files,
    put_aside_by_older,
    quarantine,
    quarantine_side_files,
    sync_folder,
)
from firmware.text.device_text import sentence_of
from hardware.errors import sentence

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.text.sentence import Text

APPLICATION_ID = 0x364E494D  # "6NIM", at offset 68 of the file: https://www.sqlite.org/fileformat.html
BUSY_TIMEOUT_S = 1.0  # the table waits meanwhile

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_ROLLBACK_OR_WAL = (b"\x01\x01", b"\x02\x02")  # file format versions for writing and reading


class NewerJournal(JournalError):
    """The journal was written by a newer nimmt, with a version that this one does not know."""

    def __init__(self, path: Path, version: int) -> None:
        super().__init__(
            say(
                "the journal {path} has version {version}, but this nimmt reads versions up to {newest}",
                path=path,
                version=str(version),
                newest=str(SCHEMA_VERSION),
            ),
            say("install the newer nimmt again, or move the file away to start a new journal"),
        )
        self.version = version


class OpenReport(Value):
    """What happened when a journal was opened; `fault` and `fix` are for people, None when all is well.

    `created` tells that the journal starts empty. `quarantined` is where a file went that could not be
    used, with its side files beside it; `fault` and `fix` are then given. `copy` is the file as it
    was before it was brought to the version of today.
    """

    path: Path
    created: bool = False
    quarantined: Path | None = None
    fault: str | None = None
    fix: str | None = None
    copy: Path | None = None


def hold(path: Path) -> int:
    """Lock the journal for this process: an open descriptor that holds the lock until it is closed.

    The lock is that of the file itself, whatever symbolic links lead to it. Creates missing folders.
    Raises `JournalError` naming the process that has the lock, and for a path at which no file can be.
    """
    what = say("the journal cannot be opened")
    refuse_no_file(path)
    try:
        path = path.resolve()
        make_folder(path.parent)
        lock = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise refusal(error, path, what) from error
    try:
        # Not SQLite's own locks: they let two writers take turns, and each would count its own steps.
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        give_to_owner_of_folder(beside(path, ".lock"))
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
    except BlockingIOError as error:
        pid = os.pread(lock, 20, 0).decode(errors="replace")
        os.close(lock)
        holder = say("process {pid}", pid=pid) if pid else say("another process")
        raise JournalError(
            say("the journal {path} is in use by {holder}", path=path, holder=holder),
            say("stop the other nimmt (sudo systemctl stop nimmt-companion), or use another journal"),
        ) from error
    except OSError as error:
        os.close(lock)
        raise refusal(error, path, what) from error
    return lock


def prepare(path: Path, wall: Callable[[], str]) -> OpenReport:
    """Make sure that a sound journal of the current version is at `path`; to be called with the lock held.

    Nothing is thrown away: what cannot be used is renamed, also what a newer nimmt has written, and what is
    of an older version is copied to `<name>.v<version>-<time>-<n>.bak` first. Raises `JournalError` when the
    file cannot be judged (rights, disk); it is then as it was.
    """
    what = say("the journal cannot be opened")
    try:
        report = _prepared(path, wall)
    except (OSError, sqlite3.Error) as error:
        raise refusal(error, path, what) from error
    return report


def fault_of(path: Path) -> Text | None:
    """What prevents the file from being used as a journal, in words for users; None if it can be used.

    Does not read what was played long ago (see `checks.fault_at_start`). Changes nothing in the file. Raises
    `NewerJournal`, and OSError and sqlite3.Error if it cannot be read.
    """
    try:
        with closing(_connected(path, "mode=ro")) as db:
            application, version = _stamp(db)
            if version in MIGRATIONS:
                return say("it has version {version}", version=str(version))
            return _stamp_fault(path, application, version) or fault_at_start(db)
    except sqlite3.Error as error:
        if blames_the_file(error):
            return say("it is damaged ({error})", error=error)
        raise


def connect(path: Path) -> sqlite3.Connection:
    """A connection for writing, for the calling thread only, with one sync per commit.

    It begins with an empty log unless a reader needs the old one. Raises sqlite3.Error, also if the file is
    read-only.
    """
    db = _connected(path, "mode=rw")  # never makes a file: a new one comes from `install`
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(
            "PRAGMA synchronous = FULL"
        )  # NORMAL does not sync on commit: the last plays would be lost
        db.execute("PRAGMA wal_autocheckpoint = 0")  # else every so often a play waits for three syncs
        db.execute("PRAGMA foreign_keys = ON")
        try_writing(db)
        # What an earlier sync failed to write may still be read back from memory, and later steps that
        # follow it in the log would be lost with it when the power goes (https://lwn.net/Articles/752063/).
        move_log_into_file(db)
    except BaseException:
        db.close()
        raise
    return db


def try_writing(db: sqlite3.Connection) -> None:
    """Start a write without touching the disk, and roll it back; raises sqlite3.Error if that fails."""
    db.execute("BEGIN IMMEDIATE")  # on a file that was opened read-only SQLite quietly begins to read
    try:
        db.execute("DELETE FROM note WHERE FALSE")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, for the calling thread only.

    While a device has the journal open, its plays are visible as they are saved. A journal of an older
    version is read from a copy in memory, and the file is not changed. Raises `JournalError` if there is no
    journal at `path`, OSError and sqlite3.Error.
    """
    refuse_no_file(path)
    if not path.exists() or path.stat().st_size == 0:
        raise JournalError(
            say("there is no journal at {path}", path=path),
            say("give the path of the journal, or play a match first"),
        )
    # Without a write-ahead log no process has it open and all is in the file. To say so keeps
    # SQLite from making side files, which it may not do in another user's folder.
    db = _connected(path, "mode=ro" if beside(path, "-wal").exists() else "mode=ro&immutable=1")
    try:
        version = _checked_version(path, db)
        if version != SCHEMA_VERSION:
            return _of_today(path, db, version)
        _check_tables(path, db)
        return db
    except BaseException:
        db.close()
        raise


def exchange(path: Path, fill: Callable[[sqlite3.Connection], None]) -> Path | None:
    """Like `install`, but the old file is kept: gives its new place. Only for the holder of the lock.

    At any moment there is a journal at `path`, the old one or the new one.
    """
    made = draft(path, fill)
    aside = None
    if path.exists():
        with suppress(sqlite3.Error, JournalError):
            if _header_fault(path) is None and fault_of(path) is None:
                connect(path).close()  # its log goes into the file; what is damaged is kept as it is
        aside = free_name(path, ".before-restore-")
        aside.hardlink_to(path)
        move_side_files(path, aside)
    made.replace(path)
    sync_folder(path.parent)
    return aside


def move_log_into_file(db: sqlite3.Connection) -> None:
    """Merge the log into the file and empty it, as far as no reader needs it; raises sqlite3.Error."""
    db.execute("PRAGMA busy_timeout = 0")
    try:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        db.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_S * 1000:.0f}")


def refuse_no_file(path: Path) -> None:
    """Raise `JournalError` if `path` is something else than a file, or a place for one."""
    try:
        mode = path.stat().st_mode
    except ValueError as error:
        raise JournalError(
            say("{path} cannot be the path of a file", path=repr(str(path))), say("give another path")
        ) from error
    except OSError as error:
        # A link into a drive that is not mounted: a new file would hide the matches on that drive.
        if os.path.islink(path):  # noqa: PTH114 - it raises nothing for a name that is too long
            raise JournalError(
                say(
                    "the journal {path} is a link to {readlink}, which cannot be found",
                    path=path,
                    readlink=path.readlink(),
                ),
                say("insert the drive that holds it, or remove the link to start a new journal"),
            ) from error
        return  # there is none yet, or its folder may not be entered: opening it tells more
    if not stat.S_ISREG(mode):
        fault = say("the journal {path} is not a file", path=path)
        if stat.S_ISDIR(mode):
            fault = say("the journal {path} is a folder", path=path)
        raise JournalError(fault, say("give the path of a file"))


def _prepared(path: Path, wall: Callable[[], str]) -> OpenReport:
    aside: Path | None
    if path.exists():
        copy: Path | None = None
        try:
            fault = _header_fault(path)
            if fault is None and (version := _older_version(path)):
                copy, fault = _bring_up(path, version, wall)
            fault = fault or fault_of(path)
        except NewerJournal as newer:
            return _begun_beside(path, newer)
        if fault is None:
            return _sound(path, copy)
        told = sentence("the journal {path} cannot be used: {fault}", path=path, fault=fault)
        aside = quarantine(path)
    else:
        told = sentence("the journal {path} was missing, but its log was still there", path=path)
        aside = quarantine_side_files(path)
    install(path, _lay_out)
    if aside is None:
        return OpenReport(path, created=True)
    fix = sentence(
        "you can keep playing, with a new journal; the old one is kept as {aside}, and "
        "`sqlite3 {aside} .recover` shows what is left of its matches",
        aside=aside,
    )
    return OpenReport(path, created=True, quarantined=aside, fault=told, fix=fix)


def _begun_beside(path: Path, newer: NewerJournal) -> OpenReport:
    """A new journal in the place of one that is newer than this program, which is kept for a newer one."""
    aside = quarantine(path, f".newer-v{newer.version}-")
    install(path, _lay_out)
    fix = sentence(
        "you can keep playing, with a new journal; the other one is kept as {aside}: install "
        "the newer nimmt again, then run: sudo nimmt restore {aside}",
        aside=aside,
    )
    return OpenReport(path, created=True, quarantined=aside, fault=sentence_of(newer.fault_text), fix=fix)


def _sound(path: Path, copy: Path | None) -> OpenReport:
    """The report on a sound journal; it tells of one that an older program had to put aside."""
    for aside in put_aside_by_older(path):
        with suppress(OSError, sqlite3.Error, JournalError), closing(connect_to_read(aside)):
            return OpenReport(
                path,
                copy=copy,
                fault=sentence(
                    "{aside} has matches that an older nimmt could not read; this nimmt can", aside=aside
                ),
                fix=sentence("stop nimmt, then run: sudo nimmt restore {aside}", aside=aside),
            )
    return OpenReport(path, copy=copy)


def _older_version(path: Path) -> int | None:
    """The version of a journal that has to be migrated; None for the current version and for other files."""
    try:
        with closing(_connected(path, "mode=ro")) as db:
            application, version = _stamp(db)  # not from the header: the newest may still be in the log
    except sqlite3.Error as error:
        if blames_the_file(error):
            return None
        raise
    return version if application == APPLICATION_ID and version in MIGRATIONS else None


def _bring_up(path: Path, version: int, wall: Callable[[], str]) -> tuple[Path | None, Text | None]:
    """The copy of the old file, or what is wrong with the file."""
    time = "".join(letter for letter in wall() if letter.isalnum())
    with closing(_connected(path, "mode=rw")) as db:
        copy = free_name(path, f".v{version}-{time}-", ".bak")
        try:
            install(copy, db.backup)
            migrate(db, version)
            move_log_into_file(db)
        except Unusable as unusable:
            copy.unlink()
            return None, unusable.fault
        except sqlite3.Error as error:
            if not blames_the_file(error):
                raise
            copy.unlink(missing_ok=True)
            return None, say("it is damaged ({error})", error=error)
    return copy, None


def _of_today(path: Path, db: sqlite3.Connection, version: int) -> sqlite3.Connection:
    """A migrated copy of an older journal in memory; closes `db`."""
    memory = sqlite3.connect(":memory:", isolation_level=None, factory=Database)
    try:
        with closing(db):
            db.backup(memory)
        migrate(memory, version)
    except BaseException as error:
        memory.close()
        if isinstance(error, Unusable):
            raise JournalError(
                say("{path} cannot be read: {error}", path=path, error=error.fault),
                say("start nimmt: it renames the file"),
            ) from error
        raise
    return memory


def _header_fault(path: Path) -> Text | None:
    # The bytes themselves, before SQLite sees them: it would make side files beside a journal that
    # must not be touched, and roll back what another program left half-done. Not to be called when
    # this process has the file open in SQLite: closing it would take away SQLite's locks
    # (https://www.sqlite.org/howtocorrupt.html, 2.2).
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if not header:
        return say("it is empty, so what it held is lost")  # `install` leaves no empty file, but a card may
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        return say("it is damaged or was never a journal")
    fault = _stamp_fault(path, int.from_bytes(header[68:72], "big"), int.from_bytes(header[60:64], "big"))
    if fault is None and header[18:20] not in _ROLLBACK_OR_WAL:
        return say("it is damaged (its first page makes no sense)")
    return fault


def _checked_version(path: Path, db: sqlite3.Connection) -> int:
    application, version = _stamp(db)
    fault = _stamp_fault(path, application, version)
    if fault is not None:
        raise JournalError(
            say("{path} cannot be read as a journal: {fault}", path=path, fault=fault),
            say("give the path of the journal"),
        )
    return version


def _check_tables(path: Path, db: sqlite3.Connection) -> None:
    if (fault := fault_of_tables(db)) is not None:
        raise JournalError(
            say("{path} cannot be read as a journal: {fault}", path=path, fault=fault),
            say("use a backup: nimmt restore"),
        )


def _stamp(db: sqlite3.Connection) -> tuple[int, int]:
    application: int = db.execute("PRAGMA application_id").fetchone()[0]
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return application, version


def _stamp_fault(path: Path, application: int, version: int) -> Text | None:
    if application != APPLICATION_ID:
        return say("it belongs to another program")
    if version > SCHEMA_VERSION:
        raise NewerJournal(path, version)
    known = version == SCHEMA_VERSION or version in MIGRATIONS
    return (
        None if known else say("it is damaged (there is no journal version {version})", version=str(version))
    )


def _lay_out(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("BEGIN")
    lay_out(db)
    db.execute("COMMIT")


def _connected(path: Path, how: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        factory=Database,
    )
