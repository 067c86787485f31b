"""What a start finds in the place of the journal, and what becomes of it.

A sound journal is used, and one of an older version is migrated, with a copy beside it. What is damaged, of a
newer version or no journal at all is renamed, and a new journal is begun. Where an older version of the
program comes back after a newer one has migrated the journal, it goes on with the copy.
"""

import os
import sqlite3
from contextlib import closing, suppress
from itertools import count, takewhile
from pathlib import Path
from typing import Final

from companion.values import Value
from firmware.journal import file
from firmware.journal.errors import JournalError, blames_the_file
from firmware.journal.migrations import MIGRATIONS, VERSION, migrate
from firmware.journal.reader import fault_at_start, fault_of_tables
from firmware.journal.rows import lay_out

APPLICATION_ID: Final = 0x364E494D  # "6NIM", at offset 68 of the file: https://www.sqlite.org/fileformat.html

_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_ROLLBACK_OR_WAL: Final = (b"\x01\x01", b"\x02\x02")  # file format versions for writing and reading


class NewerJournal(JournalError):
    """The journal was written by a newer nimmt, with a version that this one does not know."""

    def __init__(self, path: Path, version: int) -> None:
        super().__init__(
            (f"the journal {path} has version {version}, but this nimmt reads versions up to {VERSION}"),
            "install the newer nimmt again, or move the file away to start a new journal",
        )
        self.version = version


class OpenReport(Value):
    """What was found in the place of the journal.

    `fault` and `fix` are for people; no fault when all is well. They name the place of a file that could not
    be used.
    """

    fault: str | None = None
    fix: str = ""


def prepare(path: Path, *, was_here: bool) -> OpenReport:
    """Make sure that there is a sound journal of the current version at `path`.

    To be called with the lock held; `was_here` says that a nimmt has had a journal there before. Nothing is
    thrown away: what cannot be used is renamed, also what a newer nimmt has written, and what is of an older
    version is copied to `<name>.v<version>-<n>.bak` first. Raises OSError and sqlite3.Error when the file
    cannot be judged (rights, disk); it is then as it was.
    """
    if not path.exists():
        aside = file.quarantine_side_files(path)
        file.install(path, _lay_out)
        if aside is not None:
            fault = f"the journal {path} was missing, but its log was still there"
            return _report(fault, _NEW, aside)
        fault = f"the journal {path} is gone: it was deleted or moved away"
        return _report(fault, _GONE) if was_here else OpenReport()
    try:
        found = header_fault(path)
        if found is None and (version := version_of(path)) in MIGRATIONS:
            found = _bring_up(path, version)
        found = found or fault_of(path)
    except NewerJournal as newer:
        aside = file.quarantine(path, f".newer-v{newer.version}-")
        _go_back(path)
        return _report(newer.fault, _NEWER, aside)
    if found is None:
        return _sound(path)
    aside = file.quarantine(path)
    file.install(path, _lay_out)
    return _report(f"the journal {path} cannot be used: {found}", _NEW, aside)


_GONE: Final = "you can keep playing, with a new journal; if there is a backup: nimmt restore"
_NEW: Final = (
    "you can keep playing, with a new journal; the old one is kept as {aside}, and "
    "`sqlite3 {aside} .recover` shows what is left of its matches"
)
_NEWER: Final = (
    "you can keep playing, without what the newer nimmt has saved; its journal is kept as {aside}: install "
    "the newer nimmt again, then run: sudo nimmt restore {aside}"
)


def _report(fault: str, fix: str, aside: Path | None = None) -> OpenReport:
    return OpenReport(fault, fix.format(aside=aside))


def _sound(path: Path) -> OpenReport:
    """The report on a sound journal; it tells of one that an older program had to put aside."""
    for aside in file.quarantined_by_older_version(path):
        with suppress(OSError, sqlite3.Error, JournalError), closing(connect_to_read(aside)):
            fault = f"{aside} has matches that an older nimmt could not read; this nimmt can"
            return _report(fault, "stop nimmt, then run: sudo nimmt restore {aside}", aside)
    return OpenReport()


def _bring_up(path: Path, version: int) -> str | None:
    """Migrate the file, and keep a copy of the old one; or say what is wrong with it."""
    copy = file.free_name(path, f".v{version}-", ".bak")
    with closing(file.connected(path, "mode=rw")) as db:
        try:
            file.install(copy, db.backup)
            fault = migrate(db, version)
            if fault is None:
                file.checkpoint(db)
        except sqlite3.Error as error:
            if not blames_the_file(error):
                raise
            fault = f"it is damaged ({error})"
        if fault is not None:
            copy.unlink(missing_ok=True)
    return fault


def _go_back(path: Path) -> None:
    """Begin a new journal, with what was there before a newer nimmt has migrated it."""
    copies = list(takewhile(Path.exists, (file.beside(path, f".v{VERSION}-{n}.bak") for n in count(1))))
    if not copies:
        file.install(path, _lay_out)
        return
    with closing(file.connected_to_read(copies[-1])) as db:
        file.install(path, db.backup)


def fault_of(path: Path) -> str | None:
    """What prevents the file from being used as a journal, in words for users; None if it can be used.

    Does not read what was played long ago (see `reader.fault_at_start`). Changes nothing in the file. Raises
    `NewerJournal`, and OSError and sqlite3.Error if it cannot be read.
    """
    try:
        with closing(file.connected(path, "mode=ro")) as db:
            application, version = _stamp(db)
            if version in MIGRATIONS:
                return f"it has version {version}"
            return _stamp_fault(path, application, version) or fault_at_start(db)
    except sqlite3.Error as error:
        if blames_the_file(error):
            return f"it is damaged ({error})"
        raise


def version_of(path: Path) -> int | None:
    """The version of a journal, also one of the future; None for what is no journal."""
    try:
        with closing(file.connected_to_read(path)) as db:
            application, version = _stamp(db)  # not from the header: the newest may still be in the log
    except sqlite3.Error:
        return None
    return version if application == APPLICATION_ID else None


def is_older(path: Path) -> bool:
    """Whether the journal at `path` has to be migrated; thousands of matches take minutes."""
    # A pipe would wait for a writer; a name that is too long is refused where it is opened.
    return os.path.isfile(path) and version_of(path) in MIGRATIONS  # noqa: PTH113


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, for the calling thread only.

    While a device has the journal open, its plays are visible as they are saved. A journal of an older
    version is read from a copy in memory, and the file is not changed. Raises `JournalError` if there is no
    journal at `path`, OSError and sqlite3.Error.
    """
    file.refuse_no_file(path)
    if not path.exists() or path.stat().st_size == 0:
        raise JournalError(
            f"there is no journal at {path}", "give the path of the journal, or play a match first"
        )
    db = file.connected_to_read(path)
    try:
        application, version = _stamp(db)
        fault, fix = _stamp_fault(path, application, version), "give the path of the journal"
        if fault is None and version != VERSION:
            return _of_today(path, db, version)
        if fault is None:
            fault, fix = fault_of_tables(db), "use a backup: nimmt restore"
        if fault is None:
            return db
    except BaseException:
        db.close()
        raise
    db.close()
    raise JournalError(f"{path} cannot be read as a journal: {fault}", fix)


def _of_today(path: Path, db: sqlite3.Connection, version: int) -> sqlite3.Connection:
    """A migrated copy of an older journal in memory; closes `db`."""
    memory = sqlite3.connect(":memory:", isolation_level=None, factory=file.Database)
    try:
        with closing(db):
            db.backup(memory)
        fault = migrate(memory, version)
    except BaseException:
        memory.close()
        raise
    if fault is None:
        return memory
    memory.close()
    raise JournalError(f"{path} cannot be read: {fault}", "start nimmt: it renames the file")


def header_fault(path: Path) -> str | None:
    """What is wrong with the first bytes of the file, in words for users. Raises `NewerJournal`."""
    # The bytes themselves, before SQLite sees them: it would make side files beside a journal that
    # must not be touched, and roll back what another program left half-done. Not to be called when
    # this process has the file open in SQLite: closing it would take away SQLite's locks
    # (https://www.sqlite.org/howtocorrupt.html, 2.2).
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if not header:
        return "it is empty, so what it held is lost"  # `install` leaves no empty file, but a card may
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        return "it is damaged or was never a journal"
    fault = _stamp_fault(path, int.from_bytes(header[68:72], "big"), int.from_bytes(header[60:64], "big"))
    if fault is None and header[18:20] not in _ROLLBACK_OR_WAL:
        return "it is damaged (its first page makes no sense)"
    return fault


def _stamp(db: sqlite3.Connection) -> tuple[int, int]:
    application: int = db.execute("PRAGMA application_id").fetchone()[0]
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return application, version


def _stamp_fault(path: Path, application: int, version: int) -> str | None:
    if application != APPLICATION_ID:
        return "it belongs to another program"
    if version > VERSION:
        raise NewerJournal(path, version)
    known = version == VERSION or version in MIGRATIONS
    return None if known else f"it is damaged (there is no journal version {version})"


def _lay_out(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("BEGIN")
    lay_out(db)
    db.execute("COMMIT")
