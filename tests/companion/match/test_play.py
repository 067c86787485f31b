"""`Match.play`: an answer, and the match after it."""

import pytest

from companion import AskKind, Match, Refused, Terms, UnknownCard, begin


def played(match: Match, *texts: str) -> Match:
    for text in texts:
        after = match.play(text)
        assert isinstance(after, Match), str(after.fault)
        match = after
    return match


def test_an_answer_gives_the_match_after_it_and_the_match_before_stays() -> None:
    start = begin(Terms("six", 2))
    match = played(start, "12", "37", "43", "58", "44", "14")
    assert match.board.stacks[0].cards == ("12", "14")
    assert start.steps == 0


def test_a_wrong_answer_is_refused_with_its_reason() -> None:
    match = played(begin(Terms("six", 2)), "12", "37", "43", "58", "44", "14")
    refused = match.play("44")
    assert isinstance(refused, Refused)
    assert str(refused.fault) == "card 44 is already in row 3"
    with pytest.raises(UnknownCard):
        match.play("200")


def test_one_of_several_questions_can_be_named() -> None:
    match = played(begin(Terms("eleven", 3)), "20")
    assert {ask.kind for ask in match.asks} >= {AskKind.PLAY, AskKind.TAKE}
    after = match.play("0", kind=AskKind.TAKE)
    assert isinstance(after, Match)
    with pytest.raises(ValueError, match="no question"):
        match.play("1", kind=AskKind.CHOOSE)
