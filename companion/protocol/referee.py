"""The referee for programs: one JSON request in, one JSON answer out. This module does no I/O.

Every request is checked before it is used. If it is refused, the answer says what was wrong and
what to send instead, and the match stays as it was.

A match that is kept somewhere can be listed and resumed: the program that runs the referee gives it a
`MatchStore`. What a request and an answer look like in JSON Schema is in `protocol_schema`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import islice
from typing import Any, Final, Protocol

from companion.core import games
from companion.core.ask import Ask
from companion.core.cards import Seat
from companion.core.codec import decode, encode, json_schema
from companion.core.ruling import Refused
from companion.match.legal_commands import legal_commands
from companion.match.match import Match, Step, Terms, begin
from companion.protocol.schema import LONGEST_NAME, PUBLIC, schema
from companion.protocol.snapshot import public_events, public_reasons, public_view, state
from companion.text.errors import CompanionError, InvalidRecord, did_you_mean, quoted
from companion.text.sentence import Text, is_one_line

LONGEST_LINE: Final = 1_000_000
"""The longest request in bytes; a longer line is refused without being parsed."""

VERSION: Final = 1
"""The version of the protocol.

It is raised when a client could misunderstand an answer; new requests and new keys do not raise it.
"""

LANGUAGE: Final = "en"
"""The language of the sentences in `says`, `fault` and `fix`."""

Name = str | None
"""What a player is called; None where nobody has said it."""

_KEYS: Final[Mapping[str, frozenset[str]]] = {
    "new": frozenset({"seats", "options", "first", "names"}),
    "position": frozenset(),
    "do": frozenset(),
    "undo": frozenset(),
    "redo": frozenset(),
    "show": frozenset(),
    "legal": frozenset({"seat"}),
    "names": frozenset(),
    "list": frozenset(),
    "resume": frozenset({"names"}),
    "hello": frozenset(),
    "schema": frozenset(),
}
"""Every request by the key that names it, and the keys that may stand beside it."""


class MatchStore(Protocol):
    """Where the matches of a referee are kept. A `CompanionError` from a member refuses the request."""

    def matches(self) -> Iterable[Mapping[str, Any]]:
        """A record of each match with its `number`, the newest first."""

    def resume(self, number: int) -> Match:
        """The match of that number as it was left; every step from now on belongs to it.

        If it raises, the match in play stays the one that steps belong to.
        """


class Referee:
    """Answers requests about one match at a time.

    `began` is called with the terms of a new match and `stepped` with every step before it takes effect, and
    with the match before and after it; what they raise (a `CompanionError`) refuses the request. `began` may
    give the number under which the match is kept. `store` lists and resumes matches; without it they cannot
    be resumed. `version` is that of the program, for `hello`.
    """

    def __init__(
        self,
        began: Callable[[Terms], int | None] = lambda _terms: None,
        stepped: Callable[[Step, Match, Match], None] = lambda _step, _before, _after: None,
        store: MatchStore | None = None,
        version: str = "",
    ) -> None:
        self._began = began
        self._stepped = stepped
        self._store = store
        self._version = version
        self._match: Match | None = None
        self._number: int | None = None
        self._names: tuple[Name, ...] = ()

    def answer(self, line: bytes) -> dict[str, Any]:
        """The answer to one line of any content. Never raises."""
        try:
            return self._handle(_parse(line))
        except CompanionError as bad:
            return {"ok": False, "fault": bad.fault, "fix": bad.fix}

    def _handle(self, request: dict[str, Any]) -> dict[str, Any]:
        kind = _kind(request)
        match kind:
            case "new":
                return self._new(request)
            case "resume":
                return self._resume(request)
            case "list":
                return self._list(request["list"])
            case "hello":
                _flag(request, kind)
                return self._hello()
            case "schema":
                _flag(request, kind)
                return {"ok": True, "schema": schema()}
        if self._match is None:
            raise InvalidRecord(
                "no match has been started",
                'send {"new": "six", "seats": 4} first, or resume a match: {"list": true} gives their numbers'
                if self._store
                else 'send {"new": "six", "seats": 4} first',
            )
        return self._about(self._match, kind, request)

    def _about(self, match: Match, kind: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request about the match in play."""
        match kind:
            case "show":
                if request["show"] == PUBLIC:
                    return self._answer(match, public=True)
                _flag(request, kind)
                return self._answer(match)
            case "undo":
                _flag(request, kind)
                return self._take(match, match.undo())
            case "redo":
                _flag(request, kind)
                return self._take(match, match.redo())
            case "legal":
                _flag(request, kind)
                return {"ok": True, "legal": legal_commands(match, _seat(match, request))}
            case "names":
                self._names = _read_names(request["names"], match.terms.game)
                return self._answer(match)
            case _:
                record = request["do"] if kind == "do" else _adoption(request["position"])
                return self._take(match, match.propose(decode(record, match.commands)))

    def _new(self, request: Mapping[str, Any]) -> dict[str, Any]:
        seats, options, first = request.get("seats"), request.get("options", {}), request.get("first", 0)
        if not isinstance(request["new"], str):
            raise InvalidRecord(
                f"'new' is {quoted(request['new'])}",
                f"name a game: {', '.join(games.GAMES)}",
            )
        if type(seats) is not int:
            raise InvalidRecord(
                f"'seats' is {quoted(seats)}" if "seats" in request else "'seats' is missing",
                'say how many play, as in "seats": 4',
            )
        if not isinstance(options, dict):
            raise InvalidRecord(
                f"'options' is {quoted(options)}",
                "use an object such as {}, or leave it out",
            )
        if type(first) is not int:
            raise InvalidRecord(f"'first' is {quoted(first)}", "use a seat, counted from 0")
        terms = Terms(request["new"], seats, options, Seat(first))
        match = begin(terms)
        names = _read_names(request.get("names", []), terms.game)
        self._number = self._began(terms)
        self._match, self._names = match, names
        return {**self._answer(match), "because": [_reason(one.rule.key, one.says) for one in match.why_next]}

    def _resume(self, request: Mapping[str, Any]) -> dict[str, Any]:
        number, store = request["resume"], self._kept()
        if type(number) is not int:
            raise InvalidRecord(
                f"'resume' is {quoted(number)}",
                'use the number of a match; {"list": true} gives them',
            )
        given = _read_names(request.get("names", []))
        match = store.resume(number)
        self._match, self._number, self._names = match, number, given
        return self._answer(match)

    def _list(self, most: object) -> dict[str, Any]:
        store = self._kept()
        if most is not True and (type(most) is not int or most < 1):
            raise InvalidRecord(
                f"'list' is {quoted(most)}",
                'send {"list": true}, or the number of matches to list, 1 or more',
            )
        found = [dict(one) for one in store.matches()]
        return {"ok": True, "matches": found if most is True else found[:most]}

    def _kept(self) -> MatchStore:
        if self._store is None:
            raise InvalidRecord(
                "there is no journal, so no match can be listed or resumed",
                "start the program with a journal: nimmt referee --journal FILE",
            )
        return self._store

    def _hello(self) -> dict[str, Any]:
        modules = {key: games.module(key) for key in games.GAMES}
        return {
            "ok": True,
            "program": "nimmt-companion",
            "version": self._version,
            "protocol": VERSION,
            "language": LANGUAGE,
            "journal": self._store is not None,
            "requests": list(_KEYS),
            "games": [
                {"game": key, "title": module.TITLE, "seats": [module.SEATS[0], module.SEATS[-1]]}
                for key, module in modules.items()
            ],
        }

    def _take(self, match: Match, step: Step | Refused) -> dict[str, Any]:
        if isinstance(step, Refused):
            return {"ok": False, "fault": str(step.fault), "fix": str(step.fix), "rule": step.rule.key}
        after = match.then(step)
        self._stepped(step, match, after)
        self._match = after
        return self._answer(after, step)

    def _answer(self, match: Match, step: Step | None = None, *, public: bool = False) -> dict[str, Any]:
        shown = state(match, self._names)
        if public and match.newest:
            events = public_events(match.game, match.newest)
            because = [_reason(rule, says) for rule, says in public_reasons(match.game, match.newest)]
        else:
            events = [encode(event) for event in step.events] if step else []
            because = [_reason(rule, says) for rule, says in step.because] if step else []
        numbers = _cards_are_numbers(match.game.commands)
        asks = [ask for ask in match.asks if public or not ask.unanswerable]
        answer = {
            "ok": True,
            "events": events,
            "because": because,
            "asks": [_ask(ask, numbers=numbers) for ask in asks],
            "state": public_view(shown) if public else shown,
        }
        return answer if self._number is None else {**answer, "match": self._number}


def _reason(rule: str, says: Text | None) -> dict[str, str]:
    return {"rule": rule} if says is None else {"rule": rule, "says": str(says)}


def _ask(ask: Ask, *, numbers: bool) -> dict[str, Any]:
    return {
        "verb": ask.kind.value,
        "seats": list(ask.seats),
        "wait": ask.wait.value,
        "choices": list(ask.choices),
        "card": int(ask.card) if numbers and ask.card.isdecimal() else ask.card or None,
    }


@cache
def _cards_are_numbers(commands: tuple[type[Any], ...]) -> bool:
    """Whether the commands of a game name a card by a number, not by a text."""
    return any(json_schema(cls)["properties"].get("card") == {"type": "integer"} for cls in commands)


def _kind(request: Mapping[str, Any]) -> str:
    """What a request asks for; its other keys are checked to belong to it."""
    kinds = [name for name in request if name in _KEYS]
    if len(kinds) > 1:
        # `names` is a request of its own, and may be said with others.
        kinds = [name for name in _KEYS if name in kinds and not any(name in _KEYS[other] for other in kinds)]
    if not kinds:
        raise InvalidRecord("the request names no action", _will_do(request))
    if len(kinds) > 1:
        raise InvalidRecord(
            f"the request names {', '.join(kinds[:-1])} and {kinds[-1]}",
            "send one request per line",
        )
    if len(request) > 1:
        _only(request, _KEYS[kinds[0]] | {kinds[0]})
    return kinds[0]


def _seat(match: Match, request: Mapping[str, Any]) -> Seat | None:
    """The seat that a request is about, or None for all of them."""
    if "seat" not in request:
        return None
    seat = request["seat"]
    if type(seat) is not int or seat not in match.players:
        players = ", ".join(map(str, match.players))
        raise InvalidRecord(
            f"'seat' is {quoted(seat)}",
            f"use the seat of a player, or leave it out: {players}",
        )
    return Seat(seat)


def _read_names(names: object, game: str | None = None) -> tuple[Name, ...]:
    """What players are called, by seat. Raises `InvalidRecord`."""
    most = max(games.module(key).SEATS[-1] for key in ([game] if game else games.GAMES))
    if not isinstance(names, list) or len(names) > most:
        raise InvalidRecord(
            f"'names' is {quoted(names)}",
            f'use a list of up to {most} names by seat, as in ["Ana", "Bo"]',
        )
    for seat, name in enumerate(names):
        if name is not None and not _is_name(name):
            raise InvalidRecord(
                f"the name of seat {seat} is {quoted(name)}",
                f"use a text of 1 to {LONGEST_NAME} characters on one line, or null",
            )
    return tuple(names)


def _is_name(name: object) -> bool:
    return (
        isinstance(name, str) and 1 <= len(name) <= LONGEST_NAME and bool(name.strip()) and is_one_line(name)
    )


def _parse(line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise InvalidRecord(
            f"the line is longer than {LONGEST_LINE} bytes",
            "send one request per line",
        )
    try:
        request = _REQUESTS.decode(_text(line))
    except InvalidRecord:
        raise
    except UnicodeDecodeError as bad:
        raise InvalidRecord(f"the line is not valid UTF-8 at byte {bad.start}", "send JSON in UTF-8") from bad
    except (ValueError, RecursionError) as bad:
        raise InvalidRecord(
            f"the line is not valid JSON: {str(bad)[:80]}",
            "send one JSON object on one line",
        ) from bad
    if not isinstance(request, dict):
        raise InvalidRecord("the line is not a JSON object", _will_do({}))
    return request


def _text(line: bytes) -> str:
    text = line.decode("utf-8")
    if text.startswith("\ufeff"):  # `json.loads` says so as well; a decoder of one's own does not
        raise json.JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
    return text


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise InvalidRecord("an object has the same key twice", "use every key only once")
    return record


def _no_constant(name: str) -> Any:  # noqa: ANN401 - json's hook may give anything; this one never returns
    raise InvalidRecord(f"{name} is not a JSON number", "use whole numbers")


_REQUESTS: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def _only(request: Mapping[str, Any], known: frozenset[str]) -> None:
    for name in request:
        if name not in known:
            raise InvalidRecord(
                f"the request has an unknown key {quoted(name)}",
                did_you_mean(name, sorted(known)),
            )


def _flag(request: Mapping[str, Any], kind: str) -> None:
    if request[kind] is not True:
        raise InvalidRecord(
            f"{kind!r} is {quoted(request[kind])}",
            f'send {{"{kind}": true}}',
        )


def _adoption(position: object) -> dict[str, Any]:
    if not isinstance(position, dict) or "kind" in position:
        raise InvalidRecord(
            "'position' is not a position",
            "send an object that describes the table; see the schema",
        )
    return {"kind": "adopt", **position}


def _will_do(request: Mapping[str, Any]) -> Text | str:
    for name in islice(request, len(_KEYS)):
        near = did_you_mean(name, _KEYS)
        if "name" in near.facts:
            return near
    return f"send one of: {', '.join(_KEYS)}"
