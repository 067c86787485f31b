"""What a start finds in the place of the journal, and what becomes of it.

A sound journal is used, and one of an older version is migrated, with a copy beside it. What is damaged, of a
newer version or no journal at all is renamed, and a new journal is begun.

While a version of the program is on trial, it may end at any moment, and the version before must find its
journal. So where the formats differ, the version on trial works on a copy, `<name>.trial`. The first start
after the confirmation puts the copy in the place of the journal, which is kept; the version before, should it
come back, renames the copy and goes on with its own file.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Final

from companion.text.sentence import Text, say
from companion.values import Value
from firmware.bounded_file import sync_folder
from firmware.journal import file
from firmware.journal.errors import JournalError, blames_the_file
from firmware.journal.migrations import MIGRATIONS, VERSION, Unusable, migrate
from firmware.journal.reader import fault_at_start, fault_of_tables
from firmware.journal.rows import lay_out
from firmware.text.translation import sentence_of

APPLICATION_ID: Final = 0x364E494D  # "6NIM", at offset 68 of the file: https://www.sqlite.org/fileformat.html

_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_ROLLBACK_OR_WAL: Final = (b"\x01\x01", b"\x02\x02")  # file format versions for writing and reading


class NewerJournal(JournalError):
    """The journal was written by a newer nimmt, with a version that this one does not know."""

    def __init__(self, path: Path, version: int) -> None:
        super().__init__(
            say(
                "the journal {path} has version {version}, but this nimmt reads versions up to {newest}",
                path=path,
                version=str(version),
                newest=str(VERSION),
            ),
            say("install the newer nimmt again, or move the file away to start a new journal"),
        )
        self.version = version


class OpenReport(Value):
    """What was found in the place of the journal; it is at `path` now.

    `fault` and `fix` are for people; no fault when all is well. They name the place of a file that could not
    be used.
    """

    path: Path
    fault: str | None = None
    fix: str = ""


def prepare(path: Path, wall: Callable[[], str], *, on_trial: bool) -> OpenReport:
    """Make sure that there is a sound journal of the current version, at `path` or at the copy of a trial.

    To be called with the lock held. Nothing is thrown away: what cannot be used is renamed, also what a newer
    nimmt has written, and what is of an older version is copied to `<name>.v<version>-<time>-<n>.bak` first.
    Raises OSError and sqlite3.Error when the file cannot be judged (rights, disk); it is then as it was.
    """
    path = _place_in_use(path, wall, on_trial=on_trial)
    fix = say(
        "you can keep playing, with a new journal; the old one is kept as {aside}, and "
        "`sqlite3 {aside} .recover` shows what is left of its matches"
    )
    if path.exists():
        try:
            fault = header_fault(path)
            if fault is None and (version := version_of(path)) and version in MIGRATIONS:
                fault = _bring_up(path, version, wall)
            fault = fault or fault_of(path)
            if fault is None:
                return _sound(path)
            fault = say("the journal {path} cannot be used: {fault}", path=path, fault=fault)
            aside: Path | None = file.quarantine(path)
        except NewerJournal as newer:
            fault = newer.fault_text
            aside = file.quarantine(path, f".newer-v{newer.version}-")
            fix = say(
                "you can keep playing, with a new journal; the other one is kept as {aside}: install "
                "the newer nimmt again, then run: sudo nimmt restore {aside}"
            )
    else:
        fault = say("the journal {path} was missing, but its log was still there", path=path)
        aside = file.quarantine_side_files(path)
    file.install(path, _lay_out)
    if aside is None:
        return OpenReport(path)
    return OpenReport(path, sentence_of(fault), sentence_of(fix.with_facts(aside=aside)))


def _sound(path: Path) -> OpenReport:
    """The report on a sound journal; it tells of one that an older program had to put aside."""
    for aside in file.put_aside_by_older(path):
        with suppress(OSError, sqlite3.Error, JournalError), closing(connect_to_read(aside)):
            fault = say("{aside} has matches that an older nimmt could not read; this nimmt can", aside=aside)
            fix = say("stop nimmt, then run: sudo nimmt restore {aside}", aside=aside)
            return OpenReport(path, sentence_of(fault), sentence_of(fix))
    return OpenReport(path)


def _bring_up(path: Path, version: int, wall: Callable[[], str]) -> Text | None:
    """Migrate the file, and keep a copy of the old one; or say what is wrong with it."""
    copy = _backup(path, version, wall)
    with closing(file.connected(path, "mode=rw")) as db:
        try:
            file.install(copy, db.backup)
            migrate(db, version)
            file.move_log_into_file(db)
        except Unusable as unusable:
            copy.unlink()
            return unusable.fault
        except sqlite3.Error as error:
            if not blames_the_file(error):
                raise
            copy.unlink(missing_ok=True)
            return say("it is damaged ({error})", error=error)
    return None


def _backup(path: Path, version: int | None, wall: Callable[[], str]) -> Path:
    """A free name for a journal of an older version."""
    time = "".join(letter for letter in wall() if letter.isalnum())
    return file.free_name(path, f".v{version}-{time}-", ".bak")


def _place_in_use(path: Path, wall: Callable[[], str], *, on_trial: bool) -> Path:
    """Where the journal is to be opened: at `path`, or at its copy.

    Brings a copy that was confirmed back to `path`, and renames one that is of no more use.
    """
    copy = file.beside(path, ".trial")
    if copy.exists() and (not on_trial or version_of(copy) != VERSION):
        _end(path, copy, wall)
    if not on_trial or copy.exists():
        return copy if copy.exists() else path
    version = version_of(path)
    if version is None or version == VERSION:
        return path
    if version < VERSION:
        with closing(file.connected_to_read(path)) as old:
            file.install(copy, partial(_brought_up, old, version))
    return copy


def _brought_up(old: sqlite3.Connection, version: int, db: sqlite3.Connection) -> None:
    """Copy a journal and bring the copy up to date; one that is damaged is judged when it is opened."""
    old.backup(db)
    with suppress(Unusable, sqlite3.DatabaseError):
        migrate(db, version)


def _end(path: Path, copy: Path, wall: Callable[[], str]) -> None:
    """The trial is over: make the copy the journal if this version wrote it, else put it aside."""
    version, sound = version_of(copy), False
    with suppress(JournalError, sqlite3.Error):
        sound = version == VERSION and fault_of(copy) is None
    if not sound:
        newer = version is not None and version > VERSION
        file.rename(copy, file.free_name(path, f".newer-v{version}-" if newer else ".damaged-"))
        return
    file.connect(copy).close()  # what is in its log goes into the file, before it is renamed
    if path.exists():
        before = version_of(path)
        newer = before is not None and before > VERSION
        file.rename(
            path, file.free_name(path, f".newer-v{before}-") if newer else _backup(path, before, wall)
        )
    file.quarantine_side_files(path)  # a power cut may have left them without their file
    copy.rename(path)
    sync_folder(path.parent)


def fault_of(path: Path) -> Text | None:
    """What prevents the file from being used as a journal, in words for users; None if it can be used.

    Does not read what was played long ago (see `reader.fault_at_start`). Changes nothing in the file. Raises
    `NewerJournal`, and OSError and sqlite3.Error if it cannot be read.
    """
    try:
        with closing(file.connected(path, "mode=ro")) as db:
            application, version = _stamp(db)
            if version in MIGRATIONS:
                return say("it has version {version}", version=str(version))
            return _stamp_fault(path, application, version) or fault_at_start(db)
    except sqlite3.Error as error:
        if blames_the_file(error):
            return say("it is damaged ({error})", error=error)
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
            say("there is no journal at {path}", path=path),
            say("give the path of the journal, or play a match first"),
        )
    db = file.connected_to_read(path)
    try:
        application, version = _stamp(db)
        fault, fix = _stamp_fault(path, application, version), say("give the path of the journal")
        if fault is None and version != VERSION:
            return _of_today(path, db, version)
        if fault is None:
            fault, fix = fault_of_tables(db), say("use a backup: nimmt restore")
        if fault is None:
            return db
    except BaseException:
        db.close()
        raise
    db.close()
    raise JournalError(say("{path} cannot be read as a journal: {fault}", path=path, fault=fault), fix)


def _of_today(path: Path, db: sqlite3.Connection, version: int) -> sqlite3.Connection:
    """A migrated copy of an older journal in memory; closes `db`."""
    memory = sqlite3.connect(":memory:", isolation_level=None, factory=file.Database)
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


def header_fault(path: Path) -> Text | None:
    """What is wrong with the first bytes of the file, in words for users. Raises `NewerJournal`."""
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


def _stamp(db: sqlite3.Connection) -> tuple[int, int]:
    application: int = db.execute("PRAGMA application_id").fetchone()[0]
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return application, version


def _stamp_fault(path: Path, application: int, version: int) -> Text | None:
    if application != APPLICATION_ID:
        return say("it belongs to another program")
    if version > VERSION:
        raise NewerJournal(path, version)
    known = version == VERSION or version in MIGRATIONS
    return (
        None if known else say("it is damaged (there is no journal version {version})", version=str(version))
    )


def _lay_out(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("BEGIN")
    lay_out(db)
    db.execute("COMMIT")
