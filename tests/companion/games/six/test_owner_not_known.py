"""A card takes a row and nobody knows who played it: play goes on, and the owner can be named later."""

import pytest

from companion.core.ask import AskKind
from companion.core.cards import Card, Seat
from companion.core.ruling import EndDeal
from companion.games.six.records import Claim, Play, SkipOwner, TakeRow
from companion.games.six.rules import ONE_CARD_EACH, OWNER, UNVERIFIED
from tests.companion.games.six.six_match import SixMatch


def at_the_question() -> SixMatch:
    """2 is lower than every end and takes row 1; who played it is asked."""
    game = SixMatch(3)
    game.lay(10, 20, 30, 40)
    for card in (2, 50, 60):
        game.do(Play(Card(card)))
    game.do(TakeRow(0))
    return game


def test_a_row_of_which_nobody_knows_the_taker_is_nobodys_and_the_deal_is_not_verified() -> None:
    game = at_the_question()
    assert game.match.asks[0].kind is AskKind.CLAIM
    step = game.do(game.match.game.without_owner("2"))
    assert step.because[0].rule == UNVERIFIED.key
    assert game.taken == [[], [], []]
    assert game.asked == "play a card"
    assert game.match.game.unclaimed(game.table) == (("2", 3),)
    audit = game.match.game.audit(game.table)
    assert not audit.sound
    assert [str(fault) for fault in audit.faults] == ["OWNER OF 2 NOT KNOWN"]


def test_the_owner_can_be_named_later_and_the_deal_is_verified_again() -> None:
    game = at_the_question()
    game.do(SkipOwner(Card(2)))
    game.do(Play(Card(61)))
    game.do(Claim(Card(2), Seat(1)))
    assert game.taken == [[], [10], []]
    assert game.match.game.audit(game.table).sound
    assert game.refused(Claim(Card(2), Seat(1))).rule is OWNER


def test_a_row_of_an_earlier_turn_keeps_its_owner_when_the_newest_turn_is_corrected() -> None:
    game = at_the_question()
    game.do(SkipOwner(Card(2)))
    for card in (61, 62, 63):
        game.do(Play(Card(card)))
    game.do(Claim(Card(2), Seat(1)))
    game.do(game.match.game.correct(("63",), ("64",)))
    assert game.taken == [[], [10], []]


def test_who_owns_another_card_of_the_turn_cannot_be_named() -> None:
    game = SixMatch(3)
    game.lay(10, 20, 30, 40)
    for card, seat in ((2, None), (50, Seat(0)), (60, None)):
        game.do(Play(Card(card), seat))
    game.do(TakeRow(0))
    game.do(SkipOwner(Card(2)))
    assert game.refused(Claim(Card(2), Seat(0))).rule is ONE_CARD_EACH
    game.do(Claim(Card(2), Seat(2)))


def test_after_the_deal_the_owner_can_be_named_until_the_next_one_has_begun() -> None:
    game = at_the_question()
    game.do(SkipOwner(Card(2)))
    game.do(EndDeal())
    assert game.match.totals == (0, 0, 0)
    game.do(Claim(Card(2), Seat(1)))
    assert game.match.totals == (0, 3, 0)
    assert game.match.position.deal == 2


@pytest.mark.parametrize("card", [50, 99])
def test_no_other_card_can_be_left_without_an_owner(card: int) -> None:
    assert at_the_question().refused(SkipOwner(Card(card))).rule is OWNER
