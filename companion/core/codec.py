"""Commands and events as flat records (JSON objects) and back; the games declare them, see `Record`.

A record has a "kind" and the fields of its class by name: numbers, strings, booleans, None, tuples of these
(lists in the record) and mappings from strings (objects in the record). Reading is strict: an unknown kind,
an unknown or missing field or a value of the wrong type is an `InvalidRecord`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

from msgspec import Meta, ValidationError, convert
from msgspec.json import Decoder, Encoder

from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import say
from companion.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from msgspec.inspect import Field, Type

    from companion.text.sentence import Text

LARGEST: Final = 1_000_000
"""The largest number in a record; the smallest is its negative."""

Number = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
"""A number in a record."""


def _key(name: str) -> str:
    return name.removesuffix("_")


class _Kind:
    """The tag of a record, for the class and for its values."""

    def __get__(self, value: object, owner: type[Record]) -> str:
        return str(owner.__struct_config__.tag)


class Record(Value, tag_field="kind", rename=_key, forbid_unknown_fields=True):
    """A command or an event: `class Lay(Record, tag="lay")`. The tag is its kind.

    A field whose name is a Python keyword ends with "_" in the class but not in the record.
    """

    KIND: ClassVar[_Kind] = _Kind()


_ENCODER: Final = Encoder(enc_hook=int)  # a card is a number of its own kind
_DECODER: Final = Decoder()


def encode(value: Record) -> dict[str, Any]:
    """A command or event as a record; tuples become lists, mappings objects; fields that are None stay."""
    record: dict[str, Any] = _DECODER.decode(_ENCODER.encode(value))
    return record


def encode_short(value: Record) -> dict[str, Any]:
    """The same without the fields that have their defaults, which may be left out of a record."""
    record = encode(value)
    # The fields with a default are the last ones.
    names, keys = reversed(value.__struct_fields__), reversed(value.__struct_encode_fields__)
    for default, name, key in zip(reversed(type(value).__struct_defaults__), names, keys, strict=False):
        if getattr(value, name) == default:
            del record[key]
    return record


def decode(record: object, classes: Iterable[type[Any]]) -> Any:  # noqa: ANN401 - one of `classes`
    """The command or event that a record stands for. Raises `InvalidRecord`."""
    by_kind = _by_kind(tuple(classes))
    cls: type[Record] = by_kind[_kind_of(record, by_kind)]
    try:
        return convert(record, cls, dec_hook=_read_card)
    except ValidationError as bad:
        raise next(_faults(record, _type(cls), cls.KIND)) from bad


def json_schema(cls: type[Record]) -> dict[str, Any]:
    """The JSON Schema of the records of one class."""
    fields = _fields(cls)
    return {
        "type": "object",
        "properties": {
            "kind": {"const": cls.KIND},
            **{one.encode_name: _schema(one.type) for one in fields},
        },
        "required": ["kind", *(one.encode_name for one in fields if one.required)],
        "additionalProperties": False,
    }


@cache
def _by_kind(classes: tuple[type[Any], ...]) -> Mapping[str, type[Any]]:
    return {cls.KIND: cls for cls in classes}


def _kind_of(record: object, known: Iterable[str]) -> str:
    if not isinstance(record, dict):
        raise InvalidRecord(
            say("{record} is not an object", record=quoted(record)), say('use an object with a "kind"')
        )
    kind = record.get("kind")
    if isinstance(kind, str) and kind in known:
        return kind
    fault = (
        say("the record has no kind")
        if kind is None
        else say("the record has an unknown kind {kind}", kind=quoted(kind))
    )
    raise InvalidRecord(fault, did_you_mean(str(kind), sorted(known)))


def _read_card(kind: type[Any], value: Any) -> Any:  # noqa: ANN401 - any value, and one of that kind
    """A number of its own kind, such as a `Card`; msgspec asks for each."""
    if type(value) not in (int, kind) or abs(value) > LARGEST:
        raise ValueError(value)
    return kind(value)


# What follows is for schemas and faults only. msgspec says in English which value it refuses, and leaves out
# the keys of mappings; people are told in their language, with the place, what it is and what will do.


@cache
def _type(cls: type[Record]) -> Type:
    from msgspec.inspect import type_info  # a start does not wait for it

    return type_info(cls)


def _fields(cls: type[Record]) -> tuple[Field, ...]:
    fields: tuple[Field, ...] = _type(cls).fields  # type: ignore[attr-defined] # it is a struct
    return fields


def _schema(kind: Type) -> dict[str, Any]:
    from msgspec import inspect

    match kind:
        case inspect.UnionType((inner, _)):
            return {"anyOf": [_schema(inner), {"type": "null"}]}
        case inspect.VarTupleType(item):
            return {"type": "array", "items": _schema(item)}
        case inspect.DictType(_, item):
            return {"type": "object", "additionalProperties": _schema(item)}
        case inspect.BoolType():
            return {"type": "boolean"}
        case inspect.StrType():
            return {"type": "string"}
    return {"type": "integer"}


def _faults(value: Any, kind: Type, path: str) -> Iterator[InvalidRecord]:  # noqa: ANN401 - it comes from outside
    """Whatever is wrong with a value in a record, in the order of its declaration."""
    from msgspec import inspect

    will_do: Text | None = None
    match kind:
        case inspect.StructType():
            yield from _faults_of_fields(value, kind.fields, path)
        case inspect.UnionType((inner, _)):
            if value is not None:
                yield from _faults(value, inner, path)
        case inspect.VarTupleType(item):
            if isinstance(value, list | tuple):
                for index, part in enumerate(value):
                    yield from _faults(part, item, f"{path}[{index}]")
            else:
                will_do = say("use a list")
        case inspect.DictType(_, item):
            if isinstance(value, dict):
                for name, part in value.items():
                    yield from _faults(part, item, f"{path}[{quoted(name)}]")
            else:
                will_do = say("use an object")
        case _:
            will_do = _will_do(value, kind)
    if will_do is not None:
        yield InvalidRecord(say("{path} is {value}", path=path, value=quoted(value)), will_do)


def _will_do(value: object, kind: Type) -> Text | None:
    """What to use in place of a string, a truth or a number; None: it will do."""
    from msgspec import inspect

    match kind:
        case inspect.StrType():
            return None if isinstance(value, str) else say("use a string")
        case inspect.BoolType():
            return None if isinstance(value, bool) else say("use true or false")
    # A number, or a card.
    if isinstance(value, bool) or not isinstance(value, int):
        return say("use a whole number")
    return say("use a number up to {largest}", largest=LARGEST) if abs(value) > LARGEST else None


def _faults_of_fields(
    record: Mapping[Any, Any], fields: tuple[Field, ...], path: str
) -> Iterator[InvalidRecord]:
    known = sorted(one.encode_name for one in fields)
    for name in record:
        if name not in known and name != "kind":
            yield InvalidRecord(
                say("{kind} has an unknown field {name}", kind=repr(path), name=quoted(name)),
                did_you_mean(str(name), known) if known else say("leave it out"),
            )
    for one in fields:
        key = one.encode_name
        if key in record:
            yield from _faults(record[key], one.type, f"{path}.{key}")
        elif one.required:
            yield InvalidRecord(
                say("{kind} lacks the field {key}", kind=repr(path), key=repr(key)),
                say("add {key} to the record", key=repr(key)),
            )
