"""The tables of the database, for SQLite and PostgreSQL alike.

Times are those of the hub, in seconds since 1970; what a box says of its own time stands beside them as it
came.
"""

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Column, Connection, Integer, String, Table
from sqlalchemy.dialects import postgresql, sqlite

METADATA: Final = sa.MetaData()

Json: Final = sa.JSON(none_as_null=True)
version: Final = Table("schema_version", METADATA, Column("version", Integer, nullable=False))

_ID: Final = sa.BigInteger().with_variant(Integer, "sqlite")  # SQLite counts by itself in INTEGER only

match: Final = Table(
    "match",
    METADATA,
    Column("uid", String(64), primary_key=True),
    Column("box", String(32), nullable=False),
    Column("header", Json, nullable=False),
    Column("steps", Integer, nullable=False, default=0),  # so many, without a gap
    Column("last_at", String(40), nullable=False, default=""),  # `at` of the last of them
    Column("anew_s", sa.Float, nullable=False, default=0.0),  # when another history of it was taken
    Column("begun_s", sa.Float, nullable=False),  # when the hub heard of it
    Column("changed_s", sa.Float, nullable=False),
    Column("summary", Json),  # `companion.core.tally`
    sa.Index("match_of_box", "box", "begun_s"),
    sa.Index("match_begun", "begun_s"),
)

step: Final = Table(
    "step",
    METADATA,
    Column("uid", String(64), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("record", Json, nullable=False),
    Column("at", String(40), nullable=False),  # by the clock of the box
    sqlite_with_rowid=False,
)

fault: Final = Table(
    "fault",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("box", String(32), nullable=False, default=""),
    Column("about", String(64), nullable=False, default=""),  # such as the match
    Column("facts", Json, nullable=False),
    Column("first_s", sa.Float, nullable=False),
    Column("last_s", sa.Float, nullable=False),
    Column("times", Integer, nullable=False, default=1),
    Column("settled_s", sa.Float),  # when the director put it aside, or it ended by itself
    sa.UniqueConstraint("kind", "box", "about"),
)
"""What the director is told."""

act_log: Final = Table(
    "act_log",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("at_s", sa.Float, nullable=False),
    Column("who", sa.Text, nullable=False),
    Column("facts", Json, nullable=False),
    Column("reason", sa.Text, nullable=False, default=""),
)
"""What the director did, and why. Nothing is ever removed from it."""

tournament: Final = Table(
    "tournament",
    METADATA,
    Column("id", Integer, primary_key=True),  # of the tournament, from 1; the last one is held
    Column("number", Integer, primary_key=True),  # of the entry, from 1
    Column("at_s", sa.Float, nullable=False),
    Column("who", sa.Text, nullable=False),
    Column("record", Json, nullable=False),
    sqlite_with_rowid=False,
)
"""The logs of the tournaments: everything else about them follows from it."""


def insert_into(db: Connection, table: Table) -> Any:  # noqa: ANN401 - an insert of the dialect
    """An insert that can say what is done about a row that is there already."""
    return (postgresql if db.dialect.name == "postgresql" else sqlite).insert(table)


def upsert(
    db: Connection,
    table: Table,
    key: Mapping[str, Any],
    fields: Mapping[str, Any],
    again: Mapping[str, Any] | None = None,
) -> None:
    """Insert a row, or change the one with this key: to `again`, else to the same fields."""
    new = insert_into(db, table).values(**key, **fields)
    db.execute(new.on_conflict_do_update(index_elements=list(key), set_=again or fields))
