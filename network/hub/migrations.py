"""Bringing a database up to date: a list of functions, of which each takes it one version further.

They are our own, and not those of a library: a few tables in two dialects need no more, and so the database
is made on the first start, without a command of its own. A new database is made as it is now; an older one
goes through the functions that it has not gone through. A function never changes once a database may have
used it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Integer, MetaData, Table, insert, select, text, update

from companion.text.errors import CompanionError
from companion.text.sentence import say
from network.hub.schema import METADATA

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

MIGRATIONS: Final[Sequence[Callable[[Connection], None]]] = ()
"""The function at place n leads from version n + 1 to n + 2."""

_LOCK: Final = 6_096_111_204
"""Any number that nobody else uses in this database."""

_VERSION: Final = Table("schema_version", MetaData(), Column("version", Integer, nullable=False))


def migrate(db: Connection, functions: Sequence[Callable[[Connection], None]] = MIGRATIONS) -> None:
    """Bring a database up to date, in the transaction that is open. Raises `CompanionError` for a later one.

    Hubs that start at the same time do so one after the other.
    """
    if db.dialect.name == "postgresql":
        db.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    newest = 1 + len(functions)
    _VERSION.create(db, checkfirst=True)
    version = db.execute(select(_VERSION.c.version)).scalar()
    if version is None:
        METADATA.create_all(db)
        db.execute(insert(_VERSION).values(version=newest))
        return
    if version > newest:
        raise CompanionError(
            say(
                "the database has version {version}, but this program knows {newest}",
                version=version,
                newest=newest,
            ),
            say("update the program"),
        )
    for function in functions[version - 1 :]:
        function(db)
    db.execute(update(_VERSION).values(version=newest))
