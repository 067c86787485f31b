"""Records with objects in them: mappings from texts, as they are written, read, described and refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.core import games
from companion.core.cards import Card
from companion.core.codec import LARGEST, Number, Record, decode, encode, json_schema
from companion.core.score_sheet import DealScored
from companion.match import commands as match_commands
from companion.text.errors import InvalidRecord


class Lays(Record, tag="lays"):
    """An order as a game might have it."""

    cards: Mapping[str, tuple[Card, ...]]
    owners: Mapping[str, Number] | None = None


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "lays", "cards": {}, "owners": None},
        {"kind": "lays", "cards": {"3": [88, 92], "new": []}, "owners": {"3": 1}},
        {"kind": "lays", "cards": {"": [1]}, "owners": {}},
    ],
)
def test_an_object_becomes_a_mapping_and_an_object_again(record: dict[str, Any]) -> None:
    value = decode(json.loads(json.dumps(record)), [Lays])
    assert encode(value) == record
    assert all(type(cards) is tuple for cards in value.cards.values())
    Draft202012Validator(json_schema(Lays)).validate(record)


@pytest.mark.parametrize(
    ("fields", "fault", "fix"),
    [
        ({"cards": [[88]]}, "lays.cards is [[88]]", "use an object"),
        ({"cards": None}, "lays.cards is None", "use an object"),
        ({"cards": {"3": 88}}, "lays.cards['3'] is 88", "use a list"),
        ({"cards": {"3": ["88"]}}, "lays.cards['3'][0] is '88'", "use a whole number"),
        ({"cards": {"3": [10**7]}}, "lays.cards['3'][0] is 10000000", "use a number up to 1000000"),
        ({"cards": {}, "owners": {"3": True}}, "lays.owners['3'] is True", "use a whole number"),
    ],
)
def test_an_object_that_will_not_do_is_named_with_its_place(
    fields: dict[str, Any], fault: str, fix: str
) -> None:
    record = {"kind": "lays", **fields}
    with pytest.raises(InvalidRecord) as bad:
        decode(record, [Lays])
    assert (bad.value.fault, bad.value.fix) == (fault, fix)
    if fix != "use a number up to 1000000":
        assert not Draft202012Validator(json_schema(Lays)).is_valid(record)


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
ODD: tuple[Any, ...] = (
    None,
    True,
    1,
    1.0,
    "x",
    [],
    {},
    [1],
    [None],
    ["x"],
    [[1]],
    [[True]],
    {"x": 1},
    {"x": [1]},
    {"x": "x"},
)


def least(schema: dict[str, Any]) -> Any:
    """A small value of a field, or the least record of a class."""
    if "anyOf" in schema:
        return least(schema["anyOf"][0])
    if "const" in schema:
        return schema["const"]
    if "properties" in schema:
        return {name: least(part) for name, part in schema["properties"].items()}
    return {"integer": 1, "string": "x", "boolean": True, "array": [], "object": {}}[schema["type"]]


def is_read(record: dict[str, Any], cls: type[Record]) -> bool:
    try:
        return bool(decode(record, [cls]))
    except InvalidRecord:
        return False


@pytest.mark.parametrize("cls", EVERY_RECORD, ids=lambda cls: f"{cls.KIND}-{cls.__module__}")
def test_a_record_is_read_exactly_if_it_keeps_to_its_schema(cls: type[Record]) -> None:
    schema = Draft202012Validator(json_schema(cls))
    record = least(json_schema(cls))
    fields = record.keys() - {"kind"}
    changed = [{**record, name: odd} for name in (*fields, "strange") for odd in ODD]
    changed += [{key: value for key, value in record.items() if key != name} for name in fields]
    for one in (record, *changed):
        # For a schema 1.0 is an integer; in a record it is none.
        keeps = schema.is_valid(one) and 1.0 not in [part for part in one.values() if type(part) is float]
        assert is_read(one, cls) == keeps, one


@pytest.mark.parametrize("cls", EVERY_RECORD, ids=lambda cls: f"{cls.KIND}-{cls.__module__}")
def test_every_number_of_a_record_has_limits(cls: type[Record]) -> None:
    schema = json_schema(cls)
    for name, part in schema["properties"].items():
        if {"type": "integer"} in (part, *part.get("anyOf", ())):
            for number in (LARGEST + 1, -LARGEST - 1, 10**30):
                assert not is_read({**least(schema), name: number}, cls)


def test_a_long_name_in_an_object_is_quoted_briefly() -> None:
    with pytest.raises(InvalidRecord) as bad:
        decode({"kind": "lays", "cards": {"x" * 10_000: 1}}, [Lays])
    assert len(bad.value.fault) < 80
