"""Reading the notes: a few JSON values that outlive a match.

The note `journal` says how many matches there are, and which other notes. A note that is lost would otherwise
read as one that was never written, and the match in play would not be resumed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from companion.text.sentence import say
from companion.values import Value
from firmware.journal.errors import beyond_use
from firmware.journal.seals import sealed

if TYPE_CHECKING:
    import sqlite3


KNOWN: Final = "journal"
"""The key of the note about the journal itself, see `Known`."""


class Known(Value):
    """How many matches the journal must have, the newest that was ever begun, the keys of the other notes.

    `last` is the newest match that must be there: a later one was removed, and its number is not given again.
    """

    matches: int = 0
    newest: int = 0
    notes: tuple[str, ...] = ()
    last: int = 0


def recall(db: sqlite3.Connection, key: str) -> object:
    """The value remembered under `key`; None when there is none. Raises `JournalError` if it is damaged."""
    row = db.execute("SELECT value, seal FROM note WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    value, seal = row
    if sealed(key, value) != seal:
        raise beyond_use(say("the note {key}", key=repr(key)))
    try:
        remembered: object = json.loads(value)
    except (ValueError, RecursionError) as error:
        raise beyond_use(say("the note {key}", key=repr(key))) from error
    return remembered


def read_known(db: sqlite3.Connection) -> Known:
    """What the journal must have. Raises `JournalError` if the note about it is damaged."""
    note = recall(db, KNOWN)
    if note is None:
        return Known()
    try:
        if not isinstance(note, dict):
            raise TypeError(note)  # noqa: TRY301 - the same answer as for one without its parts
        note = {"last": note["newest"], **note}  # older programs write no last one
        return Known(note["matches"], note["newest"], tuple(note["notes"]), note["last"])
    except (KeyError, TypeError) as bad:
        raise beyond_use(say("the note {key}", key=repr(KNOWN))) from bad
