"""Commands and events as flat records (JSON objects) and back; the games define what they mean.

A record has a "kind" and the fields of its dataclass by name: numbers, strings, booleans,
None, tuples of these (lists in the record) and mappings from strings (objects in the record).
A field whose name is a Python keyword ends with "_" in the class but not in the record.
Decoding is strict: an unknown kind, an unknown or missing field or a value of the wrong type
is a `InvalidRecord`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Union, get_args, get_origin, get_type_hints

from companion.errors import InvalidRecord, did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import Field


def encode(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any command or event
    """A command or event as a record; tuples become lists, mappings objects; fields that are None stay."""
    record: dict[str, Any] = {"kind": value.KIND}
    for field in fields(value):
        record[_name(field)] = _plain(getattr(value, field.name))
    return record


def encode_short(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any command or event
    """The same without the fields that have their defaults, which may be left out of a record."""
    record = encode(value)
    for field in fields(value):
        if field.default is not MISSING and getattr(value, field.name) == field.default:
            del record[_name(field)]
    return record


def decode(record: object, classes: Iterable[type[Any]]) -> Any:  # noqa: ANN401 - one of `classes`
    """The command or event that a record stands for. Raises `InvalidRecord`."""
    by_kind = {cls.KIND: cls for cls in classes}
    if not isinstance(record, dict):
        raise InvalidRecord(f"{quoted(record)} is not an object", 'use an object with a "kind"')
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in by_kind:
        came = "no kind" if kind is None else f"an unknown kind {quoted(kind)}"
        raise InvalidRecord(f"the record has {came}", did_you_mean(str(kind), sorted(by_kind)))
    cls = by_kind[kind]
    readers = _readers(cls)
    for name in record:
        if name != "kind" and name not in readers:
            raise InvalidRecord(
                f"{kind!r} has an unknown field {quoted(name)}",
                did_you_mean(str(name), sorted(readers)) if readers else "leave it out",
            )
    values: dict[str, Any] = {}
    for field in fields(cls):
        name = _name(field)
        if name in record:
            values[field.name] = readers[name](record[name], f"{kind}.{name}")
        elif field.default is MISSING:
            raise InvalidRecord(f"{kind!r} lacks the field {name!r}", f"add {name!r} to the record")
    return cls(**values)


def json_schema(cls: type[Any]) -> dict[str, Any]:
    """The JSON Schema of the records of one class."""
    hints = get_type_hints(cls)
    properties: dict[str, Any] = {"kind": {"const": cls.KIND}}
    required = ["kind"]
    for field in fields(cls):
        properties[_name(field)] = _schema(hints[field.name])
        if field.default is MISSING:
            required.append(_name(field))
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _name(field: Field[Any]) -> str:
    """The name of a field in a record."""
    return field.name.removesuffix("_")


def _plain(value: Any) -> Any:  # noqa: ANN401 - any field
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


LARGEST: Final = 1_000_000
"""The largest number in a record; the smallest is its negative."""

_READERS: dict[type[Any], Mapping[str, Callable[[Any, str], Any]]] = {}
"""Made once per class: resolving annotations costs more than reading a record."""


def _readers(cls: type[Any]) -> Mapping[str, Callable[[Any, str], Any]]:
    if cls not in _READERS:
        hints = get_type_hints(cls)
        _READERS[cls] = {_name(field): _reader(hints[field.name]) for field in fields(cls)}
    return _READERS[cls]


def _reader(hint: Any) -> Callable[[Any, str], Any]:  # noqa: ANN401 - a type annotation
    hint = getattr(hint, "__supertype__", hint)
    if get_origin(hint) in (Union, UnionType):
        inner = _reader(next(arg for arg in get_args(hint) if arg is not NoneType))
        return lambda value, path: None if value is None else inner(value, path)
    if get_origin(hint) is tuple:
        part = _reader(get_args(hint)[0])

        def read_list(value: Any, path: str) -> Any:  # noqa: ANN401 - it comes from outside
            if not isinstance(value, list):
                raise InvalidRecord(f"{path} is {quoted(value)}", "use a list")
            return tuple(part(item, f"{path}[{index}]") for index, item in enumerate(value))

        return read_list
    if get_origin(hint) is Mapping:
        part = _reader(get_args(hint)[1])

        def read_object(value: Any, path: str) -> Any:  # noqa: ANN401 - it comes from outside
            if not isinstance(value, dict):
                raise InvalidRecord(f"{path} is {quoted(value)}", "use an object")
            return {name: part(item, f"{path}[{quoted(name)}]") for name, item in value.items()}

        return read_object
    names = {int: "a whole number", str: "a string", bool: "true or false"}

    def read_plain(value: Any, path: str) -> Any:  # noqa: ANN401 - it comes from outside
        if type(value) is not hint:
            raise InvalidRecord(f"{path} is {quoted(value)}", f"use {names[hint]}")
        if hint is int and abs(value) > LARGEST:
            raise InvalidRecord(f"{path} is {quoted(value)}", f"use a number up to {LARGEST}")
        return value

    return read_plain


def _schema(hint: Any) -> dict[str, Any]:  # noqa: ANN401 - a type annotation
    hint = getattr(hint, "__supertype__", hint)
    if get_origin(hint) in (Union, UnionType):
        inner = next(arg for arg in get_args(hint) if arg is not NoneType)
        return {"anyOf": [_schema(inner), {"type": "null"}]}
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _schema(get_args(hint)[0])}
    if get_origin(hint) is Mapping:
        return {"type": "object", "additionalProperties": _schema(get_args(hint)[1])}
    return {"type": {int: "integer", str: "string", bool: "boolean"}[hint]}
