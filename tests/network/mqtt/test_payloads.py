"""Messages come back as they were sent, in the form of their schema; rubbish gets no further."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from companion.core.codec import json_schema
from companion.protocol.snapshot import PublicPlace
from network.mqtt import payloads, topics
from network.mqtt.payloads import BoxState, Have, Malformed, MatchEvent, MatchPlayer, MatchStack

MATCH = payloads.MatchState(
    game="six", title="6 nimmt!", over=False, deal=1, turn=2, turns=10, steps=7, totals=(12, 0),
    points=(12, 0), places=(PublicPlace(1, (1,), 0), PublicPlace(2, (0,), 12)),
    winners=None, high=False, uid="a1b2", number=3, waits_for=(0,), waiting="Sara plays a card",
    players=(MatchPlayer(0, 3, "Sara", True), MatchPlayer(1, 1, None, False)),
    stacks=(MatchStack("1", ("12", "14"), 2, False), MatchStack("2", ("5",), None, True)),
)  # fmt: skip
PROBLEM = payloads.BoxProblem("clock", "", "warning", "wrong")
STATE = BoxState("d1", "Table 3", True, "2026-03-01T20:15:00Z", "en", MATCH, (PROBLEM,), 51)
EVENT = MatchEvent("a1b2", 1, "2026-03-01T20:15:00Z", "", {"events": [{"kind": "card_shown", "card": 15}]})
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=5), part, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("message", [STATE, EVENT, Have({"a1b2": 7}, "x"), payloads.KeyPress("undo")])
def test_a_message_comes_back_and_has_the_form_of_its_schema(message: Any) -> None:
    data = payloads.encode(message)
    assert payloads.decode(type(message), data) == message
    Draft202012Validator(json_schema(type(message))).validate(json.loads(data))


def test_every_topic_has_a_schema_that_is_one() -> None:
    assert set(payloads.OF_TOPIC) == {*topics.OF_THE_TABLE, *topics.FOR_THE_TABLE}
    for kind in payloads.OF_TOPIC.values():
        Draft202012Validator.check_schema(json_schema(kind))


@given(
    st.sampled_from(sorted(payloads.OF_TOPIC)),
    st.binary(max_size=60) | _JSON.map(lambda v: json.dumps(v).encode()),
)
def test_rubbish_is_malformed_and_nothing_worse(topic: str, data: bytes) -> None:
    with pytest.raises(Malformed):
        payloads.decode(payloads.OF_TOPIC[topic], data)


@given(st.data())
def test_a_message_in_which_any_part_is_something_else_is_read_or_malformed(data: st.DataObject) -> None:
    record = json.loads(payloads.encode(STATE))
    part: Any = record
    while True:
        key = data.draw(st.sampled_from(sorted(part) if isinstance(part, dict) else range(len(part))))
        if not isinstance(part[key], dict | list) or not part[key] or data.draw(st.booleans()):
            part[key] = data.draw(_JSON)
            break
        part = part[key]
    try:
        found = payloads.decode(BoxState, json.dumps(record).encode())
    except Malformed:
        return
    assert payloads.decode(BoxState, payloads.encode(found)) == found


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2}, {"version": True}, {"version": None}, {"number": 1.0}, {"number": True},
        {"number": 2**60}, {"match": "x" * 5000}, {"match": "\0"}, {"at": "\ud800"}, {"record": []},
        {"record": {"a": "\0"}},
    ],
)  # fmt: skip
def test_what_no_reader_or_database_can_keep_is_malformed(change: dict[str, Any]) -> None:
    record = {**json.loads(payloads.encode(EVENT)), **change}
    with pytest.raises(Malformed):
        payloads.decode(MatchEvent, json.dumps(record).encode())


def test_fields_of_a_later_version_are_left_out() -> None:
    record = {**json.loads(payloads.encode(EVENT)), "more": 1}
    assert payloads.decode(MatchEvent, json.dumps(record).encode()) == EVENT


@pytest.mark.parametrize(
    ("topic", "found"),
    [
        ("nimmt/3/event", ("3", "event")),
        ("nimmt/cafe-12/have", ("cafe-12", "have")),
        ("nimmt/+/event", None), ("nimmt/A/event", None), ("nimmt/3/else", None), ("nimmt/3", None),
        ("nimmt/3/event/4", None), ("else/3/event", None), ("", None), ("nimmt//event", None),
    ],
)  # fmt: skip
def test_a_topic_names_its_table(topic: str, found: tuple[str, str] | None) -> None:
    assert topics.of_table(topic) == found
    if found:
        assert topics.table_topic(*found) == topic
