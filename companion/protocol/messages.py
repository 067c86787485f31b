"""Requests and answers of the referee for programs: their form, how a request is read, and the JSON Schema.

A request is named by its first field: `{"new": "six", "seats": 4}` is a `New`. A refusal tells the field, the
value that came and what to send instead, which a field declares as its `fix`. What depends on the match in
play is `Any` here, and is checked by `companion.protocol.referee`.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType, ValidationError, convert, field
from msgspec.structs import FieldInfo, fields

from companion.core import games
from companion.core.ask import Wait
from companion.core.codec import json_schema
from companion.core.game import Game, Hides
from companion.core.score_sheet import DealScored
from companion.match import commands as match_commands
from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import Text
from companion.values import Value

PUBLIC: Final = "public"
"""The value of `show` that asks for the newest step and the state as people may see them."""

LONGEST_NAME: Final = 40
"""The longest name of a player, in characters."""

_NAME: Final = {"anyOf": [{"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}, {"type": "null"}]}

Yes = Annotated[bool, Meta(extra_json_schema={"const": True})]
Count = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=1)]
Names = Annotated[Any, Meta(extra_json_schema={"type": "array", "items": _NAME})]
"""What players are called, by seat; None where nobody has said it."""


_REFUSED: Final = (ValidationError, UnicodeEncodeError)  # half a character is no word for msgspec


def _fix(fix: str) -> Meta:
    return Meta(extra={"fix": fix})


# ------------------------------------------------------------------------------------------ requests


class Request(Value, forbid_unknown_fields=True):
    """What a program asks for."""


class _Flag(Request):
    """A request that is `true`."""

    def __post_init__(self) -> None:
        if getattr(self, self.__struct_fields__[0]) is False:
            raise _not_so(self.__struct_fields__[0], value=False)


class New(Request):
    """Begin a match."""

    new: Annotated[str, _fix("name a game: {games}")]
    seats: Annotated[int, _fix('say how many play, as in "seats": 4')]
    options: Annotated[Mapping[str, Any], _fix("use an object such as {}, or leave it out")] = field(
        default_factory=dict
    )
    first: Annotated[int, _fix("use a seat, counted from 0")] = 0
    names: Names = field(default_factory=list)


class TakeOver(Request):
    """Take over a table as it lies there."""

    position: Any


class Do(Request):
    """Carry out a command."""

    do: Any


class Undo(_Flag):
    """Undo the latest step."""

    undo: Yes


class Redo(_Flag):
    """Redo the step undone last."""

    redo: Yes


class Show(_Flag):
    """Show the match; `PUBLIC`: as people may see it."""

    show: Annotated[bool | Literal["public"], Meta(extra_json_schema={"enum": [True, PUBLIC]})]


class Legal(_Flag):
    """List the legal commands, of one seat or of all."""

    legal: Yes
    seat: Annotated[Any, Meta(extra_json_schema={"type": "integer", "minimum": 0})] = UNSET


class NamePlayers(Request):
    """Say what players are called."""

    names: Names


class ListMatches(_Flag):
    """List the newest matches of the journal, or all."""

    list: Annotated[Yes | Number, _fix('send {"list": true}, or the number of matches to list, 1 or more')]


class Resume(Request):
    """Continue a match of the journal."""

    # Which numbers there are, the journal knows: it names them where this one is not among them.
    resume: Annotated[
        int,
        _fix('use the number of a match; {"list": true} gives them'),
        Meta(extra_json_schema={"minimum": 1}),
    ]
    names: Names = field(default_factory=list)


class Hello(_Flag):
    """Ask which program this is and what it can do."""

    hello: Yes


class GiveSchema(_Flag):
    """Ask for the JSON Schema."""

    schema: Yes


REQUESTS: Final[Mapping[str, type[Request]]] = {
    cls.__struct_fields__[0]: cls
    for cls in (
        New,
        TakeOver,
        Do,
        Undo,
        Redo,
        Show,
        Legal,
        NamePlayers,
        ListMatches,
        Resume,
        Hello,
        GiveSchema,
    )
}
"""Every request by the field that names it."""


def request_class(record: Mapping[str, Any]) -> type[Request]:
    """What a request asks for. Raises `InvalidRecord`, also for a field that does not belong to it."""
    named = [name for name in record if name in REQUESTS]
    if len(named) > 1:  # `names` is a request of its own, and a field of others
        named = [name for name in REQUESTS if name in named and not _is_field(name, named)]
    if not named:
        raise InvalidRecord("the request names no action", will_do(record))
    if len(named) > 1:
        raise InvalidRecord(
            f"the request names {', '.join(named[:-1])} and {named[-1]}", "send one request per line"
        )
    cls = REQUESTS[named[0]]
    for name in record:
        if name not in cls.__struct_fields__:
            raise InvalidRecord(
                f"the request has an unknown key {quoted(name)}",
                did_you_mean(name, sorted(cls.__struct_fields__)),
            )
    return cls


def read_request(record: Mapping[str, Any], cls: type[Request]) -> Request:
    """The request of a class that `request_class` gave. Raises `InvalidRecord`."""
    try:
        return convert(record, cls)
    except _REFUSED as bad:
        if isinstance(bad.__cause__, InvalidRecord):
            raise bad.__cause__ from None
        raise next(_faults(record, cls)) from bad


def _faults(record: Mapping[str, Any], cls: type[Request]) -> Iterator[InvalidRecord]:
    for form in fields(cls):
        fix = _fix_of(form)
        if form.name in record:
            try:
                convert(record[form.name], form.type)
            except _REFUSED:
                yield _not_so(form.name, record[form.name], fix)
        elif form.required:
            yield InvalidRecord(f"{form.name!r} is missing", fix)


def will_do(record: Mapping[str, Any]) -> Text | str:
    """What to send in place of a record that is no request."""
    for name in islice(record, len(REQUESTS)):
        near = did_you_mean(name, REQUESTS)
        if "name" in near.facts:
            return near
    return f"send one of: {', '.join(REQUESTS)}"


def _is_field(name: str, named: Iterable[str]) -> bool:
    return any(name in REQUESTS[other].__struct_fields__ for other in named if other != name)


def _not_so(name: str, value: object, fix: str = "") -> InvalidRecord:
    return InvalidRecord(f"{name!r} is {quoted(value)}", fix or f'send {{"{name}": true}}')


def _fix_of(form: FieldInfo) -> str:
    fixes = [meta.extra["fix"] for meta in getattr(form.type, "__metadata__", ()) if meta.extra]
    return "".join(fixes).replace("{games}", ", ".join(games.GAMES))


# ------------------------------------------------------------------------------------------- answers


class GivenReason(Value, forbid_unknown_fields=True):
    """A reason of a step."""

    rule: str
    says: str


class OpenAsk(Value, forbid_unknown_fields=True):
    """An open question."""

    verb: str
    seats: tuple[Count, ...]
    wait: Wait
    choices: tuple[str, ...]
    card: Annotated[Any, Meta(extra_json_schema={"type": ["integer", "string", "null"]})] = None
    """A number in games whose commands name a card by a number."""


class Accepted(Value, forbid_unknown_fields=True):
    """What has happened, what is asked now, and the state; `match` is its number in the journal."""

    ok: Yes
    events: tuple[Any, ...]
    because: tuple[GivenReason, ...]
    asks: tuple[OpenAsk, ...]
    state: Mapping[str, Any]
    match: Number | UnsetType = UNSET


class Refusal(Value, forbid_unknown_fields=True):
    """What is wrong and what to do; `rule` is there where a rule of the game forbids it."""

    ok: Annotated[bool, Meta(extra_json_schema={"const": False})]
    fault: Annotated[str, Meta(min_length=1)]
    fix: Annotated[str, Meta(min_length=1)]
    rule: Annotated[str, Meta(min_length=1)] | UnsetType = UNSET


class StoredMatch(Value, forbid_unknown_fields=True):
    """A match of the journal."""

    number: Number
    game: str
    seats: int
    badges: tuple[int, ...]
    begun: str
    last: Annotated[Any, Meta(extra_json_schema={"type": ["string", "null"]})]
    steps: Count


class OfferedGame(Value, forbid_unknown_fields=True):
    """A game that is installed, and the least and the most seats."""

    game: str
    title: str
    seats: Annotated[tuple[int, ...], Meta(min_length=2, max_length=2)]


class Greeting(Value, forbid_unknown_fields=True):
    """Which program this is and what it can do; `journal` says whether matches can be resumed."""

    ok: Yes
    program: str
    version: str
    protocol: Number
    language: str
    journal: bool
    requests: tuple[str, ...]
    games: tuple[OfferedGame, ...]


class LegalCommands(Value, forbid_unknown_fields=True):
    """The legal commands."""

    ok: Yes
    legal: tuple[Any, ...]


class StoredMatches(Value, forbid_unknown_fields=True):
    """Matches of the journal, the newest first."""

    ok: Yes
    matches: tuple[StoredMatch, ...]


class GivenSchema(Value, forbid_unknown_fields=True):
    """The JSON Schema."""

    ok: Yes
    schema: Any


Answer = Accepted | Refusal | Greeting | LegalCommands | StoredMatches | GivenSchema


# -------------------------------------------------------------------------------------------- schema


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of requests and answers, over all games that are installed."""
    modules = {key: games.module(key) for key in games.GAMES}
    made = {key: module.make(module.SEATS[0], {}) for key, module in modules.items()}
    commands = [_any_of(map(json_schema, game.commands)) for game in made.values()]
    positions = [
        json_schema(cls, tagged=False)
        for game in made.values()
        for cls in game.commands
        if cls.KIND == "adopt"
    ]
    events = [_event(game, cls) for game in made.values() for cls in game.events]
    events += map(json_schema, (DealScored, *match_commands.EVENTS))
    requests = [
        *(
            _with(
                New,
                new={"const": key},
                seats={"type": "integer", "minimum": module.SEATS[0], "maximum": module.SEATS[-1]},
                options=module.options_schema(),
                first={"type": "integer", "minimum": 0},
            )
            for key, module in modules.items()
        ),
        _with(TakeOver, position=_any_of(positions)),
        _with(Do, do=_any_of([*commands, _any_of(map(json_schema, match_commands.COMMANDS))])),
        *(json_schema(cls) for cls in REQUESTS.values() if cls not in (New, TakeOver, Do)),
    ]
    answers = [
        _with(Accepted, events={"type": "array", "items": _any_of(events)}, state=_state()),
        json_schema(Refusal),
        _with(LegalCommands, legal={"type": "array", "items": _any_of(commands)}),
        *map(json_schema, (StoredMatches, Greeting, GivenSchema)),
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "nimmt referee protocol",
        "$defs": {"request": _any_of(requests), "answer": _any_of(answers)},
        "anyOf": [{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/answer"}],
    }


def _any_of(schemas: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {"anyOf": list(schemas)}


def _with(cls: type[Value], **known: dict[str, Any]) -> dict[str, Any]:
    """The schema of a class, with that of fields whose form only the games know."""
    made = json_schema(cls)
    return {**made, "properties": {**made["properties"], **known}}


def _event(game: Game, cls: type[Any]) -> dict[str, Any]:
    """An event of a game. What people may not see of it is left out of a public answer."""
    schema = json_schema(cls)
    hidden = game.hidden_in_events.get(cls.KIND, {})
    public = [name for name in schema["required"] if hidden.get(name) is not Hides.ALL]
    return {**schema, "required": public}


def _state() -> dict[str, Any]:
    properties = {
        "game": {"enum": sorted(games.GAMES)},
        "deal": {"type": "integer", "minimum": 1},
        "totals": {"type": "array", "items": {"type": "integer"}},
        "points": {"type": "array", "items": {"type": "integer"}},
        "winners": {
            "anyOf": [{"type": "array", "items": {"type": "integer", "minimum": 0}}, {"type": "null"}]
        },
        "names": {"type": "array", "items": _NAME},
        "hidden": {"type": "object", "additionalProperties": {"enum": [hides.value for hides in Hides]}},
    }
    return {"type": "object", "properties": properties, "required": sorted(properties)}
