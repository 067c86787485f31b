"""Reasons in the log: stored with their facts, told again in other words, and what is malformed is named."""

import json
from typing import Any

import pytest

from companion.core.cards import Seat, called, listed_players, who
from companion.core.ruling import Reason
from companion.match.log import read_reason, write_reason
from companion.text.errors import InvalidRecord
from companion.text.sentence import NOTHING, CardNumber, Text, Who, count, in_context, say

TAKES = count(
    "{who} takes {cards} ({count} bullhead)",
    "{who} takes {cards} ({count} bullheads)",
    8,
    who=say("{player}", player=who(Seat(2))),
    cards=(55, "J", say("its {what}", what="row")),
)

reasons = pytest.mark.parametrize(
    "says",
    [
        TAKES,
        say("{goes}; it is card number {sixth} there: {taking}", goes=say("there"), sixth=6, taking=TAKES),
        say("{one} and {other}", one=called(Seat(0)), other=1),
        say("{players}", players=listed_players([Seat(0), Seat(3)])),
        say("{players}!", players=(Who(0), Who(3))),
        say("{card} of {cards}", card=CardNumber(3), cards=(CardNumber(4), CardNumber(5))),
        in_context("a title", "TAKES {card}", card=CardNumber(3)),
        say("{a}{b}", a=(), b=((1, 2), "3")),
        say("{{{card}}}", card=1),
        say("the dealer"),
        NOTHING,
    ],
    ids=str,
)


@reasons
def test_a_reason_is_read_with_the_facts_it_was_written_with(says: Text) -> None:
    reason = Reason("6N-3", says)
    record = json.loads(json.dumps(write_reason(reason)))
    assert record["says"] == str(says)
    again = read_reason(record)
    assert again == reason
    assert [type(fact) for fact in again.says.facts.values()] == [type(fact) for fact in says.facts.values()]


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        ({"text": 1}, "the sentence 1 is malformed"),
        ({"text": "a", "facts": []}, "the sentence 'a' is malformed"),
        ({"text": "{card}"}, "has no fact 'card'"),
        ({"text": "a", "plural": "{count}"}, "'{count}' has no fact 'count'"),
        ({"text": "{"}, "cannot be filled in"),
        ({"text": "{}", "facts": {"": 1}}, "names more than a fact"),
        ({"text": "{a.real}", "facts": {"a": 1}}, "names more than a fact"),
        ({"text": "{a:>999999999}", "facts": {"a": 1}}, "names more than a fact"),
        ({"text": "a", "facts": {"a": 1.5}}, "the fact 1.5 is malformed"),
        ({"text": "a", "facts": {"a": {"seat": -1}}}, "the fact {'seat': -1} is malformed"),
        ({"text": "a", "facts": {"a": {"seat": 1, "prefix": 2}}}, "is malformed"),
        ({"text": "a", "facts": {"a": [{}]}}, "the fact {} is malformed"),
        ({"text": "a", "facts": {"a": {"text": "{b}"}}}, "has no fact 'b'"),
        ({"text": "a", "facts": {"a": nested(200)}}, "nested too deeply"),
    ],
)
def test_a_malformed_sentence_is_refused_with_a_fix(record: dict[str, Any], fault: str) -> None:
    with pytest.raises(InvalidRecord) as bad:
        read_reason({"rule": "X", "says": "said", **record})
    assert fault in bad.value.fault
    assert bad.value.fix
