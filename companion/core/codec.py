"""Commands and events as flat records (JSON objects) and back; the games define what they mean.

A record has a "kind" and the fields of its dataclass by name: numbers, strings, booleans,
None, tuples of these (lists in the record) and mappings from strings (objects in the record).
A field whose name is a Python keyword ends with "_" in the class but not in the record.
Decoding is strict: an unknown kind, an unknown or missing field or a value of the wrong type
is a `InvalidRecord`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import CardNumber, say


def encode(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any command or event
    """A command or event as a record; tuples become lists, mappings objects; fields that are None stay."""
    record: dict[str, Any] = {"kind": value.KIND}
    for key, field in _fields(type(value)).items():
        part = getattr(value, field.name)
        record[key] = part if type(part) in _PLAIN else _plain(part)
    return record


def encode_short(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any command or event
    """The same without the fields that have their defaults, which may be left out of a record."""
    record = encode(value)
    for key, field in _fields(type(value)).items():
        if field.default is not MISSING and getattr(value, field.name) == field.default:
            del record[key]
    return record


def decode(record: object, classes: Iterable[type[Any]]) -> Any:  # noqa: ANN401 - one of `classes`
    """The command or event that a record stands for. Raises `InvalidRecord`."""
    by_kind = _by_kind(tuple(classes))
    if not isinstance(record, dict):
        raise InvalidRecord(
            say("{record} is not an object", record=quoted(record)), say('use an object with a "kind"')
        )
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in by_kind:
        fault = (
            say("the record has no kind")
            if kind is None
            else say("the record has an unknown kind {kind}", kind=quoted(kind))
        )
        raise InvalidRecord(fault, did_you_mean(str(kind), sorted(by_kind)))
    cls = by_kind[kind]
    known = _fields(cls)
    for name in record:
        if name not in known and name != "kind":
            raise InvalidRecord(
                say("{kind} has an unknown field {name}", kind=repr(kind), name=quoted(name)),
                did_you_mean(str(name), sorted(known)) if known else say("leave it out"),
            )
    values: dict[str, Any] = {}
    for key, field in known.items():
        if key in record:
            values[field.name] = field.read(record[key], field.path)
        elif field.default is MISSING:
            raise InvalidRecord(
                say("{kind} lacks the field {key}", kind=repr(kind), key=repr(key)),
                say("add {key} to the record", key=repr(key)),
            )
    return cls(**values)


def json_schema(cls: type[Any]) -> dict[str, Any]:
    """The JSON Schema of the records of one class."""
    hints = get_type_hints(cls)
    properties: dict[str, Any] = {"kind": {"const": cls.KIND}}
    required = ["kind"]
    for key, field in _fields(cls).items():
        properties[key] = _schema(hints[field.name])
        if field.default is MISSING:
            required.append(key)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a class: its name, its default, its place in errors, and how a value is read and checked."""

    name: str
    default: Any
    path: str
    read: Callable[[Any, str], Any]


_FIELDS: Final[dict[type[Any], Mapping[str, _Field]]] = {}
"""Worked out once per class: resolving annotations costs more than reading a record."""


def _fields(cls: type[Any]) -> Mapping[str, _Field]:
    """The fields of a class by their keys in a record."""
    if cls not in _FIELDS:
        hints = get_type_hints(cls)
        keys = {one.name.removesuffix("_"): one for one in fields(cls)}
        _FIELDS[cls] = {
            key: _Field(one.name, one.default, f"{cls.KIND}.{key}", _reader(hints[one.name]))
            for key, one in keys.items()
        }
    return _FIELDS[cls]


@cache
def _by_kind(classes: tuple[type[Any], ...]) -> Mapping[str, type[Any]]:
    return {cls.KIND: cls for cls in classes}


_PLAIN: Final = frozenset({int, str, bool, NoneType})
"""The types of values that are the same in a record."""


def _plain(value: Any) -> Any:  # noqa: ANN401 - any field
    # Most values are numbers; whether something is a mapping is the slowest question.
    if isinstance(value, int):
        return int(value)  # a card: records hold plain values
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        if value and isinstance(value[0], CardNumber):
            return list(map(int, value))
        return [part if type(part) in _PLAIN else _plain(part) for part in value]
    return {name: _plain(part) for name, part in value.items()} if isinstance(value, Mapping) else value


LARGEST: Final = 1_000_000
"""The largest number in a record; the smallest is its negative."""


def _reader(hint: Any) -> Callable[[Any, str], Any]:  # noqa: ANN401 - a type annotation
    hint = getattr(hint, "__supertype__", hint)
    if get_origin(hint) in (Union, UnionType):
        inner = _reader(next(arg for arg in get_args(hint) if arg is not NoneType))
        return lambda value, path: None if value is None else inner(value, path)
    if get_origin(hint) is tuple:
        part = _reader(get_args(hint)[0])

        def read_list(value: Any, path: str) -> Any:  # noqa: ANN401 - it comes from outside
            if not isinstance(value, list):
                raise InvalidRecord(
                    say("{path} is {value}", path=path, value=quoted(value)), say("use a list")
                )
            return tuple(part(item, f"{path}[{index}]") for index, item in enumerate(value))

        return read_list
    if get_origin(hint) is Mapping:
        part = _reader(get_args(hint)[1])

        def read_object(value: Any, path: str) -> Any:  # noqa: ANN401 - it comes from outside
            if not isinstance(value, dict):
                raise InvalidRecord(
                    say("{path} is {value}", path=path, value=quoted(value)), say("use an object")
                )
            return {name: part(item, f"{path}[{quoted(name)}]") for name, item in value.items()}

        return read_object
    names = {int: "a whole number", str: "a string", bool: "true or false"}
    plain = _plain_type(hint)

    def read_plain(value: Any, path: str) -> Any:  # noqa: ANN401 - it comes from outside
        if type(value) is not plain and type(value) is not hint:
            raise InvalidRecord(
                say("{path} is {value}", path=path, value=quoted(value)),
                say("use {names}", names=names[plain]),
            )
        if plain is int and abs(value) > LARGEST:
            raise InvalidRecord(
                say("{path} is {value}", path=path, value=quoted(value)),
                say("use a number up to {largest}", largest=LARGEST),
            )
        return value if type(value) is hint else hint(value)

    return read_plain


def _plain_type(hint: type[Any]) -> type[Any]:
    """The type of a value in a record: `int` for a `Card`, which is a number of its own kind."""
    return int if hint is not bool and issubclass(hint, int) else hint


def _schema(hint: Any) -> dict[str, Any]:  # noqa: ANN401 - a type annotation
    hint = getattr(hint, "__supertype__", hint)
    if get_origin(hint) in (Union, UnionType):
        inner = next(arg for arg in get_args(hint) if arg is not NoneType)
        return {"anyOf": [_schema(inner), {"type": "null"}]}
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _schema(get_args(hint)[0])}
    if get_origin(hint) is Mapping:
        return {"type": "object", "additionalProperties": _schema(get_args(hint)[1])}
    return {"type": {int: "integer", str: "string", bool: "boolean"}[_plain_type(hint)]}
