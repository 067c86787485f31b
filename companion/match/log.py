"""The log of a match as flat records, one JSON object per line. This module does not touch files.

It is the one format that the journal, exports, test matches and bug reports share.
The first record describes the match, every other one is a step:

    {"log": 1, "game": "six", "seats": 4, "options": {"end": {"target": 66, "when": "reached"}}, "first": 0}
    {"step": 1, "do": {"kind": "lay", "card": 12}, "events": [{"kind": "row_begun", ...}], "because": []}
    {"step": 2, "voids": 1}
    {"step": 3, "redoes": 1, "do": {...}, "events": [...], "because": [...]}

A step's events are facts: reading a log applies them and asks no rule. The rule keys and
sentences are those that were given when the step was made. A record may carry "at", the
time it was written; it has no meaning for the match.

A reason has the key of its rule, the English sentence, and what it takes to tell it in another language: its
template and facts (see `companion.text.codec`):

    {"rule": "6N-OWNER", "says": "3 was played by player 2",
     "text": "{card} was played by {player}", "facts": {"card": {"card": 3}, "player": {"seat": 1}}}

"says" may be left out.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, Final

from msgspec import UNSET, UnsetType

from companion.core.cards import Seat
from companion.core.codec import decode, encode, read
from companion.core.game import Game
from companion.core.ruling import Reason
from companion.core.score_sheet import DealScored
from companion.match import commands as match_commands
from companion.match.match import Match, Step, Terms, begin
from companion.text.codec import decode_text, encode_text
from companion.text.errors import InvalidRecord, fault_of_json, quoted
from companion.values import Value, field

VERSION: Final = 1
"""Increased when a program that knows only this version could misread the log."""


class _Header(Value, forbid_unknown_fields=True):
    """The first record; what has a default may be missing, and the last two mean nothing for the match."""

    log: int
    game: str
    seats: int
    options: dict[str, Any] = field(default_factory=dict)
    first: Seat = Seat(0)
    badges: tuple[int, ...] = ()
    robots: tuple[str, ...] = ()
    at: Any = None
    match: Any = None


class _Record(Value, forbid_unknown_fields=True):
    """A step, with `events` or with what it `voids`; when it was written means nothing for the match."""

    step: int
    do: Any = UNSET
    events: list[Any] | UnsetType = UNSET
    because: list[Any] = field(default_factory=list)
    voids: int | None = None
    redoes: int | None = None
    at: Any = None


def header(terms: Terms) -> dict[str, Any]:
    """The first record of a match."""
    record: dict[str, Any] = {
        "log": VERSION,
        "game": terms.game,
        "seats": terms.seats,
        "options": dict(terms.options),
        "first": terms.first,
    }
    if terms.badges:
        record["badges"] = list(terms.badges)
    if any(terms.robots):
        record["robots"] = list(terms.robots)
    return record


def read_header(record: object) -> Terms:
    """The terms of the match. Raises `InvalidRecord` for anything but a header of this version."""
    if not isinstance(record, dict) or "log" not in record:
        raise InvalidRecord(
            "the first record is not a match header", 'it must have "log", "game" and "seats"'
        )
    if record["log"] != VERSION:
        raise InvalidRecord(
            f"the log has version {quoted(record['log'])}, but this program reads version {VERSION}",
            "update the program",
        )
    given = read(record, _Header, "the header")
    return Terms(given.game, given.seats, given.options, given.first, given.badges, given.robots)


def write_step(step: Step, *, sentences: bool = True) -> dict[str, Any]:
    """A step as a record; without `sentences` each reason has its text and facts only."""
    if step.voids is not None:
        return {"step": step.number, "voids": step.voids}
    record: dict[str, Any] = {"step": step.number}
    if step.redoes is not None:
        record["redoes"] = step.redoes
    if step.command is not None:
        record["do"] = encode(step.command)
    record["events"] = [encode(event) for event in step.events]
    record["because"] = [
        write_reason(reason) if sentences else {"rule": reason.rule, **encode_text(reason.says)}
        for reason in step.because
    ]
    return record


def with_sentences(record: Mapping[str, Any]) -> dict[str, Any]:
    """A step that was written without sentences, as it is with them. Raises `InvalidRecord`."""
    return _reworded(record, lambda given: write_reason(read_reason(given)) if "says" not in given else given)


def without_sentences(record: Mapping[str, Any]) -> dict[str, Any]:
    """A step without the sentences that can be made again from their texts and facts."""
    return _reworded(record, lambda given: {name: given[name] for name in given if name != "says"})


def _reworded(
    record: Mapping[str, Any], reason: Callable[[Mapping[str, Any]], Mapping[str, Any]]
) -> dict[str, Any]:
    if not record.get("because"):
        return dict(record)
    return {**record, "because": [reason(given) for given in record["because"]]}


def write_reason(reason: Reason) -> dict[str, Any]:
    """A reason as it stands in a record: rule, sentence, and what it takes to tell it in other languages."""
    rule, says = reason
    return {"rule": rule, "says": str(says), **encode_text(says)}


def read_reason(record: object) -> Reason:
    """A reason from a record. Raises `InvalidRecord`.

    Further keys are ignored, so that later versions of this program may store more.
    """
    if isinstance(record, dict) and isinstance(rule := record.get("rule"), str) and "text" in record:
        return Reason(rule, decode_text(record))
    raise InvalidRecord(f"the reason {quoted(record)} is malformed", 'a reason has "rule" and "text"')


def read_step(record: object, game: Game) -> Step:
    """A record as a step. Raises `InvalidRecord`."""
    if not isinstance(record, dict) or type(record.get("step")) is not int:
        raise InvalidRecord("a record is not a step", 'it must have "step", its number')
    number = record["step"]
    given = read(record, _Record, f"step {number}")
    if given.voids is not None and record.keys() <= {"step", "voids", "at"}:
        return Step(number, voids=given.voids)
    if given.voids is not None or given.events is UNSET:
        raise InvalidRecord(
            f"step {number} has neither events nor a step that it voids, or both",
            'give it "events" or "voids"',
        )
    kinds: tuple[type[Any], ...] = (*game.events, DealScored, *match_commands.EVENTS)
    orders: tuple[type[Any], ...] = (*game.commands, *match_commands.COMMANDS)
    command = None if given.do is UNSET else decode(given.do, orders)
    reasons = tuple(map(read_reason, given.because))
    facts = tuple(decode(event, kinds) for event in given.events)
    return Step(number, command, facts, reasons, redoes=given.redoes)


def replay(records: Iterable[Mapping[str, Any]]) -> Match:
    """The match that a log describes.

    Raises `InvalidRecord`, naming the step that does not follow, and `UnknownGame`.
    """
    return deque(each_step(records), maxlen=1).pop()


def each_step(records: Iterable[Mapping[str, Any]]) -> Iterator[Match]:
    """The match before its first step, then after each. Raises as `replay` does."""
    lines = iter(records)
    return accumulate(lines, _then, initial=begin(read_header(next(lines, None))))


def to_lines(records: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """The records as JSON lines without line ends."""
    return (json.dumps(record, ensure_ascii=False, separators=(", ", ": ")) for record in records)


def from_lines(lines: Iterable[str]) -> Iterable[dict[str, Any]]:
    """JSON lines as records; blank lines are skipped. Raises `InvalidRecord` with the line number."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as bad:
            fault = fault_of_json(f"line {number}", line, bad)
            raise InvalidRecord(fault, "correct or remove the line") from bad
        if not isinstance(record, dict):
            raise InvalidRecord(f"line {number} is not an object", "every line must be one record")
        yield record


def _then(match: Match, record: Mapping[str, Any]) -> Match:
    try:
        return match.then(read_step(record, match.game))
    except InvalidRecord as bad:
        raise InvalidRecord(f"after step {match.steps}: {bad.fault}", bad.fix) from bad
    except (ValueError, LookupError, TypeError, ArithmeticError) as bad:
        # Games apply facts without judging them, so what is missing is mostly told in words of Python.
        raise InvalidRecord(
            f"after step {match.steps}: step {match.steps + 1} does not fit the table before it",
            "correct the log, or use it up to that step",
        ) from bad
