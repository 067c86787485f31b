"""Copies of a whole journal: backup while the device plays, and restore. Each copy is checked."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from firmware.bounded_file import sync_folder
from firmware.journal import file, opening
from firmware.journal.errors import JournalError, refusal
from firmware.journal.reader import JournalReader, fault_in, reader_of


def back_up(path: Path, to: Path, check: Callable[[JournalReader], object]) -> None:
    """Copy the journal at `path` to `to`, whole or not at all, as of one moment.

    A device may have it open and keeps running. Before the copy gets its name, SQLite has checked every page
    of it, and `check` its matches; an exception of `check` stops it. Raises `JournalError`.
    """
    if to.exists():
        raise JournalError(f"{to} already exists", "choose another file; a backup never replaces a file")
    what = f"the backup {to} was not written"
    try:
        with closing(opening.connect_to_read(path)) as db:
            file.install(to, partial(_copied, db, path, what, check))
    except (OSError, sqlite3.Error) as error:
        raise refusal(error, to, what) from error


def restore(path: Path, source: Path, check: Callable[[JournalReader], object]) -> Path | None:
    """Replace the journal at `path` with the one in the file `source`; gives the new place of the old one.

    Nothing is changed before `source` is copied, migrated and verified, page by page by SQLite and match by
    match by `check`. A `source` that an older program had put aside beside the journal is renamed when it is
    back in its place. Raises `JournalError`, also while a device has the journal open.
    """
    what = f"{source} was not restored, and nothing has changed"
    if source.exists() and path.exists() and source.samefile(path):
        raise JournalError(f"{source} is the journal itself", "choose a file made by nimmt backup")
    lock, _ = file.hold(path)
    path = path.resolve()
    try:
        with closing(opening.connect_to_read(source)) as db:
            aside = _exchange(path, partial(_copied, db, source, what, check))
        if source.absolute() in file.quarantined_by_older_version(path.absolute()):
            file.quarantine(source, ".restored-")
        return aside
    except sqlite3.DatabaseError as error:
        raise JournalError(f"{what}: {error}", "choose a file made by nimmt backup") from error
    except OSError as error:
        raise refusal(error, path, what) from error
    finally:
        os.close(lock)


def _exchange(path: Path, fill: Callable[[sqlite3.Connection], None]) -> Path | None:
    """Like `install`, but the old file is kept: gives its new place. Only for the holder of the lock.

    At any moment there is a journal at `path`, the old one or the new one.
    """
    made = file.draft(path, fill)
    aside = None
    if path.exists():
        with suppress(sqlite3.Error, JournalError):
            if opening.header_fault(path) is None and opening.fault_of(path) is None:
                file.connect(path).close()  # its log goes into the file; what is damaged is kept as it is
        aside = file.free_name(path, ".before-restore-")
        aside.hardlink_to(path)
        file.move_side_files(path, aside)
    else:
        file.quarantine_side_files(path)  # a log whose file is gone is not that of the restored one
    made.replace(path)
    sync_folder(path.parent)
    return aside


def _copied(
    db: sqlite3.Connection,
    origin: Path,
    what: str,
    check: Callable[[JournalReader], object],
    draft: sqlite3.Connection,
) -> None:
    """Copy a journal, as one file with nothing beside it, and check the copy."""
    db.backup(draft)
    draft.execute("PRAGMA journal_mode = DELETE")
    if (fault := fault_in(draft)) is not None:
        raise JournalError(f"{what}: {origin} cannot be used, {fault}", "use another backup")
    check(reader_of(origin, draft))
