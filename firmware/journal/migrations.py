"""Migrating an older journal to the current version, all of it or nothing.

Each migration is frozen: it contains its own copy of the tables before and after, and
never changes once a journal may have gone through it. A new version of the journal is a new
`_from_...` function, its line in `MIGRATIONS`, and the new tables in `rows`.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import TYPE_CHECKING, Final

from firmware.journal.rows import fault_in

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping


class Unusable(Exception):
    """The older journal is damaged and cannot be migrated. The text says where."""


def _from_1(db: sqlite3.Connection) -> None:
    """Every match gets a uid, so that a copy of it is recognised when it is imported again."""
    db.execute(
        """CREATE TABLE "match_2" (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        header TEXT NOT NULL,
        started_at TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT"""
    )
    for match_id, header, started_at, seal in db.execute('SELECT * FROM "match" ORDER BY id').fetchall():
        if zlib.crc32(f"{match_id}\n{header}\n{started_at}".encode()) != seal:
            raise Unusable(f"the header of match {match_id} is damaged")
        # Without badges: what is left of a person who has been erased must not be found by trying.
        agreed = {name: value for name, value in json.loads(header).items() if name != "badges"}
        content = json.dumps([match_id, agreed, started_at])
        uid = hashlib.sha256(content.encode()).hexdigest()[:16]
        sealed = zlib.crc32(f"{match_id}\n{uid}\n{header}\n{started_at}".encode())
        db.execute("INSERT INTO match_2 VALUES (?, ?, ?, ?, ?)", (match_id, uid, header, started_at, sealed))
    db.execute('DROP TABLE "match"')
    db.execute('ALTER TABLE match_2 RENAME TO "match"')


MIGRATIONS: Final[Mapping[int, Callable[[sqlite3.Connection], None]]] = {1: _from_1}
"""By version: how a journal of it becomes the next version."""

VERSION: Final = max(MIGRATIONS) + 1
"""The current version of the journal."""


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Migrate a journal from an older version to `VERSION` in one transaction.

    Raises `Unusable` for a journal that is damaged, before or after, and `sqlite3.Error`; it is then
    unchanged. `db` must be a connection of its own, without a transaction.
    """
    db.execute("PRAGMA foreign_keys = OFF")  # else dropping a table would look for its children
    db.execute("BEGIN IMMEDIATE")
    try:
        verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise Unusable(f"it is damaged ({verdict})")
        for number in range(version, VERSION):
            MIGRATIONS[number](db)
        db.execute(f"PRAGMA user_version = {VERSION}")
        if (fault := fault_in(db)) is not None:
            raise Unusable(fault)
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
