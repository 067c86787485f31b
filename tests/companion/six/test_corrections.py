"""Mistakes of the newest turn corrected: wrong owners, wrong cards, nobody punished."""

from __future__ import annotations

import pytest

from companion.cards import Card, Seat
from companion.games.six.commands import Correct, Play, Swap
from companion.lifecycle import Leave
from tests.companion.six.six_match import SixMatch, cards


def test_swapped_owners_exchange_what_they_took_in_the_newest_turn_and_nothing_else() -> None:
    game = SixMatch(3)
    game.adopt([[10, 11, 12, 13, 14], [30], [50], [70]], 1, [[20], [21], []])
    game.play(15, 31, 32)
    assert game.taken == [[20, 10, 11, 12, 13, 14], [21], []]
    game.do(Swap((Seat(0), Seat(1))))
    assert game.taken == [[20], [21, 10, 11, 12, 13, 14], []]
    game.do(Swap((Seat(1), Seat(0))))
    assert game.taken == [[20, 10, 11, 12, 13, 14], [21], []]
    game.undo()
    assert game.match.points == (3, 12, 0)


def test_a_swap_leaves_a_third_player_what_he_took_in_the_same_turn() -> None:
    game = SixMatch(3)
    game.adopt([[10, 11, 12, 13, 14], [30, 31, 32, 33, 34], [50], [70]])
    game.play(15, 51, 35)
    game.do(Swap((Seat(0), Seat(1))))
    assert game.taken == [[], [10, 11, 12, 13, 14], [30, 31, 32, 33, 34]]


def test_owners_are_swapped_before_a_row_is_chosen_too() -> None:
    game = SixMatch(2)
    game.lay(20, 30, 40, 50)
    game.play(10, 60)
    assert game.match.asks[0].seats == (0,)
    game.do(Swap((Seat(0), Seat(1))))
    assert game.match.asks[0].seats == (1,)
    assert game.take(2, 1)[0].seat == 1


@pytest.mark.parametrize("seats", [(), (0,), (0, 0), (0, 1, 2), (0, 9), (-1, 0)])
def test_a_swap_is_between_two_different_players(seats: tuple[int, ...]) -> None:
    game = SixMatch(3)
    game.lay(10, 20, 30, 40)
    game.play(50, 51, 52)
    game.refused(Swap(tuple(map(Seat, seats))))


def test_owners_that_nobody_knows_cannot_be_swapped() -> None:
    game = SixMatch(2)
    assert game.refused(Swap((Seat(0), Seat(1)))).rule.key == "6N-OWNER"
    game.lay(10, 20, 30, 40)
    game.show((None, 50), (None, 51))
    assert game.refused(Swap((Seat(0), Seat(1)))).rule.key == "6N-OWNER"


def test_a_wrong_card_of_the_newest_turn_is_replaced_and_the_turn_placed_again() -> None:
    game = SixMatch(2)
    game.adopt([[10, 11, 12, 13, 14], [30], [50], [70]])
    game.play(15, 71)
    assert game.match.points == (11, 0)
    step = game.do(Correct(cards(15), cards(16)))
    assert step.because[0] == ("H6-6", "latest turn corrected: 15 removed, 16 added")
    assert (game.asked, game.match.asks[0].card) == ("who played it", "16")
    game.claim(16, 0)
    assert game.rows == [[16], [30], [50], [70, 71]]
    assert game.table.turn == 1
    game.undo()
    game.undo()
    assert game.rows == [[15], [30], [50], [70, 71]]


def test_a_correction_may_leave_the_turn_open_and_even_empty() -> None:
    game = SixMatch(2)
    game.lay(10, 20, 30, 40)
    before = game.table
    game.play(50, 51)
    game.do(Correct(cards(50)))
    assert (game.asked, game.match.asks[0].seats, game.match.asks[0].have) == ("play a card", (0,), ("51",))
    game.do(Correct(cards(51)))
    assert (game.rows, game.table.turn, game.table.shown) == ([list(row) for row in before.rows], 0, ())
    assert game.refused(Correct()).rule.key == "H6-6"
    game.play(50, 51)


def test_a_correction_is_refused_with_what_is_wrong_about_it() -> None:
    game = SixMatch(2)
    game.lay(10, 20, 30, 40)
    assert game.refused(Correct((), cards(1))).rule.key == "H6-6"
    game.play(50, 51)
    assert str(game.refused(Correct(cards(52))).fix) == "use one of 50, 51"
    assert str(game.refused(Correct((), cards(52))).fault) == "3 cards for 2 players"
    assert game.refused(Correct(cards(50), cards(10))).rule.key == "6N-ONE-OF-EACH"
    assert str(game.refused(Correct(cards(50), cards(51))).fault) == "card 51 is already in this turn"
    assert game.refused(Correct(cards(50, 51), cards(52, 52))).rule.key == "6N-ONE-OF-EACH"
    assert game.refused(Correct(cards(50), cards(105))).rule.key == "6N-DECK"


def test_a_correction_does_not_bring_back_a_player_who_has_left() -> None:
    game = SixMatch(4)
    game.lay(10, 20, 30, 40)
    game.show((0, 50), (1, 51))
    game.do(Leave(Seat(3)))
    game.do(Correct(cards(50), cards(52)))
    assert game.match.players == (0, 1, 2)
    game.do(Play(Card(53), Seat(2)))
    assert game.table.turn == 1
    game.do(Leave(Seat(2)))
    assert game.refused(Correct(cards(52), cards(54))).rule.key == "H6-6"
    game.undo()
    game.do(Correct(cards(52), cards(54)))


def test_a_finished_deal_is_not_corrected_but_undone() -> None:
    game = SixMatch(2)
    game.adopt([[1], [2], [3], [4]], 9)
    game.play(50, 51)
    assert game.match.position.deal == 2
    assert str(game.refused(Correct(cards(50), cards(52))).fix) == "undo back to the turn that was wrong"
