"""A robot at one seat of a match of 6 nimmt!: what it is told, and for which card it chooses a row."""

import pytest
from msgspec.structs import replace

from companion.core.ask import AskKind
from companion.core.cards import Card, Seat
from companion.games.six.records import Claim, Lay, Play, TakeRow
from companion.match.match import Match, Step, Terms, begin
from companion.robots.levels import Decision, Level, answer
from companion.robots.six.seen import seen_by
from tests.companion.one_match import after


def four_rows() -> Match:
    match = begin(Terms("six", 3))
    for card in (12, 37, 43, 58):
        match = after(match, Lay(Card(card)))
    return match


def test_cards_without_an_owner_are_seen_but_tell_of_nobody() -> None:
    match = four_rows()
    for card in (44, 14, 61):
        match = after(match, Play(Card(card)))
    seen = seen_by(match, Seat(1), [1, 2])
    assert (seen.turns, seen.heads) == ((), (0, 0, 0))
    assert not {12, 37, 43, 58, 44, 14, 61, 1, 2} & set(seen.unseen())
    assert len(seen.unseen()) == 104 - 9


def test_the_owner_of_the_last_card_follows_from_the_others() -> None:
    match = after(after(after(four_rows(), Play(Card(44), Seat(2))), Play(Card(14), Seat(0))), Play(Card(61)))
    assert [turn.cards for turn in seen_by(match, Seat(1), [1]).turns] == [(14, 61, 44)]


def test_who_chooses_a_card_has_not_seen_those_of_the_same_turn() -> None:
    match = four_rows()
    begun = after(match, Play(Card(44)))
    assert seen_by(begun, Seat(1), [1, 2]) == seen_by(match, Seat(1), [1, 2])


@pytest.mark.parametrize("level", Level)
def test_a_robot_chooses_a_row_only_for_its_own_card(level: Level) -> None:
    match = four_rows()
    for card in (5, 14, 61):
        match = after(match, Play(Card(card)))
    assert match.asks[0].kind is AskKind.CHOOSE
    assert answer(Decision(match, Seat(1), ("6", "70"), level, 7)) is None  # it may be the card of anybody
    question = Decision(match, Seat(1), ("5", "70"), level, 7)
    named = four_rows()
    for card, seat in ((5, Seat(1)), (14, None), (61, None)):
        named = after(named, Play(Card(card), seat))
    given = answer(replace(question, match=named))
    assert given is not None
    taken = after(named, TakeRow(int(given.text)))
    assert taken.points[1] == 1  # each of the four rows has one card with one head
    assert isinstance(taken.propose(Play(Card(70), Seat(1))), Step)
    assert not isinstance(taken.propose(Claim(Card(5), Seat(1))), Step)


def test_a_hard_robot_plays_on_when_more_was_seen_than_can_be() -> None:
    match = begin(Terms("six", 2, {"deck": "known"}))
    for card in (21, 22, 23, 24):
        match = after(match, Lay(Card(card)))
    given = answer(Decision(match, Seat(0), tuple(map(str, range(1, 13))), Level.HARD, 1))
    assert given is not None
    assert 1 <= int(given.text) <= 12
