"""What counts as a difference between a sample and today, and as a schema that takes less than it did."""

from typing import Any

import pytest

from tests.compatibility.comparing import NO_SENTENCES, differences, narrower, retired


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"says": "one"}, {"says": "another"}),
        ({"fault": ""}, {"fault": ""}),
        ([{"a": [1, None, True]}], [{"a": [1, None, True], "fix": "x"}]),
        ({"says": 1}, {"says": 1}),
        ({"because": [{"rule": "A"}, {"rule": "B"}]}, {"because": [{"rule": r} for r in "XAYBZ"]}),
        ({"because": []}, {"because": [{"rule": "A"}]}),
    ],
)
def test_new_keys_further_reasons_and_other_sentences_are_no_difference(then: object, now: object) -> None:
    assert differences(then, now) == []


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        ({"a": 1}, {}, "a has gone; it was 1"),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, "a.b is 2; it was 1"),
        ({"a": [1]}, {"a": [1, 2]}, "a has 2 items; it had 1"),
        ({"a": [1, 2]}, {"a": [2, 2]}, "a[0] is 2; it was 1"),
        ({"a": True}, {"a": 1}, "a is 1; it was True"),
        ({"a": None}, {"a": ""}, "a is ''; it was None"),
        ({"fix": "x"}, {"fix": ""}, "fix is ''; it was the sentence 'x'"),
        ({"fix": "x"}, {"fix": None}, "fix is None; it was the sentence 'x'"),
        ({"fix": "x"}, {}, "fix has gone; it was 'x'"),
        ({"because": ["A", "B"]}, {"because": ["B", "A"]}, "because[1] has gone; it was 'B'"),
        ({"because": ["A"]}, {"because": ["B"]}, "because[0] has gone; it was 'A'"),
    ],
)
def test_everything_else_is_a_difference(then: object, now: object, said: str) -> None:
    assert differences(then, now) == [said]


def test_a_sentence_that_was_stored_stays_as_it_is() -> None:
    assert differences({"says": "one"}, {"says": "another"}, sentences=NO_SENTENCES) == [
        "says is 'another'; it was 'one'"
    ]
    assert differences({"because": []}, {"because": ["A"]}, sentences=NO_SENTENCES) == [
        "because has 1 items; it had 0"
    ]


NUMBER: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 9}
WORDS: dict[str, Any] = {"enum": ["a", True]}


def record(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (NUMBER, {"type": "integer"}),
        (NUMBER, {"type": ["integer", "null"]}),
        (NUMBER, {"anyOf": [{"type": "string"}, NUMBER]}),
        (WORDS, {"enum": [True, "b", "a"]}),
        (WORDS, {"type": ["string", "boolean"]}),
        ({"anyOf": [NUMBER, WORDS]}, {"oneOf": [WORDS, {"type": "null"}, NUMBER]}),
        (record("a", a=NUMBER), record(a=NUMBER, b=NUMBER)),
        ({"type": "array", "items": NUMBER}, {"type": "array", "items": {"type": "integer"}}),
    ],
)
def test_a_schema_that_takes_more_is_not_narrower(then: dict[str, Any], now: dict[str, Any]) -> None:
    assert narrower(then, now) == []


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (NUMBER, {**NUMBER, "minimum": 2}),
        (NUMBER, {**NUMBER, "maximum": 8}),
        ({"type": "integer"}, NUMBER),
        (NUMBER, {"type": "string"}),
        (NUMBER, {"enum": [1, 2]}),
        (NUMBER, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (WORDS, {"enum": ["a", 1]}),
        (WORDS, {"type": "string"}),
        ({"anyOf": [NUMBER, WORDS]}, NUMBER),
        (record(a=NUMBER), record(b=NUMBER)),
        (record(a=NUMBER), record("a", a=NUMBER)),
        (record(a=NUMBER), record(a={"type": "string"})),
        ({"type": "array", "items": NUMBER}, {"type": "array", "items": {"type": "string"}}),
    ],
)
def test_a_schema_that_takes_less_is_narrower(then: dict[str, Any], now: dict[str, Any]) -> None:
    assert narrower(then, now) != []


def test_a_retired_option_counts_only_with_the_value_that_had_an_effect() -> None:
    assert retired("ciao", {"mistake": "next turn", "thanks": False, "step": 2}) == {"mistake", "thanks"}
    assert retired("ciao", {"mistake": "this turn", "thanks": True}) == set()
    assert retired("six", {"mistake": "next turn"}) == set()
