"""The tables of the journal."""

from __future__ import annotations

from typing import Final

_TABLES: Final = {
    "match": """CREATE TABLE "match" (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        header TEXT NOT NULL,
        started_at TEXT NOT NULL,
        steps INTEGER NOT NULL,
        last_at TEXT,
        chain INTEGER NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    "step": """CREATE TABLE "step" (
        match_id INTEGER NOT NULL REFERENCES "match" (id),
        number INTEGER NOT NULL,
        record TEXT NOT NULL,
        at TEXT NOT NULL,
        chain INTEGER NOT NULL,
        PRIMARY KEY (match_id, number)
    ) STRICT, WITHOUT ROWID""",
    "shape": """CREATE TABLE "shape" (
        number INTEGER PRIMARY KEY,
        names TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    "summary": """CREATE TABLE "summary" (
        match_id INTEGER PRIMARY KEY REFERENCES "match" (id),
        chain INTEGER NOT NULL,
        content TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    "note": """CREATE TABLE "note" (
        key TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
}


SCHEMA: Final = ";\n".join(_TABLES.values()) + ";\n"


OBJECTS: Final = {("table", name, name, sql) for name, sql in _TABLES.items()} | {
    ("index", "sqlite_autoindex_match_1", "match", None)
}
"""Everything that SQLite may know of in a journal: a trigger, a view or an index is somebody else's."""
