"""What is wrong with a whole journal: at a start, in the quiet, and before a copy is trusted."""

from __future__ import annotations

import sqlite3
from typing import Final

from companion.text.sentence import Text, say
from firmware.journal.errors import JournalError
from firmware.journal.rows import counted, latest, notes, steps
from firmware.journal.tables import OBJECTS

_LAST_ROW: Final = 'SELECT uid FROM "match" INDEXED BY sqlite_autoindex_match_1 ORDER BY uid DESC LIMIT 1'
"""The way into the tree that nothing else of the start reads. With a damaged one no match could be begun, and
a start would not help."""


def fault_at_start(db: sqlite3.Connection) -> Text | None:
    """What is wrong with a journal that is to be written, in words for users; None if it can be used.

    Looks at the tables, the notes and the newest match, which may be resumed: as much for a journal of ten
    thousand matches as for one. `fault_in` looks at the rest. Raises `sqlite3.Error` for pages that cannot be
    read at all.
    """
    if (fault := fault_of_tables(db)) is not None:
        return fault
    db.execute(_LAST_ROW).fetchone()
    try:
        must_be = notes(db)
        count, last = must_be.matches, must_be.last
        at_last = latest(db) or 0
        if last != at_last or (count == 0) != (last == 0):
            if last > at_last:
                return say("match {number} is missing", number=last)
            return say("match {number} is not its own", number=at_last)
        if last:
            for _ in steps(db, last):
                pass
        strange = db.execute("SELECT match_id FROM step ORDER BY match_id DESC LIMIT 1").fetchone()
        if strange and strange[0] > last:
            return say("the header of match {number} is missing", number=strange[0])
    except JournalError as error:
        return error.fault_text
    return None


def fault_of_tables(db: sqlite3.Connection) -> Text | None:
    """Whether the file has the tables of a journal, and nothing else that SQLite would act upon."""
    found = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    if strange := [f"{kind} {name!r}" for kind, name, *_ in found if kind in ("trigger", "view")]:
        return say("it has the {thing}, which no journal has", thing=strange[0])
    if set(found) != OBJECTS or len(found) != len(OBJECTS):
        return say("its tables are not those of a journal")
    return None


def fault_in(db: sqlite3.Connection) -> Text | None:
    """What is wrong with the content of a journal, in words for users; None if it is valid.

    Checks every page, the tables, every match with all its steps, and the notes. Raises `sqlite3.Error` for
    pages that cannot be read at all.
    """
    verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        return say("it is damaged ({error})", error=verdict)
    if (fault := fault_at_start(db)) is not None:
        return fault
    try:
        for number in (number for (number,) in db.execute('SELECT id FROM "match" ORDER BY id').fetchall()):
            for _ in steps(db, number):
                pass
        return fault_of_count(db)
    except JournalError as error:
        return error.fault_text


def fault_of_count(db: sqlite3.Connection) -> Text | None:
    """Whether as many matches are there as were begun and not removed, and no steps of others."""
    count = notes(db).matches
    there = counted(db)
    if there < count:
        return say("only {there} of {count} matches are there", there=there, count=count)
    if there > count:
        return say(
            "{there} matches are there, but only {count} were played or imported", there=there, count=count
        )
    return None
