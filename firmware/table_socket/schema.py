"""The JSON Schema of the protocol: the form of every object that is sent, and of every one that is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.core.ask import AskKind, Gives, Wait
from companion.core.codes import BADGES, EVENING_BADGES
from firmware.history.given_names import LONGEST
from firmware.service.health import Severity
from firmware.table_socket.acts import LONGEST_CODE, LONGEST_ID, WHY
from hardware.ports import Key, Light, Press, Signal

if TYPE_CHECKING:
    from enum import Enum

_STRING: Final = {"type": "string"}
_BOOLEAN: Final = {"type": "boolean"}
_WHOLE: Final = {"type": "integer"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_NUMBER: Final = {"type": "integer", "minimum": 1}
_TEXT: Final = {"$ref": "#/$defs/text"}
_OBJECT: Final = {"type": "object"}


def schema() -> dict[str, Any]:
    """The schema (2020-12); `sent` and `read` are what the table sends, and what it reads."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "the table's socket of nimmt-companion, protocol 1",
        "$defs": {
            "sent": {"anyOf": _sent()},
            "read": {"anyOf": _read()},
            "text": _text(),
            "card": _object({"card": _STRING, "label": _STRING, "heads": _or_null(_WHOLE)}),
            "reason": _reason(),
            "step": _step(),
            "table": _table(),
            "page": _object(
                {
                    "name": _STRING,
                    "goes_on": _BOOLEAN,
                    "joined": _or_null(_list(_NUMBER)),
                    "changes": _list(_object({"seat": _COUNT, "before": _WHOLE, "after": _WHOLE})),
                    "refusal": _STRING,
                }
            ),
            "picture": _object(
                {"width": _NUMBER, "height": _NUMBER, "light": _one_of(Light), "bits": _STRING}
            ),
            "issue": _object(
                {
                    "id": _STRING,
                    "part": _STRING,
                    "severity": _one_of(Severity),
                    "says": _TEXT,
                    "fix": _TEXT,
                    "link": _STRING,
                }
            ),
        },
        "anyOf": [{"$ref": "#/$defs/sent"}, {"$ref": "#/$defs/read"}],
    }


def _sent() -> list[dict[str, Any]]:
    table, step = _or_null(_ref("table")), _ref("step")
    language = {"language": _STRING, "digits": _STRING}
    health = {"health": _list(_ref("issue"))}
    refused = {"rule": _or_null(_STRING), "fault": _TEXT, "fix": _TEXT}
    result = {"result": _or_null(_result())}
    registered = {"registered": _or_null(_object({"tournament": _COUNT, "badges": _list(_COUNT)}))}
    snapshot = {
        **language,
        "table": table,
        "steps": _list(step),
        "page": _ref("page"),
        "notice": _STRING,
        "picture": _ref("picture"),
        **health,
        **result,
        **registered,
    }
    answer = {"id": _STRING, "accepted": _BOOLEAN, "steps": _list(_NUMBER)}
    hello = {"protocol": {"const": 1}, "program": _STRING, "version": _STRING}
    return [
        _kind("hello", {**hello, "may_act": _BOOLEAN, "client": _NUMBER}),
        _numbered("snapshot", snapshot),
        _numbered("step", {"match": _or_null(_NUMBER), "step": step}),
        _numbered("table", {"table": table}),
        _numbered("page", {"page": _ref("page")}),
        _numbered("notice", {"notice": _STRING}),
        _numbered("picture", {"picture": _ref("picture")}),
        _numbered("signal", {"signal": _one_of(Signal)}),
        _numbered("refused", refused),
        _numbered("health", health),
        _numbered("result", result),
        _numbered("registered", registered),
        _numbered("language", language),
        _numbered("alive", {}),
        _kind("answer", answer, {"why": {"enum": list(WHY)}, **refused}),
        _kind("settings", {"id": _STRING, "accepted": _BOOLEAN}, _settings()),
        _kind("error", {"fault": _STRING, "fix": _STRING}),
    ]


def _result() -> dict[str, Any]:
    """How the match of a round of a tournament has ended."""
    return _object(
        {
            "match": _STRING,
            "steps": _COUNT,
            "round": _COUNT,
            "totals": _list(_NUMBER),
            "badges": _list(_COUNT),
            "confirmed": _list(_COUNT),
        }
    )


def _seats() -> dict[str, Any]:
    """Who is to play at this table in a round of a tournament."""
    badge = {"type": "integer", "minimum": EVENING_BADGES[0], "maximum": EVENING_BADGES[-1]}
    return _object(
        {
            "title": _STRING,
            "round": _COUNT,
            "table": _COUNT,
            "game": _STRING,
            "options": _OBJECT,
            "players": _list(_object({"badge": badge, "name": _STRING})),
        },
        {
            "elsewhere": {"type": "object", "additionalProperties": _COUNT},
            "tournament": _COUNT,
            "hands": _or_null(_object({"salt": _STRING, "digests": _list(_list(_STRING))})),
        },
    )


def _read() -> list[dict[str, Any]]:
    code = {"type": "string", "pattern": "^[ -~]+$", "minLength": 1, "maxLength": LONGEST_CODE}
    badge = {"type": "integer", "minimum": BADGES[0], "maximum": BADGES[-1]}
    changes = {"type": "object", "additionalProperties": _OBJECT}
    optional = {
        "id": {"type": "string", "maxLength": LONGEST_ID},
        "expect": _object({}, {"step": _or_null(_COUNT), "page": _or_null(_STRING)}),
    }

    def act(name: str, said: dict[str, Any], more: dict[str, Any] | None = None) -> dict[str, Any]:
        return _kind("act", {"act": {"const": name}, **said}, {**optional, **(more or {})})

    return [
        _kind("snapshot", {}),
        _kind("settings", {}, {"id": optional["id"], "set": changes, "of": _STRING, "restart": _BOOLEAN}),
        act("scan", {"code": code}),
        act("type", {"text": code}),
        act("key", {"key": _one_of(Key)}, {"press": _one_of(Press)}),
        act("name", {"badge": badge, "name": {"type": "string", "maxLength": LONGEST}}),
        act("answer", {"choice": code}),
        act("pair", {"code": code}),
        act("seats", {"seats": _or_null(_seats())}),
        act(
            "phones",
            {"phones": _list(_object({"id": _STRING, "name": _STRING}))},
            {"fingerprint": _STRING, "address": _STRING},
        ),
    ]


def _settings() -> dict[str, Any]:
    """The file as it is, or why it was not changed."""
    problem = _object({"path": _STRING, "came": _STRING, "fault": _TEXT, "fix": _TEXT}, {"position": _TEXT})
    return {
        "file": _STRING,
        "text": _STRING,
        "of": _STRING,
        "in_use": _BOOLEAN,
        "can_restart": _BOOLEAN,
        "why": {"enum": list(WHY)},
        "fault": _TEXT,
        "fix": _TEXT,
        "problems": _list(problem),
    }


def _text() -> dict[str, Any]:
    return _object(
        {"text": _STRING, "says": _STRING}, {"plural": _STRING, "context": _STRING, "facts": _OBJECT}
    )


def _rule() -> dict[str, Any]:
    return {"rule": _STRING, "title": _TEXT, "sentence": _TEXT, "source": _STRING}


def _reason() -> dict[str, Any]:
    cells = _list(_list({"anyOf": [_STRING, _TEXT]}))
    return _object({**_rule(), "says": _TEXT, "cells": cells, "lit": _COUNT})


def _step() -> dict[str, Any]:
    because = _object({"rule": _STRING}, {**_rule(), "says": _TEXT})
    return {
        "anyOf": [
            _object({"step": _NUMBER, "voids": _NUMBER}),
            _object(
                {"step": _NUMBER, "events": _list(_OBJECT), "because": _list(because)}, {"redoes": _NUMBER}
            ),
        ]
    }


def _stack() -> dict[str, Any]:
    stack = {
        "name": _STRING,
        "choice": _STRING,
        "cards": _list(_ref("card")),
        "room": _COUNT,
        "heads": _or_null(_WHOLE),
        "fits": _TEXT,
        "covered": _BOOLEAN,
    }
    return _object(stack)


def _line() -> dict[str, Any]:
    line = {
        "card": _STRING,
        "label": _STRING,
        "heads": _or_null(_WHOLE),
        "outcome": _TEXT,
        "taker": _or_null(_COUNT),
        "takes": _list(_ref("card")),
        "costs": _or_null(_WHOLE),
        "place": _STRING,
        "covered": _BOOLEAN,
        "because": _ref("reason"),
    }
    return _object(line)


def _ask() -> dict[str, Any]:
    ask = {
        "verb": _one_of(AskKind),
        "says": _TEXT,
        "gives": _one_of(Gives),
        "seats": _list(_COUNT),
        "wait": _one_of(Wait),
        "choices": _list(_STRING),
        "labels": _list(_TEXT),
        "card": _or_null(_STRING),
        "have": _list(_STRING),
        "need": _COUNT,
    }
    return _object(ask)


def _table() -> dict[str, Any]:
    seats, points = _list(_COUNT), _list(_WHOLE)
    sign = _object({"symbol": _STRING, "word": _TEXT})
    return _object(
        {
            "match": _or_null(_NUMBER),
            "game": _STRING,
            "title": _STRING,
            "over": _BOOLEAN,
            "deal": _NUMBER,
            "steps": _COUNT,
            "players": _list(_object({"seat": _COUNT, "badge": _NUMBER, "name": _STRING, "plays": _BOOLEAN})),
            "turn": _COUNT,
            "turns": _COUNT,
            "stacks": _list(_stack()),
            "top": _or_null(sign),
            "beats": _list(sign),
            "hint": _TEXT,
            "facts": _list(_TEXT),
            "hands": _list(_COUNT),
            "tallies": _list(_object({"label": _TEXT, "numbers": points})),
            "revealed": _BOOLEAN,
            "lines": _list(_line()),
            "asks": _list(_ask()),
            "totals": points,
            "points": points,
            "places": _list(_object({"rank": _NUMBER, "seats": seats, "total": _WHOLE})),
            "deals": _list(points),
            "winners": _or_null(seats),
            "outcome": _list(_ref("reason")),
            "state": _OBJECT,
        }
    )


def _numbered(kind: str, said: dict[str, Any]) -> dict[str, Any]:
    return _kind(kind, {"number": _COUNT, **said})


def _kind(kind: str, said: dict[str, Any], more: dict[str, Any] | None = None) -> dict[str, Any]:
    return _object({"kind": {"const": kind}, **said}, more)


def _object(said: dict[str, Any], more: dict[str, Any] | None = None) -> dict[str, Any]:
    """An object with these keys, and with `more` where there is something to say."""
    properties = {**said, **(more or {})}
    return {
        "type": "object",
        "properties": properties,
        "required": list(said),
        "additionalProperties": False,
    }


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _or_null(one: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [one, {"type": "null"}]}


def _one_of(words: type[Enum]) -> dict[str, Any]:
    return {"enum": [one.value for one in words]}
