"""The changes of a journal as values: decided in one place, stored in another (`Journal.write`)."""

import sqlite3
from collections.abc import Callable, Mapping

from companion.core.tally import MatchTally
from companion.values import Value
from firmware.journal import rows
from firmware.journal.errors import JournalError


class Begin(Value):
    """Write a match without steps under the number that is the next one (`Journal.next_number`)."""

    number: int
    header: Mapping[str, object]


class Append(Value):
    """Write step `number` of a match, counted from 1.

    A `header` or a `tally` takes the place of the one there is, together with the step.
    """

    match_id: int
    number: int
    record: Mapping[str, object]
    header: Mapping[str, object] | None = None
    tally: MatchTally | None = None


class Remove(Value):
    """Remove a match with all its steps; the numbers of the others stay."""

    match_id: int


class Withdraw(Remove):
    """Take back that the newest match was begun: it has no step, and its number is given again."""


class Note(Value):
    """Store a JSON value across matches, in the place of the old value of `key`; None removes it."""

    key: str
    value: object


class Rewrite(Value):
    """Put other headers and notes in the place of those there are, and leave no byte of the old ones."""

    headers: Mapping[int, Mapping[str, object]]
    notes: Mapping[str, object]


Write = Begin | Append | Remove | Withdraw | Note | Rewrite
"""A change of a journal that was decided, and is to be stored."""


def failed(write: Write) -> str:
    """What to say where it cannot be written."""
    match write:
        case Begin():
            return "the new match was not saved"
        case Append(match_id, number):
            return f"step {number} of match {match_id} was not saved"
        case Remove(match_id):
            return f"match {match_id} was not removed"
        case Note(key):
            return f"{key!r} was not saved"
        case Rewrite():
            return "nothing was removed"


def make(db: sqlite3.Connection, write: Write, at: str, identity: Callable[[], str]) -> None:
    """Make a change; `at` is the time, `identity` gives a new match its `uid`. Raises `JournalError`."""
    match write:
        case Begin(number, header):
            if rows.begin(db, header, at, identity()) != number:
                raise ValueError(f"match {number} is not the next one")  # only this program writes here
        case Append(match_id, number, record, new_header, tally):
            head = rows.head(db, match_id)
            if number != head.steps + 1:
                raise JournalError(
                    f"step {number} of match {match_id} cannot follow step {head.steps}",
                    f"save step {head.steps + 1} next",
                )
            rows.append(db, head, [(record, at)], new_header, tally)
        case Withdraw(match_id):
            rows.withdraw(db, match_id)
        case Remove(match_id):
            rows.remove(db, match_id)
        case Note(key, value):
            rows.note(db, {key: value})
        case Rewrite(headers, notes):
            for number, header in headers.items():
                rows.rewrite(db, rows.head(db, number)._replace(header=rows.written(dict(header))))
            rows.note(db, notes)
