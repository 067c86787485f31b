"""One declaration, a struct, for what is stored or sent: writing, reading, schema, refusals follow from it.

    class Row(Value):
        cards: tuple[Card, ...]
        owner: Annotated[int, Meta(ge=0, le=9)] | None = None

    to_json(Row((Card(55),)))       # b'{"cards":[55],"owner":null}'; `encode` gives objects in place of bytes
    read({"cards": 55}, Row, "row") # InvalidRecord: row.cards is 55 (use a list)
    json_schema(Row)                # what `read` takes, structs in structs and all

Fields are numbers, texts, truths, enums and literals (all with `Meta` limits), cards, tuples, mappings from
texts, other structs, `Any`, and unions of these as msgspec has them. Reading is strict: another type, an
unknown field (unless the struct allows it) or what is beyond a limit is an `InvalidRecord` that names the
place, what came and what will do. What fields have to do with each other is checked in `__post_init__`, which
raises `InvalidRecord`. An `EXAMPLE` of a struct is what a refusal says to use.

Commands and events are `Record`s: they have a "kind" as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from operator import pos
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, TypeVar

from msgspec import Meta, Struct, ValidationError, convert, to_builtins
from msgspec.json import Decoder, Encoder
from msgspec.json import format as format_json

from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import Text, say
from companion.values import Value

if TYPE_CHECKING:
    from msgspec.inspect import StructType, Type

LARGEST: Final = 1_000_000
"""The largest number in a record; the smallest is its negative."""

Number = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
"""A number in a record."""

Kind = TypeVar("Kind")


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


# A card is a number of its own kind. `pos` gives the plain number in half the time of `int`.
_ENCODER: Final = Encoder(enc_hook=pos)
_DECODER: Final = Decoder()


def to_json(value: object) -> bytes:
    """A struct, or objects and lists with structs in them, as JSON."""
    return _ENCODER.encode(value)


def to_line(value: object) -> bytes:
    """The same as one line in ASCII, with the spaces that Python's own `json` writes."""
    try:
        line = format_json(_ENCODER.encode(value), indent=0)
    except UnicodeEncodeError:  # half a character, which msgspec does not write
        line = json.dumps(to_builtins(value, enc_hook=pos)).encode()
    return line if line.isascii() else json.dumps(_DECODER.decode(line)).encode()


def encode(value: object) -> Any:  # noqa: ANN401 - an object for a struct, a list for a tuple ...
    """The same as objects and lists; fields that are None stay."""
    return _DECODER.decode(_ENCODER.encode(value))


def encode_short(value: Struct, *always: str) -> dict[str, Any]:
    """A struct without the fields that have their defaults, except for those named."""
    record: dict[str, Any] = encode(value)
    # The fields with a default are the last ones.
    names, keys = reversed(value.__struct_fields__), reversed(value.__struct_encode_fields__)
    for default, name, key in zip(reversed(type(value).__struct_defaults__), names, keys, strict=False):
        usual = default.factory() if hasattr(default, "factory") else default
        if getattr(value, name) == usual and name not in always:
            record.pop(key, None)
    return record


def decode(record: Any, classes: Iterable[type[Any]]) -> Any:  # noqa: ANN401 - of JSON; one of `classes`
    """The command or event that a record stands for. Raises `InvalidRecord`."""
    by_kind = _by_kind(tuple(classes))
    try:
        kind = record["kind"]
        cls = by_kind[kind]
    except (TypeError, LookupError):
        raise _without_kind(record, by_kind) from None
    return read(record, cls, kind)


def read(value: object, kind: type[Kind], name: str) -> Kind:
    """The value of this type that JSON objects and lists stand for. Raises `InvalidRecord`.

    `name` is what a refusal calls the whole.
    """
    try:
        return convert(value, kind, dec_hook=_read_card)
    except (ValidationError, UnicodeEncodeError) as bad:  # half a character is no word for msgspec
        if isinstance(bad.__cause__, InvalidRecord):
            raise bad.__cause__ from None
        of_type: Any = kind  # mypy does not take a class for hashable
        # What is not found by its place, such as half a character in a name, is refused as a whole.
        raise next(_faults(value, _type(of_type), name), _misfit(value, name, _type(of_type))) from bad


def json_schema(kind: Any, *, tagged: bool = True) -> dict[str, Any]:  # noqa: ANN401 - a type
    """The JSON Schema of what `read` takes for a type; of a record without its kind, if not `tagged`."""
    schema = _schema(_type(kind))
    if not tagged:
        del schema["properties"]["kind"]
        schema["required"].remove("kind")
    return schema


@cache
def _by_kind(classes: tuple[type[Any], ...]) -> Mapping[str, type[Any]]:
    return {cls.KIND: cls for cls in classes}


def _without_kind(record: object, known: Iterable[str]) -> InvalidRecord:
    if not isinstance(record, dict):
        return InvalidRecord(
            say("{record} is not an object", record=quoted(record)), say('use an object with a "kind"')
        )
    kind = record.get("kind")
    fault = (
        say("the record has no kind")
        if kind is None
        else say("the record has an unknown kind {kind}", kind=quoted(kind))
    )
    return InvalidRecord(fault, did_you_mean(str(kind), sorted(known)))


def _read_card(kind: type[Any], value: Any) -> Any:  # noqa: ANN401 - any value, and one of that kind
    """A number of its own kind, such as a `Card`; msgspec asks for each."""
    if type(value) not in (int, kind) or abs(value) > LARGEST:
        raise ValueError(value)
    return kind(value)


# What follows is for schemas and faults only. msgspec says in English which value it refuses, and leaves out
# the keys of mappings; people are told in their language, with the place, what it is and what will do.


@cache
def _type(kind: Any) -> Type:  # noqa: ANN401 - a type
    from msgspec.inspect import type_info  # a start does not wait for it

    return type_info(kind)


def _schema(kind: Type) -> dict[str, Any]:  # noqa: PLR0911 - one for each kind
    from msgspec import inspect

    match kind:
        case inspect.Metadata(inner, extra):
            extra = extra or {}
            return extra if extra.keys() & {"const", "enum"} else {**_schema(inner), **extra}
        case inspect.StructType():
            return _schema_of_struct(kind)
        case inspect.UnionType(types):
            return {"anyOf": [_schema(one) for one in _null_last(types)]}
        case inspect.VarTupleType(item, least, most):
            return {"type": "array", "items": _schema(item), **_given(minItems=least, maxItems=most)}
        case inspect.DictType(_, item, least, most):
            of = {} if isinstance(item, inspect.AnyType) else {"additionalProperties": _schema(item)}
            return {"type": "object", **of, **_given(minProperties=least, maxProperties=most)}
        case inspect.StrType(least, most, pattern):
            return {"type": "string", **_given(minLength=least, maxLength=most, pattern=pattern)}
        case inspect.IntType(ge=low, le=high) if (low, high) != (-LARGEST, LARGEST):
            return {"type": "integer", **_given(minimum=low, maximum=high)}
        case inspect.FloatType():
            return {"type": "number"}
        case inspect.BoolType():
            return {"type": "boolean"}
        case inspect.NoneType():
            return {"type": "null"}
        case inspect.AnyType():
            return {}
        case inspect.LiteralType() | inspect.EnumType():
            words = _words(kind)
            return {"enum": words} if len(words) > 1 else {"const": words[0]}
    return {"type": "integer"}


def _schema_of_struct(kind: StructType) -> dict[str, Any]:
    tag = {} if kind.tag is None else {str(kind.tag_field): {"const": kind.tag}}
    return {
        "type": "object",
        "properties": {**tag, **{one.encode_name: _schema(one.type) for one in kind.fields}},
        "required": [*tag, *(one.encode_name for one in kind.fields if one.required)],
        **({"additionalProperties": False} if kind.forbid_unknown_fields else {}),
    }


def _given(**limits: float | str | None) -> dict[str, Any]:
    return {name: limit for name, limit in limits.items() if limit is not None}


def _null_last(types: tuple[Type, ...]) -> list[Type]:
    from msgspec import inspect

    return sorted(types, key=lambda one: isinstance(one, inspect.NoneType))


def _words(kind: Any) -> list[Any]:  # noqa: ANN401 - enum or literal
    from msgspec import inspect

    if isinstance(kind, inspect.EnumType):
        return [one.value for one in kind.cls]
    return list(kind.values)


def _faults(value: Any, kind: Type, path: str) -> Iterator[InvalidRecord]:  # noqa: ANN401 - it comes from outside
    """Whatever is wrong with a value, in the order of its declaration."""
    from msgspec import inspect

    match kind:
        case inspect.Metadata(inner):
            yield from _faults(value, inner, path)
        case inspect.UnionType(types):
            # Structs differ in their tags, other types in what they are in JSON.
            fitting = [one for one in types if _is_like(value, one)]
            if len(fitting) == 1:
                yield from _faults(value, fitting[0], path)
            elif not fitting or not any(_fits(value, one) for one in fitting):
                yield _misfit(value, path, *types)
        case _ if not _fits(value, kind):
            yield _misfit(value, path, kind)
        case inspect.StructType():
            yield from _faults_of_fields(value, kind, path)
        case inspect.VarTupleType(item):
            for index, part in enumerate(value):
                yield from _faults(part, item, f"{path}[{index}]")
        case inspect.DictType(_, item):
            for name, part in value.items():
                yield from _faults(part, item, f"{path}[{quoted(name)}]")


def _misfit(value: object, path: str, *kinds: Type) -> InvalidRecord:
    will_do = tuple(word for kind in kinds for word in _will_do(kind))
    return InvalidRecord(
        say("{path} is {value}", path=path, value=quoted(value)),
        say("use {kind}", kind=will_do[0])
        if len(will_do) == 1
        else say("use one of: {choices}", choices=will_do),
    )


def _is_like(value: object, kind: Type) -> bool:  # noqa: PLR0911 - one for each kind
    """Whether a value is in JSON what values of a type are; of structs with a tag, the one with that tag."""
    from msgspec import inspect

    match kind:
        case inspect.Metadata(inner):
            return _is_like(value, inner)
        case inspect.StructType(tag=tag, tag_field=field):
            return isinstance(value, dict) and (tag is None or value.get(str(field)) == tag)
        case inspect.VarTupleType():
            return isinstance(value, list | tuple)
        case inspect.DictType():
            return isinstance(value, dict)
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.NoneType():
            return value is None
        case inspect.AnyType():
            return True
        case inspect.FloatType():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case inspect.LiteralType() | inspect.EnumType():
            return type(value) in map(type, _words(kind))
    return isinstance(value, int) and not isinstance(value, bool)


def _fits(value: Any, kind: Type) -> bool:  # noqa: ANN401 - it comes from outside
    """Whether there is nothing wrong with a value but what may be wrong with its parts."""
    from msgspec import inspect

    if not _is_like(value, kind):
        return False
    match kind:
        case inspect.VarTupleType(_, least, most) | inspect.DictType(_, _, least, most):
            return (least or 0) <= len(value) and (most is None or len(value) <= most)
        case inspect.StrType(least, most, pattern):
            import re

            fits = (least or 0) <= len(value) and (most is None or len(value) <= most)
            return fits and (pattern is None or re.search(pattern, value) is not None)
        case inspect.IntType(ge=low, le=high):
            return (low is None or low <= value) and (high is None or value <= high)
        case inspect.LiteralType() | inspect.EnumType():
            return value in _words(kind)
        case inspect.CustomType():
            return bool(abs(value) <= LARGEST)
    return True


def _will_do(kind: Type) -> tuple[Text | str, ...]:  # noqa: PLR0911 - one for each kind
    """What to use for a type, in words that go on with "use"."""
    from msgspec import inspect

    match kind:
        case inspect.Metadata(inner):
            return _will_do(inner)
        case inspect.UnionType(types):
            return tuple(word for one in types for word in _will_do(one))
        case inspect.StructType(tag=tag, tag_field=field) if tag is not None:
            return (say('an object with "{field}": {tag}', field=str(field), tag=repr(tag)),)
        case inspect.StructType(cls):
            return (getattr(cls, "EXAMPLE", None) or say("an object"),)
        case inspect.DictType():
            return (say("an object"),)
        case inspect.VarTupleType(_, least, most):
            return (_list_of(least or 0, most),)
        case inspect.StrType(_, most):
            return (
                say("a string") if most is None else say("a string of up to {most} characters", most=most),
            )
        case inspect.BoolType():
            return (say("true or false"),)
        case inspect.NoneType():
            return ("null",)
        case inspect.LiteralType() | inspect.EnumType():
            return tuple(map(repr, _words(kind)))
        case inspect.IntType(ge=low, le=high) if low is not None and high is not None:
            return (say("a whole number from {low} to {high}", low=low, high=high),)
        case inspect.IntType(ge=low) if low is not None:
            return (say("a whole number from {low} on", low=low),)
        case inspect.CustomType():
            return (say("a whole number from {low} to {high}", low=-LARGEST, high=LARGEST),)
    return (say("a whole number"),)


def _list_of(least: int, most: int | None) -> Text:
    if most is None:
        return say("a list of {least} or more", least=least) if least else say("a list")
    if least == most:
        return say("a list of {most}", most=most)
    return say("a list of {least} to {most}", least=least, most=most)


def _faults_of_fields(record: Mapping[Any, Any], kind: StructType, path: str) -> Iterator[InvalidRecord]:
    known = sorted(one.encode_name for one in kind.fields)
    for name in record if kind.forbid_unknown_fields else ():
        if name not in known and name != kind.tag_field:
            yield InvalidRecord(
                say("{kind} has an unknown field {name}", kind=repr(path), name=quoted(name)),
                did_you_mean(str(name), known) if known else say("leave it out"),
            )
    for one in kind.fields:
        key = one.encode_name
        if key in record:
            yield from _faults(record[key], one.type, f"{path}.{key}")
        elif one.required:
            yield InvalidRecord(
                say("{kind} lacks the field {key}", kind=repr(path), key=repr(key)),
                say("add {key} to the record", key=repr(key)),
            )
