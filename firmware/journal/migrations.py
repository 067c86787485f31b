"""Migrating an older journal to the current version, all of it or nothing.

Version 1 is the first one, so there is no migration yet. A new version of the journal is a function that
changes the tables, its line in `MIGRATIONS`, and the new tables in `rows`. The function is frozen once a
journal may have gone through it: it contains its own copy of the tables before and after.
"""

import sqlite3
from collections.abc import Callable
from typing import Final

from firmware.journal.reader import fault_at_start

VERSION: Final = 1
"""The current version of the journal."""

MIGRATIONS: Final[dict[int, Callable[[sqlite3.Connection], None]]] = {}
"""By version: how a journal of it becomes the next version."""


def migrate(db: sqlite3.Connection, version: int) -> str | None:
    """Migrate a journal from an older version to `VERSION` in one transaction, or say what is damaged in it.

    It is then unchanged, as it is when `sqlite3.Error` is raised. `db` must be a connection of its own,
    without a transaction.
    """
    db.execute("PRAGMA foreign_keys = OFF")  # else dropping a table would look for its children
    db.execute("BEGIN IMMEDIATE")
    try:
        verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            return f"it is damaged ({verdict})"
        for number in range(version, VERSION):
            MIGRATIONS[number](db)
        db.execute(f"PRAGMA user_version = {VERSION}")
        if (fault := fault_at_start(db)) is None:
            db.execute("COMMIT")
        return fault
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
