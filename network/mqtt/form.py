"""Structs as JSON messages, as JSON Schema, and back.

Every message has `version`, and reading is strict: it comes from a network. A value of another type, a
missing field, a text or a list of no reasonable length, a newer version and what no database can store (a
NUL, half a character) are `Malformed`. Fields that are not known are left out: a later version may have more
of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION: Final = 1
"""Of all messages. A reader of this version cannot read a higher one."""

LONGEST_BYTES: Final = 65_536
"""Of a message; the longest that a table sends is a tenth of it."""

LONGEST_TEXT: Final = 4_000
LONGEST_LIST: Final = 1_000
LARGEST: Final = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""

_SUSPECT: Final = re.compile(rb"\\u(0000|[dD][89abAB])")
"""A NUL, or what may be half a character."""

_TO_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_SIMPLE: Final = frozenset((str, int, float, bool, NoneType))

Message = TypeVar("Message")


class Malformed(ValueError):
    """A message does not have the documented form. It says what is wrong, in English: no player reads it."""


def encode(value: Any) -> bytes:  # noqa: ANN401 - any message
    """A message as JSON."""
    return _TO_JSON.encode({"version": VERSION, **_plain(value)}).encode()


def decode(kind: type[Message], data: bytes) -> Message:
    """The message in some bytes. Raises `Malformed`, and nothing else, whatever the bytes are."""
    if len(data) > LONGEST_BYTES:
        raise Malformed(f"it has {len(data)} bytes, more than {LONGEST_BYTES}")
    try:
        record = json.loads(data.decode(), parse_constant=_no_number)
        if _SUSPECT.search(data):
            _check_texts(record)
    except (ValueError, RecursionError) as bad:
        raise Malformed("it is not JSON") from bad
    if not isinstance(record, dict):
        raise Malformed("it is not an object")
    version = record.get("version")
    if type(version) is not int or version < 1:
        raise Malformed("it has no version")
    if version > VERSION:
        raise Malformed(f"it has version {version}, but this program reads up to {VERSION}")
    of_class: Any = kind  # mypy does not take a class for hashable
    found: Message = _reader(of_class)(record, kind.__name__)
    return found


def schema(kind: type[Any]) -> dict[str, Any]:
    """The JSON Schema of a message."""
    found = _schema(kind)
    found["properties"] = {"version": {"const": VERSION}, **found["properties"]}
    found["required"] = ["version", *found["required"]]
    return found


def _no_number(word: str) -> Any:  # noqa: ANN401 - as json wants it
    raise ValueError(f"{word} is no JSON")


def _check_texts(value: Any) -> None:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("a text has a NUL")
        value.encode()
    elif isinstance(value, dict):
        for name, part in value.items():
            _check_texts(name)
            _check_texts(part)
    elif isinstance(value, list):
        for part in value:
            _check_texts(part)


def _plain(value: Any) -> Any:  # noqa: ANN401 - any field
    kind: Any = type(value)
    if kind in _SIMPLE:
        return value
    if (names := _names(kind)) is not None:
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return value


@cache
def _names(kind: Any) -> tuple[str, ...] | None:  # noqa: ANN401 - a class
    """The fields of a class; None for one of another kind."""
    return tuple(one.name for one in fields(kind)) if issubclass(kind, Struct) else None


@cache
def _hints(kind: Any) -> dict[str, Any]:  # noqa: ANN401 - a class
    return get_type_hints(kind)


@cache
def _reader(hint: Any) -> Callable[[Any, str], Any]:  # noqa: ANN401 - a type annotation
    """How a value of this type is read; the second argument is its place, for the error."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _object_reader(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        some = _reader(next(arg for arg in inner if arg is not NoneType))
        return lambda value, where: None if value is None else some(value, where)
    if origin is tuple:
        return _list_reader(_reader(inner[0]))
    if origin is Mapping:
        return _table_reader(None if inner[1] is Any else _reader(inner[1]))
    return _plain_reader(hint)


def _object_reader(kind: Any) -> Callable[[Any, str], Any]:  # noqa: ANN401 - a class
    readers = [(one.name, _reader(_hints(kind)[one.name]), one.required) for one in fields(kind)]

    def read(value: Any, where: str) -> Any:  # noqa: ANN401 - it comes from outside
        if not isinstance(value, dict):
            raise Malformed(f"{where} is not an object")
        found = {}
        for name, part, needed in readers:
            if name in value:
                found[name] = part(value[name], f"{where}.{name}")
            elif needed:
                raise Malformed(f"{where} lacks {name}")
        return kind(**found)

    return read


def _list_reader(part: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    def read(value: Any, where: str) -> Any:  # noqa: ANN401 - it comes from outside
        if not isinstance(value, list) or len(value) > LONGEST_LIST:
            raise Malformed(f"{where} is not a list of up to {LONGEST_LIST}")
        return tuple(part(one, where) for one in value)

    return read


def _table_reader(part: Callable[[Any, str], Any] | None) -> Callable[[Any, str], Any]:
    def read(value: Any, where: str) -> Any:  # noqa: ANN401 - it comes from outside
        if not isinstance(value, dict) or len(value) > LONGEST_LIST:
            raise Malformed(f"{where} is not an object with up to {LONGEST_LIST} names")
        return value if part is None else {name: part(one, where) for name, one in value.items()}

    return read


def _plain_reader(kind: type[Any]) -> Callable[[Any, str], Any]:
    def read(value: Any, where: str) -> Any:  # noqa: ANN401 - it comes from outside
        if type(value) is not kind:
            raise Malformed(f"{where} is not of the type {kind.__name__}")
        if kind is int and abs(value) > LARGEST:
            raise Malformed(f"{where} is too large a number")
        if kind is str and len(value) > LONGEST_TEXT:
            raise Malformed(f"{where} has more than {LONGEST_TEXT} characters")
        return value

    return read


def _schema(hint: Any) -> dict[str, Any]:  # noqa: ANN401 - a type annotation
    if isinstance(hint, type) and issubclass(hint, Struct):
        hints = _hints(hint)
        return {
            "type": "object",
            "properties": {one.name: _schema(hints[one.name]) for one in fields(hint)},
            "required": [one.name for one in fields(hint) if one.required],
        }
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(next(arg for arg in inner if arg is not NoneType)), {"type": "null"}]}
    if origin is tuple:
        return {"type": "array", "items": _schema(inner[0]), "maxItems": LONGEST_LIST}
    if origin is Mapping:
        more = {} if inner[1] is Any else {"additionalProperties": _schema(inner[1])}
        return {"type": "object", "maxProperties": LONGEST_LIST, **more}
    limits: dict[type[Any], dict[str, Any]] = {
        int: {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST},
        str: {"type": "string", "maxLength": LONGEST_TEXT},
        bool: {"type": "boolean"},
    }
    return limits[hint]
