"""Reading a journal, also one that a device is writing. Each row is checked when it is read."""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

from companion.values import Value
from firmware.journal import file, rows
from firmware.journal.errors import DamagedMatch, JournalError, damaged, primary_code, refusal
from firmware.journal.rows import OBJECTS, MatchEntry, MatchHead, first_link, link, unpacked

_AT_ONCE: Final = 256
"""So many matches are read together: no query stays open between two of them."""

_LAST_ROW: Final = 'SELECT uid FROM "match" INDEXED BY sqlite_autoindex_match_1 ORDER BY uid DESC LIMIT 1'
"""The way into the tree that nothing else of the start reads. With a damaged one no match could be begun, and
a start would not help."""

Steps = Iterator[tuple[dict[str, Any], str]]
"""The records of steps, each with the time at which it was saved."""


class JournalSize(Value):
    """How many matches there are, the bytes of the file with its log, and the bytes free on its disk."""

    matches: int
    used_bytes: int
    free_bytes: int


class JournalReader:
    """The matches of a journal; each call sees what is saved at that moment. Methods raise `JournalError`.

    From `Journal.read` or, while it is written by this program, `Journal.reader`. One thread uses and closes
    it; every thread may have its own. `reading` lends the connection to the file at `path`, and turns what
    SQLite raises meanwhile into a `JournalError` that says what could not be done.
    """

    def __init__(
        self,
        path: Path,
        reading: Callable[[str], AbstractContextManager[sqlite3.Connection]],
        close: Callable[[], None],
    ) -> None:
        self._path = path
        self._reading = reading
        self.close = close

    def matches(self) -> list[MatchEntry]:
        """All matches, oldest first; one that cannot be trusted says so."""
        return list(self.each_match())

    def each_match(self, newest: int | None = None) -> Iterator[MatchEntry]:
        """The same one after the other, or so many of the newest. One that begins meanwhile may follow."""
        with self._reading("the matches could not be read") as db:
            after = 0
            if newest is not None:
                earlier = 'SELECT id FROM "match" ORDER BY id DESC LIMIT 1 OFFSET ?'
                (after,) = db.execute(earlier, (newest,)).fetchone() or (0,)
            while found := rows.heads(db, "WHERE id > ? ORDER BY id LIMIT ?", after, _AT_ONCE):
                for head, sound in found:
                    yield rows.entry(head, sound=sound)
                after = found[-1][0].id

    def heads(self, newest: int) -> list[MatchHead]:
        """The rows of the newest matches, the newest first; one that cannot be trusted is left out."""
        with self._reading("the matches could not be read") as db:
            return [head for head, sound in rows.heads(db, "ORDER BY id DESC LIMIT ?", newest) if sound]

    def entry(self, match_id: int) -> MatchEntry:
        """One match, which there must be, and which can be trusted."""
        with self._reading(f"match {match_id} could not be read") as db:
            found = rows.entry(rows.head(db, match_id))
            if found.fault is not None:
                raise damaged(match_id)
            return found

    def has(self, match_id: int) -> bool:
        """Whether there is a match with this number."""
        with self._reading(f"match {match_id} could not be read") as db:
            # SQLite has no larger numbers
            return 0 < match_id < 2**63 and bool(rows.heads(db, "WHERE id = ?", match_id))

    def numbers(self, after: int, most: int) -> list[int]:
        """The numbers of the next matches above `after`, at most `most`."""
        with self._reading("the matches could not be read") as db:
            query = 'SELECT id FROM "match" WHERE id > ? ORDER BY id LIMIT ?'
            return [number for (number,) in db.execute(query, (after, most))]

    def numbers_before(self, before: int | None, most: int) -> list[int]:
        """The numbers of the newest matches, the newest first; with `before`, only those below it."""
        with self._reading("the matches could not be read") as db:
            query = 'SELECT id FROM "match" WHERE id < ? ORDER BY id DESC LIMIT ?'
            below = 2**63 - 1 if before is None else before
            return [number for (number,) in db.execute(query, (below, most))]

    def state(self) -> tuple[int, float]:
        """What is another value when a match was added, changed or removed."""
        with self._reading("the matches could not be counted") as db:
            count, seals = db.execute('SELECT count(*), total(seal) FROM "match"').fetchone()
            return count, seals

    def latest(self) -> int | None:
        """The match that was started last; None in an empty journal."""
        with self._reading("the latest match could not be found") as db:
            return rows.latest(db)

    def steps(self, match_id: int) -> Iterator[dict[str, Any]]:
        """The records of a match from step 1 on, as of this call: later steps are not included.

        Raises `DamagedMatch` on reaching a step that is missing, damaged or from elsewhere; the records
        before it have then been given.
        """
        return (record for record, _ in self.timed_steps(match_id))

    def timed_steps(self, match_id: int) -> Steps:
        """The same with the time at which each was saved."""
        with self._reading(f"match {match_id} could not be read") as db:
            return steps_after(db, match_id, 0)[1]

    def times(self, match_id: int) -> list[str]:
        """The times at which its steps were saved, unchecked, for who needs nothing else and at once."""
        with self._reading(f"match {match_id} could not be read") as db:
            query = "SELECT at FROM step WHERE match_id = ? ORDER BY number"
            return [at for (at,) in db.execute(query, (match_id,))]

    def steps_after(self, match_id: int, number: int) -> tuple[int, Steps, int]:
        """The steps of a match above `number`, between the seals of that step and of the last one.

        For who has read the others before: if the first seal is still what it was, so are they.
        """
        with self._reading(f"match {match_id} could not be read") as db:
            return steps_after(db, match_id, number)

    def recall(self, key: str) -> object:
        """The value remembered under `key`; None if there is none."""
        with self._reading(f"{key!r} could not be read") as db:
            return rows.notes(db).values.get(key)

    def notes(self) -> Mapping[str, object]:
        """All values that are remembered, by key."""
        with self._reading("the matches could not be read") as db:
            return rows.notes(db).values

    def next_number(self) -> int:
        """The number that the next match will have."""
        with self._reading("the latest match could not be found") as db:
            return max(rows.notes(db).newest, rows.latest(db) or 0) + 1

    def counted(self) -> int:
        with self._reading("the matches could not be counted") as db:
            return _counted(db)

    def size(self) -> JournalSize:
        with self._reading("the matches could not be counted") as db:
            used = file.file_bytes(self._path) + file.log_bytes(self._path)
            return JournalSize(rows.notes(db).matches, used, file.free_bytes(self._path))

    def fault_of_count(self) -> str | None:
        """Whether as many matches are there as were begun and not removed."""
        with self._reading("the matches could not be counted") as db:
            return _fault_of_count(db)

    def check_pages(self, stop: Callable[[], bool]) -> tuple[bool, str | None]:
        """Let SQLite check the pages of the file: whether that was finished, and what is wrong, if anything.

        It is not finished if `stop` has ended it, which is asked every millisecond or so; then nothing is
        known. Blocks for about 1 ms per MB on a laptop.
        """
        with self._reading("the journal could not be checked") as db:
            db.set_progress_handler(stop, 2000)
            try:
                verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            except sqlite3.OperationalError as error:
                if primary_code(error) != sqlite3.SQLITE_INTERRUPT:
                    raise
                return False, None
            finally:
                db.set_progress_handler(None, 0)
        return True, None if verdict == "ok" else f"it is damaged ({verdict})"


def reader_of(path: Path, db: sqlite3.Connection) -> JournalReader:
    """The reader of a connection that belongs to it alone; `path` is the file that errors name."""

    @contextmanager
    def reading(what: str) -> Iterator[sqlite3.Connection]:
        try:
            yield db
        except sqlite3.ProgrammingError:  # closed, or a second thread
            raise
        except sqlite3.Error as error:
            raise refusal(error, path, what) from error

    return JournalReader(path, reading, db.close)


def steps_after(db: sqlite3.Connection, match_id: int, number: int) -> tuple[int, Steps, int]:
    """The seal of step `number`, the later records with their times, and the seal of the last one.

    The chain begins with a seal, too: that of number 0. What is damaged up to `number` is not looked at.
    Raises `JournalError` at once for an unknown match, and `DamagedMatch` as `JournalReader.steps` does.
    """
    ours = not db.in_transaction
    if ours:
        db.execute("BEGIN")  # both queries see the same state, whatever a device writes meanwhile
    try:
        head = rows.head(db, match_id)
        # All rows at once: a half-read query would hold back tidying up for as long as it is open.
        found = db.execute(
            "SELECT number, record, at, chain FROM step WHERE match_id = ? AND number >= ? ORDER BY number",
            (match_id, number or -(2**63)),
        ).fetchall()
    finally:
        if ours and db.in_transaction:
            db.execute("ROLLBACK")
    chain = first_link(head.uid)
    if number:
        if not found or found[0][0] != number:
            raise _missing(match_id, number)
        chain = found.pop(0)[3]
    return chain, _records(head, found, number, chain), head.chain


def _records(head: MatchHead, found: Sequence[tuple[Any, Any, Any, Any]], after: int, chain: int) -> Steps:
    """The steps in these rows, all that there are above `after`, whose seal is `chain`."""
    for expected, (number, record, at, seal) in enumerate(found, start=after + 1):
        if number != expected or expected > head.steps:
            # A damaged page can make a text of a number.
            later = isinstance(number, int) and number > expected
            if later:
                raise _missing(head.id, expected)
            raise damaged(head.id, expected, f"step {expected} does not belong to match {head.id}")
        try:
            text = unpacked(record)
        except (ValueError, TypeError, zlib.error) as bad:  # TypeError: a damaged page made a text of it
            raise damaged(head.id, number) from bad
        chain = link(chain, number, text, at)
        if chain != seal:
            raise damaged(head.id, number)
        yield json.loads(text), at
    if after + len(found) < head.steps:
        raise _missing(head.id, after + len(found) + 1)
    if chain != head.chain:
        raise damaged(head.id, head.steps)


def _missing(match_id: int, step: int) -> DamagedMatch:
    return damaged(match_id, step, f"step {step} of match {match_id} is missing")


def fault_at_start(db: sqlite3.Connection) -> str | None:
    """What is wrong with a journal that is to be written, in words for users; None if it can be used.

    Looks at the tables, the notes and the newest match, which may be resumed: as much for a journal of ten
    thousand matches as for one. `fault_in` looks at the rest. Raises `sqlite3.Error` for pages that cannot be
    read at all.
    """
    if (fault := fault_of_tables(db)) is not None:
        return fault
    db.execute(_LAST_ROW).fetchone()
    try:
        notes = rows.notes(db)
        last, there = notes.last, rows.latest(db) or 0
        if last > there:
            return f"match {last} is missing"
        if last < there or (notes.matches == 0) != (last == 0):
            return f"match {there} does not belong to the journal"
        if last:
            _read(db, last)
        strange = db.execute("SELECT match_id FROM step ORDER BY match_id DESC LIMIT 1").fetchone()
        if strange and strange[0] > last:
            return f"the header of match {strange[0]} is missing"
    except JournalError as error:
        return error.fault
    return None


def fault_of_tables(db: sqlite3.Connection) -> str | None:
    """Whether the file has the tables of a journal, and nothing else that SQLite would act upon."""
    found = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    if strange := [f"{kind} {name!r}" for kind, name, *_ in found if kind in ("trigger", "view")]:
        return f"it has the {strange[0]}, which no journal has"
    if set(found) != OBJECTS or len(found) != len(OBJECTS):
        return "its tables are not those of a journal"
    return None


def fault_in(db: sqlite3.Connection) -> str | None:
    """What is wrong with the content of a journal, in words for users; None if it is valid.

    Checks every page, the tables, every match with all its steps, and the notes. Raises `sqlite3.Error` for
    pages that cannot be read at all.
    """
    verdict = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if verdict != "ok":
        return f"it is damaged ({verdict})"
    if (fault := fault_at_start(db)) is not None:
        return fault
    try:
        for (number,) in db.execute('SELECT id FROM "match" ORDER BY id').fetchall():
            _read(db, number)
        return _fault_of_count(db)
    except JournalError as error:
        return error.fault


def _read(db: sqlite3.Connection, match_id: int) -> None:
    for _ in steps_after(db, match_id, 0)[1]:
        pass


def _counted(db: sqlite3.Connection) -> int:
    number: int = db.execute('SELECT count(*) FROM "match"').fetchone()[0]
    return number


def _fault_of_count(db: sqlite3.Connection) -> str | None:
    count, there = rows.notes(db).matches, _counted(db)
    if there < count:
        return f"only {there} of {count} matches are there"
    if there > count:
        return f"{there} matches are there, but only {count} were played or imported"
    return None
