"""Hands that are scanned when they are dealt: from then on a card alone says whose it is."""

from typing import Any

import pytest

from companion.core.ask import AskKind
from companion.core.cards import Card, Seat
from companion.core.ruling import ForgetHands, Refused
from companion.games.six.records import Lay, LayRows, Play, Register
from companion.games.six.rules import REGISTERED
from companion.match.match import Match, Step, Terms, begin
from companion.text.errors import InvalidRecord
from tests.companion.one_match import after

HANDS = {0: range(11, 21), 1: range(31, 41), 2: range(51, 61)}
ROWS = LayRows(tuple(map(Card, (1, 25, 45, 80))))


def dealt(*seats: int) -> list[Register]:
    return [Register(Seat(seat), Card(card)) for seat in seats for card in HANDS[seat]]


def refusal(match: Match, command: Any) -> Refused:
    ruling = match.propose(command)
    assert isinstance(ruling, Refused), ruling
    return ruling


def test_a_card_alone_says_whose_it_is_and_nobody_is_asked() -> None:
    match = after(begin(Terms("six", 3, {"hands": True})), *dealt(0, 1, 2), ROWS)
    match = after(match, Play(Card(60)), Play(Card(40)), Play(Card(11)))
    assert [(one.card, one.seat) for one in match.position.table.placed] == [(11, 0), (40, 1), (60, 2)]
    said = refusal(after(match, Play(Card(12))), Play(Card(13)))
    assert "player 1 has already played 12" in str(said.fault)


def test_a_card_of_no_hand_is_refused_once_all_others_have_a_card() -> None:
    match = after(begin(Terms("six", 3, {"hands": [1]})), *dealt(1), ROWS)
    match = after(match, Play(Card(98)), Play(Card(99), Seat(0)))
    assert "in nobody's hand" in str(refusal(match, Play(Card(97))).fault)
    assert after(match, Play(Card(31))).position.table.turn == 1


def test_a_hand_can_be_played_without_and_an_undo_brings_it_back() -> None:
    match = after(begin(Terms("six", 3, {"hands": True})), *dealt(0, 1)[:13])
    without = after(match, ForgetHands())
    assert without.asks[0].kind is AskKind.LAY
    played = after(without, ROWS, Play(Card(60)), Play(Card(11)), Play(Card(99)))
    assert [one.seat for one in played.position.table.placed] == [None] * 3
    undone = without.undo()
    assert isinstance(undone, Step)
    assert without.then(undone).asks[0].have == ("?",) * 3


@pytest.mark.parametrize("order", [Lay(Card(11)), LayRows((Card(25), Card(11), Card(45), Card(80)))])
def test_a_card_of_a_scanned_hand_starts_no_row(order: Lay | LayRows) -> None:
    match = after(begin(Terms("six", 3, {"hands": [0]})), *dealt(0))
    said = refusal(match, order)
    assert said.rule is REGISTERED
    assert "scanned already" in str(said.fault)
    assert "player 1" not in f"{said.fault} {said.fix}"


def test_hands_are_known_from_the_draft_or_scanned() -> None:
    with pytest.raises(InvalidRecord, match="open draft"):
        begin(Terms("six", 3, {"deck": "known", "draft": True, "hands": True}))
