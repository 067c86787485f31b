"""Hands of which all is known, as those of robots: scanned when dealt, and whenever a card has come in."""

from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.games.ciao.cards import Card
from companion.games.ciao.records import Play
from companion.games.ciao.table import Stage
from tests.companion.games.ciao.ciao_match import CiaoMatch

HAND = ("gR#1", "gP#1", "yS#1", "rR#1", "gS:SW#1", "yP#1", "yJ#1")


def with_hand(*hand: str, seat: int = 1, seats: int = 3) -> CiaoMatch:
    at = CiaoMatch(seats, hands=[seat])
    for card in hand:
        at.answer(card)
    return at


def asked_for(at: CiaoMatch) -> tuple[AskKind, int, int, int]:
    ask = at.match.asks[0]
    return ask.kind, ask.seats[0], len(ask.have), ask.need


def test_drawn_cards_are_scanned_and_the_drawn_one_alone_may_be_played() -> None:
    at = with_hand(*HAND)
    at.play("gS#1")
    at.draw()
    assert asked_for(at) == (AskKind.HOLD, 1, 7, 8)
    news = at.table.news
    at.answer("rS#1")
    assert at.table.news == news  # what happened last stays on the display
    assert at.table.stage is Stage.DRAWN
    assert at.table.drawn == "rS#1"
    assert "not the card that was drawn" in at.fault(Play(Card("gR#1")))
    at.play("rS#1")
    assert at.table.turn == 2


def test_after_a_swap_the_new_hand_is_scanned() -> None:
    at = with_hand(*HAND)
    at.play("yP#2")
    at.play("gS:SW#1")
    at.answer("0")
    assert at.table.hands[0].known == tuple(card for card in HAND if card != "gS:SW#1")
    assert asked_for(at) == (AskKind.HOLD, 1, 0, 6)
    for card in ("gR#2", "gR#3", "gP#2", "gP#3", "yR#1", "yR#2"):
        at.answer(card)
    assert at.match.asks[0].kind is AskKind.PLAY


def test_a_card_that_comes_face_down_is_scanned_and_a_shown_one_is_not() -> None:
    at = with_hand(*HAND)
    at.play("gP:BC#1")
    at.answer("1")
    at.answer("not shown", place=1)
    at.answer("no")
    assert asked_for(at) == (AskKind.HOLD, 1, 7, 11)
    at = with_hand(*HAND)
    at.play("gP:BC#1")
    at.answer("1")
    at.answer("T#1")
    at.answer("yes")
    assert at.match.asks[0].kind is AskKind.PLAY
    assert at.game.hand(at.table, Seat(1)) == (*HAND, "T#1")
