"""The referee for programs: one JSON request in, one JSON answer out. This module does no I/O.

Every request is checked before it is used. If it is refused, the answer says what was wrong and
what to send instead, and the match stays as it was.

A match that is kept somewhere can be listed and resumed: the program that runs the referee gives it a
`MatchStore`. The form of requests and answers is declared in `messages`.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, Protocol

from msgspec import UNSET

from companion.core import games
from companion.core.ask import Ask
from companion.core.cards import Seat
from companion.core.codec import decode, json_schema, to_line
from companion.core.ruling import Refused
from companion.match.legal_commands import legal_commands
from companion.match.match import Match, Step, Terms, begin
from companion.protocol import messages
from companion.protocol.messages import LONGEST_NAME
from companion.protocol.snapshot import public_events, public_view, state
from companion.text.errors import CompanionError, InvalidRecord, fault_of_json, quoted
from companion.text.files import NotText, text_in
from companion.text.sentence import is_one_line
from companion.values import replace

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

_OF_JOURNAL: Final = (messages.Resume, messages.ListMatches)
_WITHOUT_MATCH: Final = (messages.New, messages.Hello, messages.GiveSchema, *_OF_JOURNAL)


class MatchStore(Protocol):
    """Where the matches of a referee are kept. A `CompanionError` from a member refuses the request."""

    def matches(self) -> Iterable[messages.StoredMatch]:
        """Each match, the newest first."""

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
        """The answer to one line of any content, as JSON objects and lists. Never raises."""
        answer: dict[str, Any] = json.loads(self.reply(line))
        return answer

    def reply(self, line: bytes) -> bytes:
        """The answer to one line of any content, as a line of JSON without its end. Never raises."""
        try:
            return to_line(self._answered(_parse(line)))
        except CompanionError as bad:
            return to_line(messages.Refusal(ok=False, fault=bad.fault, fix=bad.fix))

    def _answered(self, record: Mapping[str, Any]) -> messages.Answer:
        asked = messages.request_class(record)
        # Without a match or a journal, the form of a request about it does not matter.
        if asked not in _WITHOUT_MATCH:
            return self._about(self._playing(), messages.read_request(record, asked))
        if asked in _OF_JOURNAL:
            self._kept()
        match messages.read_request(record, asked):
            case messages.New() as new:
                return self._new(new)
            case messages.Resume(number, names):
                return self._resume(number, names)
            case messages.ListMatches(most):
                found = tuple(self._kept().matches())
                return messages.StoredMatches(ok=True, matches=found if most is True else found[:most])
            case messages.Hello():
                return self._hello()
            case messages.GiveSchema():
                return messages.GivenSchema(ok=True, schema=messages.schema())
        raise TypeError(asked)  # pragma: no cover - every request is one of these or is about a match

    def _about(self, match: Match, request: messages.Request) -> messages.Answer:
        """The answer to a request about the match in play."""
        match request:
            case messages.Do(command):
                return self._take(match, match.propose(decode(command, match.commands)))
            case messages.TakeOver(position):
                return self._take(match, match.propose(decode(_adoption(position), match.commands)))
            case messages.Undo():
                return self._take(match, match.undo())
            case messages.Redo():
                return self._take(match, match.redo())
            case messages.Show(what):
                return self._answer(match, public=what == messages.PUBLIC)
            case messages.Legal(_, seat):
                return messages.LegalCommands(ok=True, legal=tuple(legal_commands(match, _seat(match, seat))))
            case messages.NamePlayers(names):
                self._names = _read_names(names, match.terms.game)
                return self._answer(match)
        raise TypeError(request)  # pragma: no cover - every request is one of these or needs no match

    def _playing(self) -> Match:
        if self._match is None:
            raise InvalidRecord(
                "no match has been started",
                'send {"new": "six", "seats": 4} first, or resume a match: {"list": true} gives their numbers'
                if self._store
                else 'send {"new": "six", "seats": 4} first',
            )
        return self._match

    def _kept(self) -> MatchStore:
        if self._store is None:
            raise InvalidRecord(
                "there is no journal, so no match can be listed or resumed",
                "start the program with a journal: nimmt referee --journal FILE",
            )
        return self._store

    def _new(self, new: messages.New) -> messages.Answer:
        terms = Terms(new.new, new.seats, new.options, Seat(new.first))
        match = begin(terms)
        names = _read_names(new.names, terms.game)
        self._number = self._began(terms)
        self._match, self._names = match, names
        because = tuple([messages.GivenReason(why.rule.key, str(why.says)) for why in match.why_next])
        return replace(self._answer(match), because=because)

    def _resume(self, number: int, names: object) -> messages.Answer:
        given = _read_names(names)
        match = self._kept().resume(number)
        self._match, self._number, self._names = match, number, given
        return self._answer(match)

    def _hello(self) -> messages.Greeting:
        modules = {key: games.module(key) for key in games.GAMES}
        return messages.Greeting(
            ok=True,
            program="nimmt-companion",
            version=self._version,
            protocol=VERSION,
            language=LANGUAGE,
            journal=self._store is not None,
            requests=tuple(messages.REQUESTS),
            games=tuple(
                messages.OfferedGame(key, module.TITLE, (module.SEATS[0], module.SEATS[-1]))
                for key, module in modules.items()
            ),
        )

    def _take(self, match: Match, step: Step | Refused) -> messages.Accepted | messages.Refusal:
        if not isinstance(step, Step):
            return messages.Refusal(ok=False, fault=str(step.fault), fix=str(step.fix), rule=step.rule.key)
        after = match.then(step)
        self._stepped(step, match, after)
        self._match = after
        return self._answer(after, step)

    def _answer(self, match: Match, step: Step | None = None, *, public: bool = False) -> messages.Accepted:
        shown = state(match, self._names)
        events: Sequence[object] = ()
        if public and (step := match.newest):
            events = public_events(match.game, step)
        elif step is not None:
            events = step.events
        numbers = _cards_are_numbers(match.game.commands)
        return messages.Accepted(
            ok=True,
            events=tuple(events),
            because=tuple(
                [messages.GivenReason(rule, str(says)) for rule, says in (step.because if step else ())]
            ),
            asks=tuple([_ask(ask, numbers=numbers) for ask in match.asks if public or not ask.unanswerable]),
            state=public_view(shown) if public else shown,
            match=UNSET if self._number is None else self._number,
        )


def _ask(ask: Ask, *, numbers: bool) -> messages.OpenAsk:
    number = numbers and ask.card.isdecimal()
    return messages.OpenAsk(
        ask.kind.value, ask.seats, ask.wait, ask.choices, int(ask.card) if number else ask.card or None
    )


@cache
def _cards_are_numbers(commands: tuple[type[Any], ...]) -> bool:
    """Whether the commands of a game name a card by a number, not by a text."""
    return any(json_schema(cls)["properties"].get("card") == {"type": "integer"} for cls in commands)


def _seat(match: Match, seat: object) -> Seat | None:
    if seat is UNSET:
        return None
    if type(seat) is not int or seat not in match.players:
        players = ", ".join(map(str, match.players))
        raise InvalidRecord(
            f"'seat' is {quoted(seat)}", f"use the seat of a player, or leave it out: {players}"
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
        text = text_in(line).strip(" \t\n")  # what may stand around a value in JSON
    except NotText as bad:
        raise InvalidRecord(
            f"the line is not valid UTF-8 at character {bad.place}", "send JSON in UTF-8"
        ) from bad
    try:
        request, end = _REQUESTS.raw_decode(text)
        if end != len(text):
            raise json.JSONDecodeError("Extra data", text, end)
    except InvalidRecord:
        raise
    except (ValueError, RecursionError) as bad:
        fault = fault_of_json("the line", text, bad)
        raise InvalidRecord(fault, "send one JSON object on one line") from bad
    if not isinstance(request, dict):
        raise InvalidRecord("the line is not a JSON object", messages.will_do({}))
    return request


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise InvalidRecord("an object has the same key twice", "use every key only once")
    return record


def _no_constant(name: str) -> Any:  # noqa: ANN401 - json's hook may give anything; this one never returns
    raise InvalidRecord(f"{name} is not a JSON number", "use whole numbers")


_REQUESTS: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def _adoption(position: object) -> dict[str, Any]:
    if not isinstance(position, dict) or "kind" in position:
        raise InvalidRecord(
            "'position' is not a position",
            "send an object that describes the table; see the schema",
        )
    return {"kind": "adopt", **position}
