"""One declaration, a struct, for what is stored or sent: writing, reading, schema, refusals follow from it.

    class Row(Value):
        cards: tuple[Card, ...]
        owner: Annotated[int, Meta(ge=0, le=9)] | None = None

    to_json(Row((Card(55),)))       # b'{"cards":[55],"owner":null}'; `encode` gives objects in place of bytes
    read({"cards": 55}, Row, "row") # InvalidRecord: row.cards: expected array, got int
    json_schema(Row)                # what `read` takes, structs in structs and all

Fields are numbers, texts, truths, enums and literals (all with `Meta` limits), cards, tuples, mappings from
texts, other structs, `Any`, and unions of these as msgspec has them. Reading is strict: another type, an
unknown field (unless the struct allows it) or what is beyond a limit is an `InvalidRecord` that names the
place, what came and what was expected, in the words of msgspec. What fields have to do with each other is
checked in `__post_init__`, which raises `InvalidRecord`.

Commands and events are `Record`s: they have a "kind" as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from operator import pos
from threading import Lock
from typing import Annotated, Any, ClassVar, Final, TypeVar

from msgspec import Meta, Struct, ValidationError, convert, to_builtins
from msgspec.json import Decoder, Encoder, schema_components
from msgspec.json import format as format_json

from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.values import Value

LARGEST: Final = 1_000_000
"""The largest number in a record; the smallest is its negative."""

_LONGEST_SAID: Final = 80
"""Of what msgspec says, which may quote what came."""

Number = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
"""A number in a record."""

Kind = TypeVar("Kind")


class _Kind:
    """The tag of a record, for the class and for its values."""

    def __get__(self, value: object, owner: type[Record]) -> str:
        return str(owner.__struct_config__.tag)


class Record(Value, tag_field="kind", rename=lambda name: name.removesuffix("_"), forbid_unknown_fields=True):
    """A command or an event: `class Lay(Record, tag="lay")`. The tag is its kind.

    A field whose name is a Python keyword ends with "_" in the class but not in the record.
    """

    KIND: ClassVar[_Kind] = _Kind()


# A card is a number of its own kind. `pos` gives the plain number in half the time of `int`.
_ENCODER: Final = Encoder(enc_hook=pos)
_DECODER: Final = Decoder()
_LEARNING, _LEARNED = Lock(), set[object]()
_LEFT_OUT: Final = frozenset({"title", "description", "default"})


def learned(kind: type[Kind]) -> type[Kind]:
    """The same type, known to msgspec, which crashes where two threads make it read a new one at once."""
    if kind not in _LEARNED:
        with _LEARNING:
            Decoder(kind)
        _LEARNED.add(kind)
    return kind


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
        return convert(value, learned(kind), dec_hook=_read_card)
    except UnicodeEncodeError as bad:
        raise InvalidRecord(f"{name} has half a character in a text", "use whole characters") from bad
    except ValidationError as bad:
        if isinstance(bad.__cause__, InvalidRecord):
            raise bad.__cause__ from None
        says, _, at = str(bad).replace("`", "").partition(" - at $")
        fault = f"{name}{at}: {says[:1].lower()}{says[1:_LONGEST_SAID]}"
        raise InvalidRecord(fault, _what_fits(json_schema(kind), at)) from bad


def _what_fits(schema: dict[str, Any], at: str) -> str:
    """What to use at a place such as ".rows[3]", by the schema of the whole."""
    for field in re.findall(r"\.(\w+)|\[.+?\]", at):
        parts = [
            (option.get("properties", {}).get(field) if field else option.get("items"))
            or option.get("additionalProperties")
            for option in (schema, *schema.get("anyOf", ()))
        ]
        schema = next(filter(None, parts), {})
    if "properties" in schema:
        return f"its fields are: {', '.join(schema['properties'])}"
    return f"use what fits {json.dumps(schema)[:200]}"


def json_schema(kind: Any, *, tagged: bool = True) -> dict[str, Any]:  # noqa: ANN401 - a type
    """The JSON Schema of what `read` takes for a type; of a record without its kind, if not `tagged`."""
    hook = lambda _card: {"type": "integer"}  # noqa: E731 - it is short
    [whole], parts = schema_components([kind], schema_hook=hook, ref_template="{name}")
    schema: dict[str, Any] = _plain(whole, parts)
    if not tagged:
        del schema["properties"]["kind"]
        schema["required"].remove("kind")
    return schema


def _plain(schema: Any, parts: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any part of a schema
    """A schema without names, texts and defaults, with its parts in their places."""
    if isinstance(schema, list):
        return [_plain(item, parts) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _plain(parts[schema["$ref"]], parts)
    if len(schema.get("enum", ())) == 1:
        return {"const": schema["enum"][0]}
    if schema.get("maximum") == LARGEST:
        return {"type": "integer"}
    plain = {key: _plain(value, parts) for key, value in schema.items() if key not in _LEFT_OUT}
    if "properties" in schema:  # which may be called as what is left out
        plain["properties"] = {name: _plain(part, parts) for name, part in schema["properties"].items()}
    return plain


@cache
def _by_kind(classes: tuple[type[Any], ...]) -> Mapping[str, type[Any]]:
    return {cls.KIND: cls for cls in classes}


def _without_kind(record: object, known: Iterable[str]) -> InvalidRecord:
    if not isinstance(record, dict):
        return InvalidRecord(f"{quoted(record)} is not an object", 'use an object with a "kind"')
    kind = record.get("kind")
    fault = "the record has no kind" if kind is None else f"the record has an unknown kind {quoted(kind)}"
    return InvalidRecord(fault, did_you_mean(str(kind), sorted(known)))


def _read_card(kind: type[Any], value: Any) -> Any:  # noqa: ANN401 - any value, and one of that kind
    """A number of its own kind, such as a `Card`; msgspec asks for each."""
    if type(value) not in (int, kind) or abs(value) > LARGEST:
        raise ValueError(f"Expected a number of a card, got {quoted(value)}")
    return kind(value)
