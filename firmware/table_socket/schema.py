"""The JSON Schema of the protocol: the form of every object that is sent, and of every one that is read."""

from __future__ import annotations

from typing import Any, Final

from companion.core.ask import AskKind, Gives, Wait
from companion.core.codes import BADGES
from firmware.history.given_names import LONGEST
from firmware.play.extension import installed
from firmware.service.health import Severity
from firmware.table_socket.acts import LONGEST_ID, WHY
from firmware.table_socket.forms import (
    BOOLEAN,
    CODE,
    COUNT,
    NUMBER,
    OBJECT,
    STRING,
    WHOLE,
    list_of,
    object_of,
    one_of,
    or_null,
)
from hardware.ports import Key, Light, Press, Signal

_TEXT: Final = {"$ref": "#/$defs/text"}


def schema() -> dict[str, Any]:
    """The schema (2020-12); `sent` and `read` are what the table sends and reads, with what parts add."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "the table's socket of nimmt-companion, protocol 1",
        "$defs": {
            "sent": {"anyOf": _sent()},
            "read": {"anyOf": _read()},
            "text": _text(),
            "card": object_of({"card": STRING, "label": STRING, "heads": or_null(WHOLE)}),
            "reason": _reason(),
            "step": _step(),
            "table": _table(),
            "page": object_of(
                {
                    "name": STRING,
                    "goes_on": BOOLEAN,
                    "joined": or_null(list_of(NUMBER)),
                    "changes": list_of(object_of({"seat": COUNT, "before": WHOLE, "after": WHOLE})),
                    "refusal": STRING,
                }
            ),
            "picture": object_of({"width": NUMBER, "height": NUMBER, "light": one_of(Light), "bits": STRING}),
            "issue": object_of(
                {
                    "id": STRING,
                    "part": STRING,
                    "severity": one_of(Severity),
                    "says": _TEXT,
                    "fix": _TEXT,
                    "link": STRING,
                }
            ),
        },
        "anyOf": [{"$ref": "#/$defs/sent"}, {"$ref": "#/$defs/read"}],
    }


def _sent() -> list[dict[str, Any]]:
    table, step = or_null(_ref("table")), _ref("step")
    language = {"language": STRING, "digits": STRING}
    health = {"health": list_of(_ref("issue"))}
    refused = {"rule": or_null(STRING), "fault": _TEXT, "fix": _TEXT}
    state = {name: form for part in installed() for name, form in part.STATE.items()}
    snapshot = {
        **language,
        "table": table,
        "steps": list_of(step),
        "page": _ref("page"),
        "notice": STRING,
        "picture": _ref("picture"),
        **health,
        **state,
    }
    answer = {"id": STRING, "accepted": BOOLEAN, "steps": list_of(NUMBER)}
    hello = {"protocol": {"const": 1}, "program": STRING, "version": STRING}
    return [
        _kind("hello", {**hello, "may_act": BOOLEAN, "client": NUMBER}),
        _numbered("snapshot", snapshot),
        _numbered("step", {"match": or_null(NUMBER), "step": step}),
        _numbered("table", {"table": table}),
        _numbered("page", {"page": _ref("page")}),
        _numbered("notice", {"notice": STRING}),
        _numbered("picture", {"picture": _ref("picture")}),
        _numbered("signal", {"signal": one_of(Signal)}),
        _numbered("refused", refused),
        _numbered("health", health),
        *(_numbered(name, {name: form}) for name, form in state.items()),
        _numbered("language", language),
        _numbered("alive", {}),
        _kind("answer", answer, {"why": {"enum": list(WHY)}, **refused}),
        _kind("settings", {"id": STRING, "accepted": BOOLEAN}, _settings()),
        _kind("error", {"fault": STRING, "fix": STRING}),
    ]


def _read() -> list[dict[str, Any]]:
    badge = {"type": "integer", "minimum": BADGES[0], "maximum": BADGES[-1]}
    changes = {"type": "object", "additionalProperties": OBJECT}
    optional = {
        "id": {"type": "string", "maxLength": LONGEST_ID},
        "expect": object_of({}, {"step": or_null(COUNT), "page": or_null(STRING)}),
    }

    def act(name: str, said: dict[str, Any], more: dict[str, Any] | None = None) -> dict[str, Any]:
        return _kind("act", {"act": {"const": name}, **said}, {**optional, **(more or {})})

    return [
        _kind("snapshot", {}),
        _kind("settings", {}, {"id": optional["id"], "set": changes, "of": STRING, "restart": BOOLEAN}),
        act("scan", {"code": CODE}),
        act("type", {"text": CODE}),
        act("key", {"key": one_of(Key)}, {"press": one_of(Press)}),
        act("name", {"badge": badge, "name": {"type": "string", "maxLength": LONGEST}}),
        act("answer", {"choice": CODE}),
        *(
            act(name, dict(one.fields), dict(one.optional))
            for part in installed()
            for name, one in part.ACTS.items()
        ),
    ]


def _settings() -> dict[str, Any]:
    """The file as it is, or why it was not changed."""
    problem = object_of({"path": STRING, "came": STRING, "fault": _TEXT, "fix": _TEXT}, {"position": _TEXT})
    return {
        "file": STRING,
        "text": STRING,
        "of": STRING,
        "in_use": BOOLEAN,
        "can_restart": BOOLEAN,
        "why": {"enum": list(WHY)},
        "fault": _TEXT,
        "fix": _TEXT,
        "problems": list_of(problem),
    }


def _text() -> dict[str, Any]:
    return object_of({"text": STRING, "says": STRING}, {"plural": STRING, "context": STRING, "facts": OBJECT})


def _rule() -> dict[str, Any]:
    return {"rule": STRING, "title": _TEXT, "sentence": _TEXT, "source": STRING}


def _reason() -> dict[str, Any]:
    cells = list_of(list_of({"anyOf": [STRING, _TEXT]}))
    return object_of({**_rule(), "says": _TEXT, "cells": cells, "lit": COUNT})


def _step() -> dict[str, Any]:
    because = object_of({"rule": STRING}, {**_rule(), "says": _TEXT})
    return {
        "anyOf": [
            object_of({"step": NUMBER, "voids": NUMBER}),
            object_of(
                {"step": NUMBER, "events": list_of(OBJECT), "because": list_of(because)}, {"redoes": NUMBER}
            ),
        ]
    }


def _stack() -> dict[str, Any]:
    stack = {
        "name": STRING,
        "choice": STRING,
        "cards": list_of(_ref("card")),
        "room": COUNT,
        "heads": or_null(WHOLE),
        "fits": _TEXT,
        "covered": BOOLEAN,
    }
    return object_of(stack)


def _line() -> dict[str, Any]:
    line = {
        "card": STRING,
        "label": STRING,
        "heads": or_null(WHOLE),
        "outcome": _TEXT,
        "taker": or_null(COUNT),
        "takes": list_of(_ref("card")),
        "costs": or_null(WHOLE),
        "place": STRING,
        "covered": BOOLEAN,
        "because": _ref("reason"),
    }
    return object_of(line)


def _ask() -> dict[str, Any]:
    ask = {
        "verb": one_of(AskKind),
        "says": _TEXT,
        "gives": one_of(Gives),
        "seats": list_of(COUNT),
        "wait": one_of(Wait),
        "choices": list_of(STRING),
        "labels": list_of(_TEXT),
        "card": or_null(STRING),
        "have": list_of(STRING),
        "need": COUNT,
    }
    return object_of(ask)


def _table() -> dict[str, Any]:
    seats, points = list_of(COUNT), list_of(WHOLE)
    sign = object_of({"symbol": STRING, "word": _TEXT})
    return object_of(
        {
            "match": or_null(NUMBER),
            "game": STRING,
            "title": STRING,
            "over": BOOLEAN,
            "deal": NUMBER,
            "steps": COUNT,
            "players": list_of(object_of({"seat": COUNT, "badge": NUMBER, "name": STRING, "plays": BOOLEAN})),
            "turn": COUNT,
            "turns": COUNT,
            "stacks": list_of(_stack()),
            "top": or_null(sign),
            "beats": list_of(sign),
            "hint": _TEXT,
            "facts": list_of(_TEXT),
            "hands": list_of(COUNT),
            "tallies": list_of(object_of({"label": _TEXT, "numbers": points})),
            "revealed": BOOLEAN,
            "lines": list_of(_line()),
            "asks": list_of(_ask()),
            "totals": points,
            "points": points,
            "places": list_of(object_of({"rank": NUMBER, "seats": seats, "total": WHOLE})),
            "deals": list_of(points),
            "winners": or_null(seats),
            "outcome": list_of(_ref("reason")),
            "state": OBJECT,
        }
    )


def _numbered(kind: str, said: dict[str, Any]) -> dict[str, Any]:
    return _kind(kind, {"number": COUNT, **said})


def _kind(kind: str, said: dict[str, Any], more: dict[str, Any] | None = None) -> dict[str, Any]:
    return object_of({"kind": {"const": kind}, **said}, more)


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}
