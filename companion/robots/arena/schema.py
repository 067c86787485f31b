"""The JSON Schema of what the arena says to a program and what a program answers."""

from __future__ import annotations

from typing import Any, Final

from companion.core.cards import HIGHEST
from companion.robots.arena.program import VERSION
from companion.robots.six.round import ROWS, TURNS

_MOST_SEATS: Final = 10
_LONGEST_ROW: Final = 5

_CARD: Final = {"type": "integer", "minimum": 1, "maximum": HIGHEST}
_COUNT: Final = {"type": "integer", "minimum": 0}
_NUMBER: Final = {"type": "integer", "minimum": 1}
_ROW_NUMBER: Final = {"type": "integer", "minimum": 0, "maximum": ROWS - 1}


def schema() -> dict[str, Any]:
    """The schema (2020-12); `told` is any line that a program reads, `answered` any that it writes."""
    asked: dict[str, Any] = {
        "id": _NUMBER,
        "seats": {"type": "integer", "minimum": 2, "maximum": _MOST_SEATS},
        "seat": {"type": "integer", "minimum": 0, "maximum": _MOST_SEATS - 1},
        "hand": {**_list(_CARD, 0, TURNS), "uniqueItems": True},
        "rows": _rows(),
        "turns": _list(_object({"rows": _rows(), "cards": _cards()}), 0, TURNS - 1),
        "heads": _list(_COUNT, 2, _MOST_SEATS),
        "totals": _list(_COUNT, 2, _MOST_SEATS),
        "target": {"anyOf": [_NUMBER, {"type": "null"}]},
    }
    hello = {
        "hello": {"const": "nimmt arena"},
        "version": {"const": VERSION},
        "game": {"const": "six"},
        "limit_ms": _NUMBER,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"programs in the arena of nimmt-companion, version {VERSION}",
        "$defs": {
            "told": {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("hello", "card", "row", "fault")]},
            "answered": {"anyOf": [{"$ref": "#/$defs/card_answer"}, {"$ref": "#/$defs/row_answer"}]},
            "hello": _object(hello),
            "card": _object({"ask": {"const": "card"}, **asked}),
            "row": _object({"ask": {"const": "row"}, **asked, "cards": _cards()}),
            "fault": _object({"fault": {"type": "string"}}),
            "card_answer": _answer("card", _CARD),
            "row_answer": _answer("row", _ROW_NUMBER),
        },
    }


def _rows() -> dict[str, Any]:
    return _list(_list(_CARD, 1, _LONGEST_ROW), ROWS, ROWS)


def _cards() -> dict[str, Any]:
    return _list(_CARD, 2, _MOST_SEATS)


def _list(of: dict[str, Any], least: int, most: int) -> dict[str, Any]:
    return {"type": "array", "items": of, "minItems": least, "maxItems": most}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _answer(key: str, legal: dict[str, Any]) -> dict[str, Any]:
    """An answer; `id` may be left out, then it is taken as one to the newest question."""
    return {"type": "object", "properties": {"id": _NUMBER, key: legal}, "required": [key]}
