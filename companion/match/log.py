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

from companion.core.cards import Seat
from companion.core.codec import decode, encode
from companion.core.game import Game
from companion.core.ruling import Reason
from companion.core.score_sheet import DealScored
from companion.match import commands as match_commands
from companion.match.match import Match, Step, Terms, begin
from companion.text.codec import decode_text, encode_text
from companion.text.errors import InvalidRecord, did_you_mean, fault_of_json, quoted

VERSION: Final = 1
"""Increased when a program that knows only this version could misread the log."""

_HEADER: Final = {"log", "game", "seats", "options", "first", "badges", "robots", "at", "match"}
_STEP: Final = {"step", "do", "events", "because", "voids", "redoes", "at"}


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
    _known_only(record, _HEADER)
    seats, first = record.get("seats"), record.get("first", 0)
    options, badges = record.get("options", {}), record.get("badges", [])
    if not isinstance(record.get("game"), str) or type(seats) is not int or type(first) is not int:
        raise InvalidRecord(
            "the header lacks a game or a number of seats",
            'add "game" (a name) and "seats" (a number)',
        )
    if (
        not isinstance(options, dict)
        or not isinstance(badges, list)
        or any(type(badge) is not int for badge in badges)
    ):
        raise InvalidRecord(
            "the header's options or badges are malformed", "use an object and a list of numbers"
        )
    robots = record.get("robots", [])
    if not isinstance(robots, list) or any(type(level) is not str for level in robots):
        raise InvalidRecord(
            f"the header's robots are {quoted(robots)}",
            "use a list with the level of each seat, or an empty text for a person",
        )
    return Terms(record["game"], seats, options, Seat(first), tuple(badges), tuple(robots))


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
    _known_only(record, _STEP)
    voids, redoes = record.get("voids"), record.get("redoes")
    for name, other in (("voids", voids), ("redoes", redoes)):
        if name in record and type(other) is not int:
            raise InvalidRecord(
                f"{name!r} of step {number} is {quoted(other)}",
                "use the number of a step",
            )
    if voids is not None:
        if record.keys() - {"step", "voids", "at"}:
            raise InvalidRecord(
                f"step {number} both voids a step and does something",
                "split it into two steps",
            )
        return Step(number, voids=voids)
    events, because = record.get("events"), record.get("because", [])
    if not isinstance(events, list) or not isinstance(because, list):
        raise InvalidRecord(
            f"step {number} has neither events nor a step that it voids",
            'add "events" or "voids"',
        )
    kinds: tuple[type[Any], ...] = (*game.events, DealScored, *match_commands.EVENTS)
    orders: tuple[type[Any], ...] = (*game.commands, *match_commands.COMMANDS)
    command = decode(record["do"], orders) if "do" in record else None
    reasons = _reasons(because, number)
    facts = tuple(decode(event, kinds) for event in events)
    return Step(number, command, facts, reasons, redoes=redoes)


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


def _reasons(because: Iterable[object], number: int) -> tuple[Reason, ...]:
    try:
        return tuple(map(read_reason, because))
    except InvalidRecord as bad:
        raise InvalidRecord(f"in a reason of step {number}: {bad.fault}", bad.fix) from bad


def _known_only(record: Mapping[str, Any], known: set[str]) -> None:
    for name in record:
        if name not in known:
            raise InvalidRecord(
                f"the record has an unknown field {quoted(name)}",
                did_you_mean(str(name), sorted(known)),
            )
