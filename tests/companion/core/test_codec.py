"""Declarations as they are written, read, described and refused."""

import json
from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from msgspec import Meta

from companion.core import codec, games
from companion.core.codec import LARGEST, Record, decode, encode, encode_short, json_schema, read, to_json
from companion.core.score_sheet import DealScored
from companion.match import commands as match_commands
from companion.text.errors import InvalidRecord
from companion.values import Value


class Colour(Enum):
    """A closed set."""

    RED = "red"
    BLUE = "blue"


class Circle(Value, tag_field="shape", tag="circle"):
    """One of two shapes."""

    size: Annotated[int, Meta(ge=1)]


class Line(Value, tag_field="shape", tag="line", forbid_unknown_fields=True):
    """The other one."""

    ends: Annotated[tuple[Annotated[int, Meta(ge=0, le=9)], ...], Meta(min_length=2, max_length=2)]

    def __post_init__(self) -> None:
        """What no field can say alone."""
        if self.ends[0] == self.ends[1]:
            raise InvalidRecord("the line has no length", "use two ends")


class Picture(Value, forbid_unknown_fields=True):
    """A message with all that a declaration can have."""

    title: Annotated[str, Meta(min_length=1, max_length=5)]
    shapes: tuple[Circle | Line, ...] = ()
    colour: Colour = Colour.RED
    scale: Literal[1, 2, "full"] = 1
    seats: bool | tuple[int, ...] = False
    note: Annotated[tuple[str, ...], Meta(min_length=1)] | None = None
    more: Mapping[str, Any] = {}


CIRCLE, LINE = {"shape": "circle", "size": 1}, {"shape": "line", "ends": [1, 9]}


@pytest.mark.parametrize(
    ("fields", "value"),
    [
        ({"title": "x"}, Picture("x")),
        ({"title": "x", "shapes": [CIRCLE, LINE]}, Picture("x", (Circle(1), Line((1, 9))))),
        ({"title": "x", "shapes": [{**CIRCLE, "later": 1}]}, Picture("x", (Circle(1),))),
        ({"title": "x", "colour": "blue", "scale": "full"}, Picture("x", (), Colour.BLUE, "full")),
        ({"title": "x", "seats": [2], "note": ["a"]}, Picture("x", seats=(2,), note=("a",))),
        ({"title": "x", "more": {"a": [1.5, None]}}, Picture("x", more={"a": [1.5, None]})),
    ],
)
def test_a_struct_with_structs_in_it_is_read_written_and_described(
    fields: dict[str, Any], value: Picture
) -> None:
    assert read(fields, Picture, "picture") == value
    assert read(encode(value), Picture, "picture") == value
    assert json.loads(to_json(value)) == encode(value)
    assert "title" in encode_short(value)
    assert read(encode_short(value, "scale"), Picture, "picture") == value
    assert encode_short(value, "scale")["scale"] == value.scale
    for record in (fields, encode(value)):
        Draft202012Validator(json_schema(Picture)).validate(record)


@pytest.mark.parametrize(
    ("fields", "fault", "fix"),
    [
        ({"title": 1}, "picture.title: expected str, got int", "string"),
        ({"title": "longer"}, "picture.title: expected str of length <= 5", '"maxLength": 5'),
        ({"titel": "x"}, "picture: object contains unknown field titel", "its fields are: title, shapes"),
        ({"shapes": [1]}, "picture.shapes[0]: expected object, got int", "circle"),
        ({"shapes": [{"shape": "x"}]}, "picture.shapes[0].shape: invalid value 'x'", "use what fits"),
        ({"shapes": [{"shape": "circle"}]}, "picture.shapes[0]: object missing required field size", "size"),
        ({"shapes": [{**CIRCLE, "size": 0}]}, "picture.shapes[0].size: expected int >= 1", '"minimum": 1'),
        ({"shapes": [{**LINE, "ends": [3, 3]}]}, "the line has no length", "use two ends"),
        ({"colour": "green"}, "picture.colour: invalid enum value 'green'", '"red"'),
        ({"scale": "\ud800"}, "picture has half a character", "use whole"),
        ({"seats": 1}, "picture.seats: expected bool | array, got int", "boolean"),
        ({"note": []}, "picture.note: expected array of length >= 1", '"minItems": 1'),
        ({"more": []}, "picture.more: expected object, got array", "object"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_part_is_said_with_its_place(
    fields: dict[str, Any], fault: str, fix: str
) -> None:
    record = {"title": "x", **fields}
    with pytest.raises(InvalidRecord) as bad:
        read(record, Picture, "picture")
    assert fault in bad.value.fault
    assert fix in bad.value.fix
    if fault != "the line has no length":
        assert not Draft202012Validator(json_schema(Picture)).is_valid(record)


EVERY_RECORD: list[Any] = sorted(
    {
        cls
        for game in games.GAMES
        for made in [games.module(game).make(games.module(game).SEATS[0], {})]
        for cls in (
            *made.commands,
            *made.events,
            DealScored,
            *match_commands.COMMANDS,
            *match_commands.EVENTS,
        )
    },
    key=lambda cls: (cls.KIND, cls.__module__),
)
ODD: tuple[Any, ...] = (None, True, 1.0, "x", [], {}, [1], [None], ["x"], [[True]], {"x": "x"})


def least(schema: dict[str, Any]) -> Any:
    """A small value of a field, or the least record of a class."""
    if "anyOf" in schema:
        return least(schema["anyOf"][0])
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if "properties" in schema:
        return {name: least(part) for name, part in schema["properties"].items()}
    return {"integer": 1, "string": "x", "boolean": True, "array": [], "object": {}}[schema["type"]]


def is_read(record: dict[str, Any], cls: type[Record]) -> bool:
    try:
        return bool(decode(record, [cls]))
    except InvalidRecord:
        return False


@pytest.mark.slow
def test_a_record_is_read_exactly_if_it_keeps_to_its_schema_and_its_numbers_have_limits() -> None:
    for cls in EVERY_RECORD:
        described = json_schema(cls)
        schema, record = Draft202012Validator(described), least(described)
        fields = record.keys() - {"kind"}
        changed = [{**record, name: odd} for name in (*fields, "strange") for odd in ODD]
        changed += [{key: value for key, value in record.items() if key != name} for name in fields]
        for one in (record, *changed):
            # For a schema 1.0 is an integer; in a record it is none.
            keeps = schema.is_valid(one) and 1.0 not in [part for part in one.values() if type(part) is float]
            assert is_read(one, cls) == keeps, one
        for name, part in described["properties"].items():
            if {"type": "integer"} in (part, *part.get("anyOf", ())):
                for number in (LARGEST + 1, -LARGEST - 1, 10**30):
                    assert not is_read({**record, name: number}, cls)


def test_msgspec_learns_one_type_at_a_time_and_each_once() -> None:
    locked = list[bool]()

    class Learned(Value):
        """The type of its field is asked for when msgspec learns it."""

        size: "asked()"  # type: ignore[valid-type]

    def asked() -> type[int]:
        locked.append(codec._LEARNING.locked())
        return int

    globals()["asked"] = asked
    assert read({"size": 1}, Learned, "it") == read({"size": 1}, Learned, "it")
    assert locked == [True], "two threads at once would end the process"
