"""Malformed logs: what is wrong and at which line or step, never a guess and never a traceback."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from companion.match.log import VERSION, from_lines, replay
from companion.text.errors import InvalidRecord, UnknownGame

SAMPLES = Path(__file__).parents[1] / "samples"


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (['{"log": 1}', "{"], "line 2 is not valid JSON"),
        (["[1]"], "line 1 is not an object"),
        (["", "", "nonsense"], "line 3 is not valid JSON"),
        (["[" * 100_000], "line 1 is not valid JSON"),
    ],
)
def test_a_line_that_is_no_record_is_named_by_its_number(lines: list[str], fault: str) -> None:
    with pytest.raises(InvalidRecord, match=fault) as bad:
        list(from_lines(lines))
    assert bad.value.fix


HEADER = {"log": VERSION, "game": "six", "seats": 2}
LAY = {"step": 1, "do": {"kind": "lay", "card": 5}, "events": [{"kind": "row_begun", "card": 5, "row": 0}]}
ENDED = {"step": 1, "events": [{"kind": "deal_scored", "points": [99, 1]}]}


@pytest.mark.parametrize(
    ("first", "fault"),
    [
        ({}, "not a match header"),
        ({"log": 2, "game": "six", "seats": 2}, "version 2"),
        ({"log": "x" * 1000, "game": "six", "seats": 2}, "version"),
        ({**HEADER, "colour": "red"}, "unknown field colour"),
        ({"log": 1, "game": "six"}, "missing required field seats"),
        ({**HEADER, "seats": True}, "header.seats: expected int"),
        ({**HEADER, "seats": 11}, "number of seats is 11"),
        ({**HEADER, "first": 2}, "seat 2 cannot be first"),
        ({**HEADER, "options": []}, "header.options: expected object"),
        ({**HEADER, "options": {"deck": "half"}}, "'half'"),
        ({**HEADER, "badges": ["1"]}, "header.badges.*: expected int"),
    ],
)
def test_a_header_that_will_not_do_is_refused(first: dict[str, Any], fault: str) -> None:
    with pytest.raises(InvalidRecord, match=fault) as bad:
        replay([first])
    assert bad.value.fix


def test_a_log_of_an_unknown_game_and_an_empty_log_are_refused() -> None:
    with pytest.raises(UnknownGame, match="'chess'"):
        replay([{"log": 1, "game": "chess", "seats": 2}])
    with pytest.raises(InvalidRecord, match="not a match header"):
        replay([])


def second(*events: object) -> dict[str, Any]:
    """A second step with these events."""
    return {"step": 2, "events": list(events)}


def because(reason: object) -> dict[str, Any]:
    return {"step": 2, "events": [], "because": [reason]}


PLACED = {"kind": "card_placed", "card": 9, "seat": 0, "row": 3, "rule": "6N-2", "takes": [], "heads": 0}
LEFT = [{"kind": "seat_left", "seat": 0}, {"kind": "seat_left", "seat": 1}]
SCORED = {"kind": "deal_scored", "points": [0, 0]}


@pytest.mark.parametrize("first", [{}, [], {"step": "1", "events": []}, {"step": True, "events": []}])
def test_a_record_without_a_number_is_no_step(first: Any) -> None:
    with pytest.raises(InvalidRecord, match="after step 0: a record is not a step"):
        replay([HEADER, first])


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        ({"step": 3, "events": []}, "step 3 cannot follow step 1"),
        ({"step": 1, "events": []}, "step 1 cannot follow step 1"),
        ({"step": 2, "events": [], "when": 1}, "unknown field when"),
        ({"step": 2}, "step 2 has neither"),
        ({"step": 2, "events": {}}, "step 2.events: expected array"),
        ({"step": 2, "events": [], "because": 1}, "step 2.because: expected array"),
        ({"step": 2, "do": None, "events": []}, "None is not an object"),
        (second(7), "7 is not an object"),
        (second({"kind": "row_lost"}), "'row_lost'"),
        (second({"kind": "row_begun", "card": 6}), "missing required field row"),
        (second({"kind": "row_begun", "card": "6", "row": 1}), "a number of a card, got '6'"),
        (second({"kind": "seat_joined", "seat": 10**30}), "expected int <= 1000000"),
        (because({"rule": "6N-1"}), "the reason {'rule'"),
        (because("6N-1"), "the reason '6N-1'"),
        ({"step": 2, "voids": 2}, "step 2 voids step 2"),
        ({"step": 2, "voids": "1"}, "step 2.voids: expected int"),
        ({"step": 2, "voids": 1, "events": []}, "step 2 has neither .* or both"),
        ({"step": 2, "redoes": 1, "events": []}, "step 2 redoes step 1"),
        (second(PLACED), "step 2 does not fit the table before it"),
        (second({"kind": "owners_swapped", "seats": [1]}), "step 2 does not fit the table before it"),
        (second(*LEFT, SCORED), "step 2 does not fit the table before it"),
    ],
)
def test_a_record_that_cannot_follow_is_named_by_the_step_before_it(
    record: dict[str, Any], fault: str
) -> None:
    with pytest.raises(InvalidRecord, match=f"after step 1: .*{fault}") as bad:
        replay([HEADER, LAY, record])
    assert bad.value.fix


OF_ELEVEN = {"log": VERSION, "game": "eleven", "seats": 2}


TURNED_UP = {"step": 1, "events": [{"kind": "card_turned_up", "card": 31, "pile": 0}]}


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "pile_opened", "card": 36, "seat": 2, "pile": 1},
        {"kind": "bulls_returned", "seat": 2, "bulls": 1},
        {"kind": "card_replaced", "pile": 1, "wrong": 31, "card": 32},
        {"kind": "move_reopened"},
    ],
)
def test_an_event_of_11_nimmt_that_cannot_follow_is_named_by_its_step(event: dict[str, Any]) -> None:
    with pytest.raises(InvalidRecord, match="step 2 does not fit the table before it") as bad:
        replay([OF_ELEVEN, TURNED_UP, second(event)])
    assert bad.value.fix


def test_nothing_but_an_undo_follows_the_end_of_a_match() -> None:
    with pytest.raises(InvalidRecord, match="after step 1: step 2 comes after the end of the match"):
        replay([HEADER, ENDED, second()])
    assert replay([HEADER, ENDED, {"step": 2, "voids": 1}]).winners is None


PYTHONS: Final = re.compile(
    r"tuple|out of range|NoneType|not in list|unpack|unhashable|KeyError|argument|supported|object has"
)
"""Words of Python that tell nobody what is wrong with a log."""


def damaged(value: Any, other: int) -> Any:
    """The same event with another number or text wherever it has one."""
    if isinstance(value, dict):
        return {name: part if name == "kind" else damaged(part, other) for name, part in value.items()}
    if isinstance(value, list):
        return [damaged(part, other) for part in value]
    if isinstance(value, str):
        return "Z" * other
    return value if isinstance(value, bool) or value is None else other


@pytest.mark.parametrize("sample", ["match-of-four", "eleven-of-four", "ciao-of-four", "score-typed"])
def test_a_damaged_event_is_refused_in_a_sentence_and_not_in_words_of_python(sample: str) -> None:
    lines = (SAMPLES / f"{sample}.jsonl").read_text(encoding="utf-8").splitlines()
    records = list(from_lines(lines))[:30]
    refused = set()
    for index, record in enumerate(records[1:], start=1):
        for other in (7, 99):
            events = [damaged(event, other) for event in record.get("events", ())]
            try:
                replay([*records[:index], {**record, "events": events}])
            except InvalidRecord as bad:
                refused.add(bad.fault)
    assert not [fault for fault in refused if PYTHONS.search(fault)]
    # Points that people type fit every table, so there only the form of a record can be wrong.
    assert sample == "score-typed" or any(
        fault.endswith("does not fit the table before it") for fault in refused
    )
