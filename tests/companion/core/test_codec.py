"""Records with objects in them: mappings from texts, as they are written, read, described and refused."""

from __future__ import annotations

import json
from collections.abc import Mapping  # noqa: TC003 - records are decoded by these annotations
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from jsonschema import Draft202012Validator

from companion.core.cards import Card  # noqa: TC001 - see above
from companion.core.codec import decode, encode, json_schema
from companion.text.errors import InvalidRecord


@dataclass(frozen=True, slots=True)
class Lays:
    """An order as a game might have it."""

    KIND: ClassVar[str] = "lays"
    cards: Mapping[str, tuple[Card, ...]]
    owners: Mapping[str, int] | None = None


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


def test_a_long_name_in_an_object_is_quoted_briefly() -> None:
    with pytest.raises(InvalidRecord) as bad:
        decode({"kind": "lays", "cards": {"x" * 10_000: 1}}, [Lays])
    assert len(bad.value.fault) < 80
