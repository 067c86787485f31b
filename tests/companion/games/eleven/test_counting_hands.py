"""The end of a deal of 11 nimmt!: whose hand is counted, what it can hold, who starts the next deal."""

from typing import Any

import pytest

from companion.core.cards import Card, Seat
from companion.core.ruling import EndDeal
from companion.games.eleven.records import Done, Hand, HandCard
from tests.companion.games.eleven.at_eleven import AtEleven, cards
from tests.companion.games.eleven.naive_eleven import minus


def gone_out(*sizes: int, known: dict[int, list[int]] | None = None, **options: Any) -> AtEleven:
    """A deal that player 1 has just ended; the others have so many cards, of which some are known."""
    game = AtEleven(1 + len(sizes), deals=2, **options)
    hands = [(known or {}).get(seat, []) for seat in range(1, 1 + len(sizes))]
    game.adopt({0: [1]}, hands=[[2], *hands], hand_sizes=[1, *sizes])
    game.scan(2)
    return game


def test_the_hands_are_counted_clockwise_from_who_went_out() -> None:
    game = AtEleven(4, deals=1)
    game.adopt({0: [1]}, hands=[[], [], [2], []], hand_sizes=[2, 1, 1, 3], turn=2)
    game.scan(2)
    (ask,) = game.match.asks
    assert (ask.kind.value, ask.seats, ask.have, ask.need) == ("count a hand", (3,), (), 3)
    assert str(ask.says) == "SCAN THE 3 CARDS"
    game.scan(55, 10)
    assert game.match.asks[0].have == ("55", "10")
    game.scan(7)
    assert game.match.points == (0, 0, 0, 11)
    assert game.match.asks[0].seats == (0,)
    game.scan(20, 30)
    assert str(game.match.asks[0].says) == "SCAN THE LAST CARD"
    game.scan(100)
    assert game.match.totals == (6, 3, 0, 11)
    assert game.match.winners == (2,)


def test_a_hand_is_given_at_once_or_only_its_heads() -> None:
    game = gone_out(3, 2)
    game.hand(1, 55, 10, 7)
    (ask,) = game.match.asks
    order = game.game.read(ask, None, "=4")
    assert order == Hand(Seat(2), heads=4)
    game.do(order)
    assert game.match.totals == (0, 11, 4)


def test_the_last_hand_is_known_when_all_other_cards_are() -> None:
    game = AtEleven(2, deals=1)
    game.adopt({number: [number + 1] for number in range(96)}, hands=[[97, 98], []], hand_sizes=[2, 2])
    assert game.table.deck == 0
    game.play({95: [97]})
    game.take(0)
    game.play({95: [98]})
    assert game.match.winners == (0,)
    assert game.match.totals == (0, minus({1, 99, 100}))


def test_the_cards_that_are_known_need_not_be_scanned() -> None:
    game = gone_out(3, known={1: [55, 10]})
    assert game.asked == ["count a hand"]
    assert game.fault(Done()) == "1 card of this hand is missing"
    game.scan(7)
    assert game.asked == ["count a hand", "end the move"]
    assert [str(label) for label in game.match.asks[1].labels] == ["THE REST IS KNOWN"]
    assert game.rule(Done(Seat(0))) == "11-PLAYERS"
    game.do(game.game.read(game.match.asks[1], None, "done"))
    assert game.match.totals == (0, 11)


def test_a_card_that_cannot_be_left_in_a_hand_is_refused() -> None:
    game = gone_out(3, 4, known={1: [55, 10], 2: [31]})
    for card, fault in (
        (2, "card 2 lies on top of a pile"),
        (31, "card 31 is covered on a pile or in another hand"),
        (0, "there is no card 0"),
    ):
        assert game.fault(HandCard(Card(card))) == fault
    game.scan(7)
    assert game.fault(HandCard(Card(7))) == "card 7 of this hand has already been counted"
    assert game.fault(HandCard(Card(8))) == "player 2 has 3 cards, and 10, 55 must be among them"
    assert game.fix(HandCard(Card(55), Seat(2))) == "player 2 must answer"


@pytest.mark.parametrize(
    ("hand", "fault"),
    [
        (Hand(Seat(1), cards(55, 10)), "2 cards were given"),
        (Hand(Seat(1), cards(55, 10, 10)), "card 10 of this hand has already been counted"),
        (Hand(Seat(1), cards(7, 8, 9)), "player 2 has 3 cards, and 55 must be among them"),
        (Hand(Seat(1)), "a hand needs either its cards or its heads"),
        (Hand(Seat(1), cards(55, 10, 7), 11), "a hand needs either its cards or its heads"),
        (Hand(Seat(2), cards(55, 10, 7)), "it is not player 3's turn to answer"),
        (Hand(Seat(1), heads=8), "a hand of 3 cards cannot have 8 bullheads here"),
        (Hand(Seat(1), heads=18), "a hand of 3 cards cannot have 18 bullheads here"),
        (Hand(Seat(1), heads=-1), "a hand of 3 cards cannot have -1 bullheads here"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(hand: Hand, fault: str) -> None:
    game = gone_out(3, 4, known={1: [55]})
    refused = game.refused(hand)
    assert str(refused.fault) == fault
    if hand.heads is not None and hand.cards is None:
        assert str(refused.fix) == "give a number from 9 to 17, or scan the cards"


def test_a_deal_that_is_ended_early_counts_every_hand() -> None:
    game = AtEleven(2, deals=1)
    assert game.rule(EndDeal()) == "H11-11"
    game.scan(31, 36)
    game.do(EndDeal())
    assert game.match.asks[0].seats == (1,)
    assert game.rule(EndDeal()) == "H11-11"
    game.heads(1, 20)
    game.heads(0, 12)
    assert game.match.totals == (12, 20)
