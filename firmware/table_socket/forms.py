"""The pieces of a JSON Schema, for what is said through the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from firmware.table_socket.acts import LONGEST_CODE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import Enum

Form = dict[str, Any]

STRING: Final[Form] = {"type": "string"}
BOOLEAN: Final[Form] = {"type": "boolean"}
WHOLE: Final[Form] = {"type": "integer"}
COUNT: Final[Form] = {"type": "integer", "minimum": 0}
NUMBER: Final[Form] = {"type": "integer", "minimum": 1}
OBJECT: Final[Form] = {"type": "object"}
CODE: Final[Form] = {"type": "string", "pattern": "^[ -~]+$", "minLength": 1, "maxLength": LONGEST_CODE}


def object_of(said: Mapping[str, Any], more: Mapping[str, Any] | None = None) -> Form:
    """An object with these keys, and with `more` where there is something to say."""
    return {
        "type": "object",
        "properties": {**said, **(more or {})},
        "required": list(said),
        "additionalProperties": False,
    }


def list_of(item: Form) -> Form:
    """Any number of the same."""
    return {"type": "array", "items": item}


def or_null(one: Form) -> Form:
    """One form, or null."""
    return {"anyOf": [one, {"type": "null"}]}


def one_of(words: type[Enum]) -> Form:
    """The value of one of these."""
    return {"enum": [one.value for one in words]}
