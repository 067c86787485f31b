"""Whose a card is that comes while a move with bull cards may go on: nobody says that a move is over."""

import pytest

from companion.core.cards import Card, Seat
from companion.games.eleven.records import Claim, Done, PlayCard, ShowCard, Take
from tests.companion.games.eleven.at_eleven import AtEleven, cards
from tests.companion.told import told


def with_one_bull() -> AtEleven:
    """Player 1 of three has a bull card, and has laid 38 on 33."""
    game = AtEleven(3)
    game.adopt({0: [33], 1: [70]}, bulls=[1, 0, 0])
    game.scan(38)
    return game


def test_a_card_on_another_pile_ends_a_move_whose_bull_cards_are_used() -> None:
    game = with_one_bull()
    step = game.show(72)
    assert [says for _, says in told(step)] == ["72 goes on 70: it is 2 higher"]
    assert game.piles == {0: [33, 38], 1: [70, 72]}
    assert (game.table.sizes, game.table.turn, game.table.moving) == ((9, 9, 10), 2, False)
    game.undo()
    assert game.piles == {0: [33, 38], 1: [70]}
    assert (game.table.turn, game.asked[-1]) == (0, "end the move")


def test_a_card_that_can_be_of_both_is_asked_for_and_goes_where_they_say() -> None:
    game = with_one_bull()
    game.show(41)
    (ask,) = game.match.asks
    assert (ask.kind.value, ask.seats, ask.choices, ask.card, str(ask.says)) == (
        "who played it", (0, 1), ("1", "0"), "41", "41: P2'S CARD?",
    )  # fmt: skip
    assert game.piles[0] == [33, 38]
    assert game.fault(ShowCard(Card(42))) == "it is not known yet who played 41"
    assert game.fault(Claim(Card(41), Seat(2))) == "it is not player 3's turn"
    assert game.fault(Claim(Card(42), Seat(1))) == "it does not matter now who played 42"
    game.do(game.game.read(ask, None, "1"))
    assert (game.table.sizes, game.table.turn) == ((9, 9, 10), 2)
    game.undo()
    assert game.match.asks == (ask,)
    game.do(game.game.read(ask, None, "0"))
    assert game.piles[0] == [33, 38, 41]
    assert (game.table.sizes, game.table.turn) == ((8, 10, 10), 0)
    game.undo()
    game.undo()
    assert (game.table.shown, game.asked[-1]) == (None, "end the move")


def test_what_is_known_of_the_hands_says_whose_a_card_is() -> None:
    for holder, turn, sizes in ((0, 0, (8, 10, 10)), (1, 2, (9, 9, 10))):
        game = AtEleven(3)
        hands = [[41] if seat == holder else [] for seat in range(3)]
        game.adopt({0: [33], 1: [70]}, hands=hands, hand_sizes=[10, 10, 10], bulls=[1, 0, 0])
        game.scan(38)
        game.show(41)
        assert (game.table.turn, game.table.sizes) == (turn, sizes)


@pytest.mark.parametrize("order", [PlayCard(Card(72), seat=Seat(1)), Take(1, seat=Seat(1))])
def test_what_the_next_player_does_ends_the_move(order: PlayCard | Take) -> None:
    game = with_one_bull()
    game.do(order)
    assert game.table.turn == 2
    assert game.table.laid == ()
    game = with_one_bull()
    game.show(41)
    assert game.rule(order) == "11-TURN"  # first it is said whose 41 is


def test_a_program_that_names_no_player_goes_on_with_the_move() -> None:
    game = with_one_bull()
    game.do(PlayCard(Card(41)))
    assert game.piles[0] == [33, 38, 41]
    assert game.table.turn == 0
    assert game.rule(PlayCard(Card(72))) == "H11-9"
    game.do(Done())
    assert game.table.turn == 1


def test_outside_of_such_a_move_a_card_that_is_shown_is_played() -> None:
    game = AtEleven(2)
    game.scan(31)
    game.show(36)
    assert game.piles == {0: [31, 36]}
    assert game.table.turn == 1
    assert game.fault(ShowCard(cards(5)[0])) == "5 is lower than the top of every pile (36)"
    assert game.rule(Claim(Card(36), Seat(0))) == "11-TURN"
