"""Copies of a whole journal: backup while the device plays, and restore. Each copy is checked."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from companion.text.sentence import Text, say
from firmware.journal import file, opening
from firmware.journal.checks import fault_in
from firmware.journal.errors import JournalError, refusal
from firmware.journal.reader import JournalReader


def back_up(path: Path, to: Path, check: Callable[[JournalReader], None]) -> None:
    """Copy the journal at `path` to `to`, whole or not at all, as of one moment.

    A device may have it open and keeps running. Before the copy gets its name, SQLite has checked every page
    of it, and `check` its matches; an exception of `check` stops it. Raises `JournalError`.
    """
    if to.exists():
        raise JournalError(
            say("{to} already exists", to=to), say("choose another file; a backup never replaces a file")
        )
    what = say("the backup {to} was not written", to=to)

    def fill(db: sqlite3.Connection, draft: sqlite3.Connection) -> None:
        db.backup(draft)
        draft.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
        _checked(draft, path, what, check)

    try:
        with closing(opening.connect_to_read(path)) as db:
            file.install(to, lambda draft: fill(db, draft))
    except (OSError, sqlite3.Error) as error:
        raise refusal(error, to, what) from error


def restore(path: Path, source: Path, check: Callable[[JournalReader], None]) -> Path | None:
    """Replace the journal at `path` with the one in the file `source`; gives the new place of the old one.

    Nothing is changed before `source` is copied, migrated and verified, page by page by SQLite and match by
    match by `check`. A `source` that an older program had put aside beside the journal is renamed when it is
    back in its place. Raises `JournalError`, also while a device has the journal open.
    """
    what = say("{source} was not restored, and nothing has changed", source=source)
    if source.exists() and path.exists() and source.samefile(path):
        raise JournalError(
            say("{source} is the journal itself", source=source), say("choose a file made by nimmt backup")
        )
    lock = file.hold(path)
    path = path.resolve()

    def fill(db: sqlite3.Connection, draft: sqlite3.Connection) -> None:
        db.backup(draft)
        _checked(draft, source, what, check)

    try:
        with closing(opening.connect_to_read(source)) as db:
            aside = opening.exchange(path, lambda draft: fill(db, draft))
        if source.absolute() in file.put_aside_by_older(path.absolute()):
            file.quarantine(source, ".restored-")
        return aside
    except sqlite3.DatabaseError as error:
        raise JournalError(
            say("{what}: {error}", what=what, error=error), say("choose a file made by nimmt backup")
        ) from error
    except OSError as error:
        raise refusal(error, path, what) from error
    finally:
        os.close(lock)


def _checked(
    draft: sqlite3.Connection, origin: Path, what: Text, check: Callable[[JournalReader], None]
) -> None:
    verdict = draft.execute("PRAGMA integrity_check(1)").fetchone()[0]
    fault = fault_in(draft) if verdict == "ok" else say("it is damaged ({error})", error=verdict)
    if fault is not None:
        raise JournalError(
            say("{what}: {origin} cannot be used, {fault}", what=what, origin=origin, fault=fault),
            say("use another backup"),
        )
    check(JournalReader(origin, draft))
