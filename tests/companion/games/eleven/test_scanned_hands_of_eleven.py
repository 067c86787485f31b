"""Hands that are scanned when they are dealt, as those of robots: the referee knows them, and nobody else."""

from companion.core.ask import AskKind
from companion.core.cards import Card, Seat
from companion.core.ruling import ForgetHands
from companion.games.eleven.records import Register, TurnUp
from tests.companion.games.eleven.at_eleven import AtEleven, cards

HAND = (3, 14, 25, 36, 47, 58, 69, 80, 91, 100)


def with_hand(*hand: int, seat: int = 1) -> AtEleven:
    at = AtEleven(3, hands=[seat], deals=1)
    at.scan(*hand)
    return at


def test_no_card_is_turned_up_before_the_hands_are_scanned() -> None:
    at = AtEleven(3, hands=[0, 2])
    assert "first card is turned up" in at.fault(TurnUp(cards(7)))


def test_the_hand_is_known_all_the_time_and_counted_by_itself() -> None:
    at = with_hand(*HAND)
    at.turn_up(50)
    at.card(51)  # seat 0
    assert "not in player 2's hand" in at.fault(at.game.read(at.match.asks[0], None, "52"))
    at.card(58)
    at.take(0)  # seat 2
    at.turn_up(1, 35)
    at.card(2)  # seat 0
    at.take(1)  # seat 1
    left = {str(card) for card in HAND if card != 58}
    at.turn_up(94, 95)
    assert set(at.game.hand(at.table, Seat(1))) == {*left, "1", "2"}
    at.do(at.game.end_deal())
    while at.match.asks:
        assert at.match.asks[0].seats != (1,)  # nobody has to scan it
        at.do(at.game.read(at.match.asks[0], None, "=15"))
    assert at.match.totals[1] > 0


def test_what_was_scanned_wrong_is_forgotten_and_an_undo_brings_it_back() -> None:
    at = with_hand(*HAND)
    at.turn_up(50)
    refused = at.refused(at.game.read(at.match.asks[0], None, "58"))
    assert "player 2" not in f"{refused.fault} {refused.fix}"
    at.do(ForgetHands())
    at.card(58)
    at.card(59)
    assert at.game.hand(at.table, Seat(1)) == ()
    assert at.match.asks[0].kind is AskKind.PLAY
    for _ in range(3):
        at.undo()
    assert at.game.hand(at.table, Seat(1)) == tuple(map(str, HAND))
    at.do(ForgetHands())
    assert "no hand is known" in at.fault(ForgetHands())


def test_a_hand_is_scanned_only_where_it_was_agreed_only_once_and_only_before_the_deal() -> None:
    at = with_hand(*HAND)
    assert "cards are scanned" in at.fault(Register(Seat(1), Card(99)))
    assert "not scanned" in at.fault(Register(Seat(0), Card(99)))
    assert "not playing" in at.fault(Register(Seat(5), Card(99)))
    at.turn_up(50)
    assert "first card" in at.fault(Register(Seat(1), Card(99)))
    assert "no hand is known" in AtEleven(3).fault(ForgetHands())
