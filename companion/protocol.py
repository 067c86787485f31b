"""The referee for programs: one JSON request in, one JSON answer out. This module does no I/O.

Every request is checked before it is used. If it is refused, the answer says what was wrong and
what to send instead, and the match stays as it was.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from companion import games, match_commands
from companion.cards import Seat
from companion.codec import decode, encode, json_schema
from companion.errors import CompanionError, InvalidRecord, did_you_mean, quoted
from companion.match import Match, Step, Terms, begin
from companion.ruling import Refused
from companion.score_sheet import DealScored

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LONGEST_LINE: Final = 1_000_000
"""The longest request in bytes; a longer line is refused without being parsed."""

_REQUESTS: Final = ("new", "position", "do", "undo", "show", "schema")


class Referee:
    """Answers requests about one match at a time.

    `began` is called with the terms of a new match and `stepped` with every step before it
    takes effect; what they raise (a `CompanionError`) refuses the request.
    """

    def __init__(
        self,
        began: Callable[[Terms], None] = lambda _terms: None,
        stepped: Callable[[Step], None] = lambda _step: None,
    ) -> None:
        self._began = began
        self._stepped = stepped
        self._match: Match | None = None

    def answer(self, line: bytes) -> dict[str, Any]:
        """The answer to one line of any content. Never raises."""
        try:
            return self._handle(_parse(line))
        except CompanionError as bad:
            return {"ok": False, "fault": bad.fault, "fix": bad.fix}

    def _handle(self, request: dict[str, Any]) -> dict[str, Any]:
        kinds = [name for name in _REQUESTS if name in request]
        if not kinds:
            raise InvalidRecord("the request names no action", _will_do(request))
        if len(kinds) > 1:
            raise InvalidRecord("the request names " + " and ".join(kinds), "send one request per line")
        kind = kinds[0]
        _only(request, {"new", "seats", "options", "first"} if kind == "new" else {kind})
        if kind == "new":
            return self._new(request)
        if kind == "schema":
            _flag(request, kind)
            return {"ok": True, "schema": schema()}
        if self._match is None:
            raise InvalidRecord("no match has been started", 'send {"new": "six", "seats": 4} first')
        if kind == "show":
            _flag(request, kind)
            return _answer(self._match)
        if kind == "undo":
            _flag(request, kind)
            return self._take(self._match, self._match.undo())
        record = request["do"] if kind == "do" else _adoption(request["position"])
        command = decode(record, self._match.commands)
        return self._take(self._match, self._match.propose(command))

    def _new(self, request: Mapping[str, Any]) -> dict[str, Any]:
        seats, options, first = request.get("seats"), request.get("options", {}), request.get("first", 0)
        if not isinstance(request["new"], str):
            raise InvalidRecord(
                f"'new' is {quoted(request['new'])}", "name a game: " + ", ".join(games.GAMES)
            )
        if type(seats) is not int:
            raise InvalidRecord(
                f"'seats' is {quoted(seats)}" if "seats" in request else "'seats' is missing",
                'say how many play, as in "seats": 4',
            )
        if not isinstance(options, dict):
            raise InvalidRecord(
                f"'options' is {quoted(options)}", "use an object such as {}, or leave it out"
            )
        if type(first) is not int:
            raise InvalidRecord(f"'first' is {quoted(first)}", "use a seat, counted from 0")
        terms = Terms(request["new"], seats, options, Seat(first))
        match = begin(terms)
        self._began(terms)
        self._match = match
        return _answer(match)

    def _take(self, match: Match, step: Step | Refused) -> dict[str, Any]:
        if isinstance(step, Refused):
            return {"ok": False, "fault": str(step.fault), "fix": str(step.fix), "rule": step.rule.key}
        after = match.then(step)
        self._stepped(step)
        self._match = after
        return _answer(after, step)


def state(match: Match) -> dict[str, Any]:
    """A match as the protocol shows it."""
    position = match.position
    winners = match.winners
    return {
        "game": match.terms.game,
        "deal": position.deal,
        "totals": list(match.totals),
        "points": list(match.points),
        "winners": None if winners is None else list(winners),
        **match.game.view(position.table),
    }


def _answer(match: Match, step: Step | None = None) -> dict[str, Any]:
    return {
        "ok": True,
        "events": [encode(event) for event in step.events] if step else [],
        "because": [{"rule": rule, "says": says} for rule, says in step.because] if step else [],
        "asks": [
            {
                "verb": ask.kind.value,
                "seats": list(ask.seats),
                "wait": ask.wait.value,
                "choices": list(ask.choices),
            }
            for ask in match.asks
        ],
        "state": state(match),
    }


def _parse(line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise InvalidRecord(f"the line is longer than {LONGEST_LINE} bytes", "send one request per line")
    try:
        request = json.loads(line.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except InvalidRecord:
        raise
    except UnicodeDecodeError as bad:
        raise InvalidRecord(f"the line is not valid UTF-8 at byte {bad.start}", "send JSON in UTF-8") from bad
    except (ValueError, RecursionError) as bad:
        raise InvalidRecord(
            f"the line is not valid JSON: {str(bad)[:80]}", "send one JSON object on one line"
        ) from bad
    if not isinstance(request, dict):
        raise InvalidRecord("the line is not a JSON object", _will_do({}))
    return request


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise InvalidRecord("an object has the same key twice", "use every key only once")
    return record


def _no_constant(name: str) -> Any:  # noqa: ANN401 - json's hook may give anything; this one never returns
    raise InvalidRecord(f"{name} is not a JSON number", "use whole numbers")


def _only(request: Mapping[str, Any], known: set[str]) -> None:
    for name in request:
        if name not in known:
            raise InvalidRecord(
                f"the request has an unknown key {quoted(name)}", did_you_mean(name, sorted(known))
            )


def _flag(request: Mapping[str, Any], kind: str) -> None:
    if request[kind] is not True:
        raise InvalidRecord(f"{kind!r} is {quoted(request[kind])}", f'send {{"{kind}": true}}')


def _adoption(position: object) -> dict[str, Any]:
    if not isinstance(position, dict) or "kind" in position:
        raise InvalidRecord(
            "'position' is not a position", "send an object that describes the table; see the schema"
        )
    return {"kind": "adopt", **position}


def _will_do(request: Mapping[str, Any]) -> str:
    for name in islice(request, len(_REQUESTS)):
        near = did_you_mean(name, _REQUESTS)
        if near.startswith("did"):
            return near
    return "send one of: " + ", ".join(_REQUESTS)


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of requests and answers, over all games that are installed."""
    modules = {key: games.module(key) for key in games.GAMES}
    made = {key: module.make(module.SEATS[0], {}) for key, module in modules.items()}
    commands = {key: {"anyOf": [json_schema(cls) for cls in game.commands]} for key, game in made.items()}
    about_score = {"anyOf": [json_schema(cls) for cls in match_commands.COMMANDS]}
    kept = (DealScored, *match_commands.EVENTS)
    events = [json_schema(cls) for cls in (*(cls for game in made.values() for cls in game.events), *kept)]
    new = [
        _object(
            {
                "new": {"const": key},
                "seats": {"type": "integer", "minimum": module.SEATS[0], "maximum": module.SEATS[-1]},
                "options": module.options_schema(),
                "first": {"type": "integer", "minimum": 0},
            },
            ["new", "seats"],
        )
        for key, module in modules.items()
    ]
    requests = [
        *new,
        _object(
            {"position": {"anyOf": [module.position_schema() for module in modules.values()]}}, ["position"]
        ),
        _object({"do": {"anyOf": [*commands.values(), about_score]}}, ["do"]),
        *(_object({flag: {"const": True}}, [flag]) for flag in ("undo", "show", "schema")),
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "nimmt referee protocol",
        "$defs": {
            "request": {"anyOf": requests},
            "answer": {
                "anyOf": [_accepted(events), _refused(), _object({"ok": {"const": True}, "schema": {}})]
            },
        },
        "anyOf": [{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/answer"}],
    }


def _accepted(events: list[dict[str, Any]]) -> dict[str, Any]:
    seats = {"type": "array", "items": {"type": "integer", "minimum": 0}}
    reason = _object({"rule": {"type": "string"}, "says": {"type": "string"}})
    ask = _object(
        {
            "verb": {"type": "string"},
            "seats": seats,
            "wait": {"enum": ["one", "all", "any"]},
            "choices": {"type": "array", "items": {"type": "string"}},
        }
    )
    common = {
        "game": {"enum": sorted(games.GAMES)},
        "deal": {"type": "integer", "minimum": 1},
        "totals": {"type": "array", "items": {"type": "integer"}},
        "points": {"type": "array", "items": {"type": "integer"}},
        "winners": {"anyOf": [seats, {"type": "null"}]},
    }
    return _object(
        {
            "ok": {"const": True},
            "events": {"type": "array", "items": {"anyOf": events}},
            "because": {"type": "array", "items": reason},
            "asks": {"type": "array", "items": ask},
            "state": {"type": "object", "properties": common, "required": sorted(common)},
        }
    )


def _refused() -> dict[str, Any]:
    text = {"type": "string", "minLength": 1}
    return _object({"ok": {"const": False}, "fault": text, "fix": text, "rule": text}, ["ok", "fault", "fix"])


def _object(properties: Mapping[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }
