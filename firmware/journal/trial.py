"""The journal while a new version is on trial: what the version before could not read is written beside it.

A version that is not confirmed may end at any moment, and then the version before must find its journal.
So where the formats differ, the version on trial works on a copy, `<name>.trial`. The first start after the
confirmation puts the copy in the place of the journal, which is kept; the version before, should it come
back, renames the copy and goes on with its own file.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING

from firmware.journal.database import Database
from firmware.journal.errors import JournalError
from firmware.journal.file import APPLICATION_ID, BUSY_TIMEOUT_S, connect, fault_of
from firmware.journal.migrations import VERSION, Unusable, migrate
from firmware.journal.paths import (
    beside,
    free_name,
    install,
    move_side_files,
    quarantine_side_files,
    sync_folder,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def place_in_use(path: Path, wall: Callable[[], str], *, on_trial: bool) -> Path:
    """Where the journal at `path` is to be opened: there, or at its copy. To be called with the lock held.

    Brings a copy that was confirmed back to `path`, and renames one that is of no more use. Raises OSError
    and sqlite3.Error.
    """
    copy = beside(path, ".trial")
    if copy.exists() and (not on_trial or _version(copy) != VERSION):
        _end(path, copy, wall)
    if not on_trial or copy.exists():
        return copy if copy.exists() else path
    version = _version(path)
    if version is None or version == VERSION:
        return path
    if version < VERSION:
        with closing(_reading(path)) as old:
            install(copy, partial(_brought_up, old, version))
    return copy


def _brought_up(old: sqlite3.Connection, version: int, db: sqlite3.Connection) -> None:
    """Copy a journal and bring the copy up to date; one that is damaged is judged when it is opened."""
    old.backup(db)
    with suppress(Unusable, sqlite3.DatabaseError):
        migrate(db, version)


def _end(path: Path, copy: Path, wall: Callable[[], str]) -> None:
    """The trial is over: make the copy the journal if this version wrote it, else put it aside."""
    version = _version(copy)
    if version != VERSION or not _is_sound(copy):
        newer = version is not None and version > VERSION
        _rename(copy, free_name(path, f".newer-v{version}-" if newer else ".damaged-"))
        return
    connect(copy).close()  # what is in its log goes into the file, before it is renamed
    if path.exists():
        before = _version(path)
        if before is not None and before > VERSION:
            aside = free_name(path, f".newer-v{before}-")
        else:
            time = "".join(letter for letter in wall() if letter.isalnum())
            aside = free_name(path, f".v{before}-{time}-", ".bak")
        _rename(path, aside)
    quarantine_side_files(path)  # a power cut may have left them without their file
    copy.rename(path)
    sync_folder(path.parent)


def _rename(path: Path, to: Path) -> None:
    path.rename(to)
    move_side_files(path, to)
    sync_folder(path.parent)


def _is_sound(path: Path) -> bool:
    try:
        return fault_of(path) is None
    except (JournalError, sqlite3.Error):
        return False


def _version(path: Path) -> int | None:
    """The version of a journal, also one of the future; None for what is no journal."""
    try:
        with closing(_reading(path)) as db:
            if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                return None
            version: int = db.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error:
        return None
    return version


def _reading(path: Path) -> sqlite3.Connection:
    # Without a log all is in the file, and SQLite need not make side files that it would leave behind.
    how = "mode=ro" if beside(path, "-wal").exists() else "mode=ro&immutable=1"
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        factory=Database,
    )
