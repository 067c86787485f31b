"""The JSON Schema of the protocol: the form of every request and every answer. `protocol` answers them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core import games
from companion.core.codec import json_schema
from companion.core.game import AnyGame, Hides
from companion.core.score_sheet import DealScored
from companion.match import commands as match_commands

PUBLIC: Final = "public"
"""The value of `show` that asks for the newest step and the state as people may see them."""

LONGEST_NAME: Final = 40
"""The longest name of a player, in characters."""


_NUMBER: Final = {"type": "integer", "minimum": 1}
_NAME: Final = {"anyOf": [{"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}, {"type": "null"}]}
_NAMES: Final = {"type": "array", "items": _NAME}


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of requests and answers, over all games that are installed."""
    modules = {key: games.module(key) for key in games.GAMES}
    made = {key: module.make(module.SEATS[0], {}) for key, module in modules.items()}
    commands = {key: {"anyOf": [json_schema(cls) for cls in game.commands]} for key, game in made.items()}
    about_score = {"anyOf": [json_schema(cls) for cls in match_commands.COMMANDS]}
    kept = (DealScored, *match_commands.EVENTS)
    events = [_event(game, cls) for game in made.values() for cls in game.events]
    events += [json_schema(cls) for cls in kept]
    new = [
        _object(
            {
                "new": {"const": key},
                "seats": {"type": "integer", "minimum": module.SEATS[0], "maximum": module.SEATS[-1]},
                "options": module.options_schema(),
                "first": {"type": "integer", "minimum": 0},
                "names": _NAMES,
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
        *(_object({flag: {"const": True}}) for flag in ("undo", "redo", "hello", "schema")),
        _object({"show": {"enum": [True, PUBLIC]}}),
        _object({"legal": {"const": True}, "seat": {"type": "integer", "minimum": 0}}, ["legal"]),
        _object({"names": _NAMES}),
        _object({"list": {"anyOf": [{"const": True}, _NUMBER]}}),
        _object({"resume": _NUMBER, "names": _NAMES}, ["resume"]),
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "nimmt referee protocol",
        "$defs": {
            "request": {"anyOf": requests},
            "answer": {
                "anyOf": [
                    _accepted(events),
                    _refused(),
                    _object(
                        {
                            "ok": {"const": True},
                            "legal": {"type": "array", "items": {"anyOf": [*commands.values()]}},
                        }
                    ),
                    _object({"ok": {"const": True}, "matches": {"type": "array", "items": _stored()}}),
                    _greeting(),
                    _object({"ok": {"const": True}, "schema": {}}),
                ]
            },
        },
        "anyOf": [{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/answer"}],
    }


def _event(game: AnyGame, cls: type[Any]) -> dict[str, Any]:
    """An event of a game. What people may not see of it is left out of a public answer."""
    schema = json_schema(cls)
    hidden = getattr(game, "hidden_in_events", {}).get(cls.KIND, {})
    public = [name for name in schema["required"] if hidden.get(name) is not Hides.ALL]
    return {**schema, "required": public}


def _accepted(events: list[dict[str, Any]]) -> dict[str, Any]:
    seats = {"type": "array", "items": {"type": "integer", "minimum": 0}}
    reason = _object({"rule": {"type": "string"}, "says": {"type": "string"}}, ["rule"])
    ask = _object(
        {
            "verb": {"type": "string"},
            "seats": seats,
            "wait": {"enum": ["one", "all", "any"]},
            "choices": {"type": "array", "items": {"type": "string"}},
            "card": {"type": ["integer", "string", "null"]},
        },
        ["verb", "seats", "wait", "choices"],
    )
    always = {
        "game": {"enum": sorted(games.GAMES)},
        "deal": {"type": "integer", "minimum": 1},
        "totals": {"type": "array", "items": {"type": "integer"}},
        "points": {"type": "array", "items": {"type": "integer"}},
        "winners": {"anyOf": [seats, {"type": "null"}]},
    }
    # Earlier versions of the program did not send these, so their answers keep to the schema without them.
    since = {
        "names": {"type": "array", "items": _NAME},
        "hidden": {"type": "object", "additionalProperties": {"enum": [one.value for one in Hides]}},
    }
    return _object(
        {
            "ok": {"const": True},
            "events": {"type": "array", "items": {"anyOf": events}},
            "because": {"type": "array", "items": reason},
            "asks": {"type": "array", "items": ask},
            "state": {"type": "object", "properties": {**always, **since}, "required": sorted(always)},
            "match": _NUMBER,
        },
        ["ok", "events", "because", "asks", "state"],
    )


def _stored() -> dict[str, Any]:
    """A match in the answer to `list`."""
    text = {"type": "string"}
    return _object(
        {
            "number": _NUMBER,
            "game": text,
            "seats": {"type": "integer"},
            "badges": {"type": "array", "items": {"type": "integer"}},
            "begun": text,
            "last": {"type": ["string", "null"]},
            "steps": {"type": "integer", "minimum": 0},
        }
    )


def _greeting() -> dict[str, Any]:
    """The answer to `hello`."""
    text = {"type": "string"}
    seats = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
    return _object(
        {
            "ok": {"const": True},
            "program": text,
            "version": text,
            "protocol": _NUMBER,
            "language": text,
            "journal": {"type": "boolean"},
            "requests": {"type": "array", "items": text},
            "games": {"type": "array", "items": _object({"game": text, "title": text, "seats": seats})},
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
