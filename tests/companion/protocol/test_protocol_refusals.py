"""Malformed requests: the referee says what came and what would do, and the match is as it was."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.protocol.referee import LONGEST_LINE
from tests.companion.protocol_client import REQUEST, started
from tests.examples import examples


@pytest.mark.parametrize(
    ("line", "fault", "fix"),
    [
        ("{", "not valid JSON: it ends too early", "one JSON object"),
        ("[]", "not a JSON object", "send one of: new"),
        (b"{\"\xfc", "not valid UTF-8 at character 3", "UTF-8"),
        ('{"show": true} {"show": true}', "not valid JSON", "one JSON object"),
        ('{"do": {"kind": "lay", "card": 1, "card": 2}}', "the same key twice", "once"),
        ('{"do": {"kind": "lay", "card": NaN}}', "NaN is not a JSON number", "whole numbers"),
        ('{"do": {"kind": "lay", "card": 1e400}}', "a number of a card, got inf", "integer"),
        ('{"do": {"kind": "lay", "card": %s}}' % ("9" * 4000), "a number of a card, got 999", "integer"),
        ('{"do": {"kind": "lay", "card": %s}}' % ("9" * 5000), "not valid JSON", ""),
        ('{"do": {"kind": "claim", "card": 1, "seat": %s}}' % ("9" * 4300), "claim.seat", "integer"),
        ('{"do": {"kind": "lay"}}', "missing required field card", "card"),
        ('{"do": {"kind": "lay", "card": 1, "seat": 0}}', "unknown field seat", "card"),
        ('{"do": {"kind": "lays", "card": 1}}', "unknown kind 'lays'", "did you mean 'lay'?"),
        ('{"do": {"card": 1}}', "no kind", "use one of: adopt"),
        ('{"do": {"kind": ["lay"]}}', "unknown kind", "lay"),
        ('{"do": []}', "[] is not an object", "kind"),
        ('{"position": null}', "'position' is not a position", "see the schema"),
        ('{"position": {}}', "missing required field rows", "rows"),
        ('{"position": {"kind": "lay", "card": 1}}', "'position' is not a position", "see the schema"),
        ('{"position": {"rows": [[1], [2], [3], 4]}}', "adopt.rows[3]: expected array, got int", "array"),
        ('{"position": {"rows": [[1], [2], [3], [4]], "turns": 1}}', "unknown field turns", "turn"),
        ('{"shows": true}', "the request names no action", "did you mean 'show'?"),
        ("{}", "the request names no action", "send one of: new"),
        ('{"show": true, "undo": true}', "undo and show", "one request per line"),
        ('{"show": 1}', "'show' is 1", '{"show": true}'),
        ('{"undo": "\\ud800"}', r"'undo' is '\ud800'", '{"undo": true}'),
        ('{"show": true, "colour": 1}', "unknown key 'colour'", "show"),
        ('{"legal": true, "seats": [0]}', "unknown key 'seats'", "did you mean 'seat'?"),
        ('{"hello": 1}', "'hello' is 1", '{"hello": true}'),
        ('{"legal": true, "seat": 2}', "'seat' is 2", "the seat of a player, or leave it out: 0, 1"),
        ('{"list": true}', "no journal", "nimmt referee --journal FILE"),
        ('{"resume": 1}', "no journal", "nimmt referee --journal FILE"),
        ('{"new": 6, "seats": 2}', "'new' is 6", "six"),
        ('{"new": "sixx", "seats": 2}', "no game 'sixx'", "did you mean 'six'?"),
        ('{"new": "six"}', "'seats' is missing", '"seats": 4'),
        ('{"new": "six", "seats": "2"}', "'seats' is '2'", '"seats": 4'),
        ('{"new": "six", "seats": 1}', "the number of seats is 1", "2 to 10"),
        ('{"new": "six", "seats": %s}' % ("9" * 4000), "the number of seats is 9999", "2 to 10"),
        ('{"new": "six", "seats": 2, "first": 2}', "seat 2 cannot be first", "0 to 1"),
        ('{"new": "six", "seats": 2, "first": "0"}', "'first' is '0'", "counted from 0"),
        ('{"new": "six", "seats": 7, "options": {"deck": "known"}}', "2 to 6 seats, not 7", "full"),
    ],
)  # fmt: skip
def test_a_bad_line_is_answered_with_what_came_and_would_do(line: str | bytes, fault: str, fix: str) -> None:
    answer = started().fault(line)
    assert fault in answer["fault"]
    assert fix in answer["fix"]
    assert "rule" not in answer
    assert len(answer["fault"]) + len(answer["fix"]) < 250


@pytest.mark.parametrize(
    ("options", "fault", "fix"),
    [
        ("[]", "'options' is []", "{}"),
        ('{"decks": "full"}', "unknown field decks", "deck"),
        ('{"deck": "half"}', "'half'", '"known"'),
        ('{"draft": true}', "needs the known deck", "known"),
        ('{"draft": 1}', "options.draft: expected bool, got int", "boolean"),
        ('{"booklet": "001"}', "'001'", '"000"'),
        ('{"booklet": "000", "end": {"deals": 1}}', "disagree", "one"),
        ('{"end": 66}', "options.end: expected object, got int", "target"),
        ('{"end": {}}', "no target", '"target": 66'),
        ('{"end": {"target": 0}}', "target: expected int >= 1", '"maximum": 99999'),
        ('{"end": {"deals": 1, "when": "passed"}}', "both", "use"),
        ('{"end": {"target": 66, "when": "met"}}', "'met'", '"reached"'),
        ('{"end": {"targets": 66}}', "unknown field targets", "target"),
    ],
)
def test_options_that_will_not_do_are_refused_with_what_would(options: str, fault: str, fix: str) -> None:
    answer = started().fault(f'{{"new": "six", "seats": 2, "options": {options}}}')
    assert fault in answer["fault"]
    assert fix in answer["fix"]


@pytest.mark.slow
@pytest.mark.parametrize("opening", ["[", '{"a":', '{"do": {"kind": [', '{"new": ['])
@pytest.mark.parametrize("depth", [10, 480, 980, 1000, 100_000])
def test_deep_nesting_is_refused_whatever_its_depth(opening: str, depth: int) -> None:
    client = started()
    for line in (
        (opening + "[" * depth + "]" * depth + "}" * opening.count("{"))[:LONGEST_LINE],
        '{"do": {"kind": "lay", "card": ' + "[" * depth + "]" * depth + "}}",
        '{"new": "six", "seats": 2, "options": ' + '{"end":' * depth + "1" + "}" * (depth + 1),
    ):
        assert client.fault(line)["ok"] is False
    assert client.raw(b'{"show": true}')["ok"]


def test_a_line_longer_than_allowed_is_refused_and_one_as_long_as_allowed_is_read() -> None:
    client = started()
    padding = " " * (LONGEST_LINE - len('{"show": true}'))
    assert client.raw(b'{"show": true}' + padding.encode())["ok"]
    assert "longer than 1000000 bytes" in client.fault('{"show": true} ' + padding)["fault"]


def test_a_position_of_nonsense_gets_an_answer_of_reasonable_size() -> None:
    client = started()
    lots = ",".join(["[1]"] * 20_000)
    answer = client.fault(f'{{"position": {{"rows": [{lots}]}}}}')
    assert answer["rule"] == "H6-9"
    assert len(answer["fault"]) < 10_000
    assert answer["fault"].endswith("more")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
words = st.sampled_from(
    ["new", "seats", "options", "first", "position", "do", "undo", "show", "schema", "kind", "card", "cards",
     "seat", "rows", "turn", "taken", "end", "target", "deck", "draft", "six", "play", "lay", "row",
     "redo", "legal", "names", "list", "resume", "hello", "public"]
)  # fmt: skip
near_requests = st.dictionaries(
    words, json_values | words | st.dictionaries(words, json_values | words, max_size=4), max_size=3
)


@examples(50)
@given(
    line=st.binary(max_size=200)
    | st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
@example(line=b'{"schema":true}')  # chance finds such requests, too
def test_any_bytes_are_answered_and_change_nothing(line: bytes) -> None:
    client = started()
    before = client.send(show=True)
    answer = client.raw(line)
    if answer["ok"]:
        assert REQUEST.is_valid(json.loads(line))
        return
    assert answer["fault"]
    assert answer["fix"]
    assert client.send(show=True) == before


@examples(60)
@given(request=json_values | near_requests)
def test_any_json_is_answered_within_the_schema(request: Any) -> None:
    client = started()
    before = client.send(show=True)
    answer = client.raw(json.dumps(request).encode())
    if not answer["ok"]:
        assert answer["fault"]
        assert answer["fix"]
        assert client.send(show=True) == before
