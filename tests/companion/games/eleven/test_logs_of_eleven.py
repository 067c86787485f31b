"""Logs of 11 nimmt! that tell what cannot happen: the step is named, and nothing is guessed."""

from typing import Any

import pytest

from companion.match.log import replay
from companion.text.errors import InvalidRecord

HEADER = {"log": 1, "game": "eleven", "seats": 2}
FIRST = {"step": 1, "events": [{"kind": "card_turned_up", "card": 31, "pile": 0}]}
TAKEN = {"kind": "pile_taken", "pile": 0, "cards": [31], "bull": False, "bull_from": None, "due": 2}


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "card_laid", "card": 36, "seat": 0, "pile": 1, "at": 1},
        {"kind": "card_laid", "card": 36, "seat": 2, "pile": 0, "at": 1},
        {"kind": "card_laid", "card": 36, "seat": -1, "pile": 0, "at": 1},
        {"kind": "pile_opened", "card": 36, "seat": 2, "pile": 1},
        {**TAKEN, "seat": 2},
        {**TAKEN, "seat": 0, "bull": True, "bull_from": 2},
        {"kind": "bulls_returned", "seat": 2, "bulls": 1},
        {"kind": "hand_counted", "seat": 2, "cards": [5], "heads": 2},
        {"kind": "card_replaced", "pile": 1, "wrong": 31, "card": 32},
        {"kind": "move_reopened"},
    ],
)
def test_an_event_that_cannot_follow_is_named_by_its_step(event: dict[str, Any]) -> None:
    assert replay([HEADER, FIRST]).steps == 1
    with pytest.raises(InvalidRecord, match="step 2 does not fit the table before it") as bad:
        replay([HEADER, FIRST, {"step": 2, "events": [event]}])
    assert bad.value.fix
