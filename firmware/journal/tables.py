"""What the journal stores: its tables, the seals of their rows, and records in few bytes.

SQLite checks the structure of its pages but not what is in them: a bit that flips inside a record would turn
card 57 into card 59, and no check of SQLite's would notice. So every row has a seal, a CRC-32 over its
content and its place.

The seals of the steps of a match are a chain: the seal of a step is over all steps up to it, and the first
one begins with the identity of the match. The row of the match holds the number of its steps and the seal of
the last. So a step that is missing, swapped or from another match is found, and so is a match that has lost
its last steps. The one row of `note` holds how many matches there are, so that one that is gone is missed.
"""

from __future__ import annotations

import json
import zlib
from typing import Final

TABLES: Final = {
    "match": """CREATE TABLE "match" (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        header TEXT NOT NULL,
        started_at TEXT NOT NULL,
        steps INTEGER NOT NULL,
        last_at TEXT,
        chain INTEGER NOT NULL,
        tally TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    "step": """CREATE TABLE "step" (
        match_id INTEGER NOT NULL REFERENCES "match" (id),
        number INTEGER NOT NULL,
        record BLOB NOT NULL,
        at TEXT NOT NULL,
        chain INTEGER NOT NULL,
        PRIMARY KEY (match_id, number)
    ) STRICT, WITHOUT ROWID""",
    "note": """CREATE TABLE "note" (
        content TEXT NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
}

OBJECTS: Final = {("table", name, name, sql) for name, sql in TABLES.items()} | {
    ("index", "sqlite_autoindex_match_1", "match", None)
}
"""Everything that SQLite may know of in a journal: a trigger, a view or an index is somebody else's."""

_JSON: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

_DEFLATE: Final = -zlib.MAX_WBITS
"""Without the header and the checksum of zlib: a record has its seal."""


def written(value: object) -> str:
    """The JSON text of a value: compact, in the given order, non-ASCII characters unchanged.

    Raises TypeError or ValueError for values that JSON cannot hold, which are programming mistakes.
    """
    return _JSON.encode(value)


def packed(record: str) -> bytes:
    """A record as it is stored: half as long. Raises ValueError if it is not valid UTF-8."""
    return zlib.compress(record.encode(), wbits=_DEFLATE)


def unpacked(stored: bytes) -> str:
    """The record as it was before `packed`. Raises `zlib.error` or ValueError for what was never one."""
    return zlib.decompress(stored, wbits=_DEFLATE).decode()


def sealed(*content: str | int) -> int:
    """The seal of a row with this content, 0 to 2**32-1; raises ValueError if a text is not valid UTF-8."""
    return zlib.crc32("\n".join(map(str, content)).encode())


def seal_of_match(  # noqa: PLR0913, PLR0917 - the columns in their order
    number: int,
    uid: str,
    header: str,
    started_at: str,
    steps: int,
    last_at: str | None,
    chain: int,
    tally: str,
) -> int:
    """What `sealed` gives for the row of a match, in less time: a list asks for thousands."""
    return zlib.crc32(
        f"{number}\n{uid}\n{header}\n{started_at}\n{steps}\n{last_at or ''}\n{chain}\n{tally}".encode()
    )


def first_link(uid: str) -> int:
    """What the chain of a match begins with, before its first step."""
    return zlib.crc32(uid.encode())


def link(before: int, number: int, text: str, at: str) -> int:
    """The seal of a step: over all steps up to it. `text` is the record as JSON."""
    return zlib.crc32(f"{number}\n{text}\n{at}\n".encode(), before)
