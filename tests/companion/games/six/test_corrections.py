"""Mistakes of the newest turn corrected: wrong owners, wrong cards, nobody punished."""

from typing import Any

from companion.core.cards import Card, Seat
from companion.core.ruling import EndDeal, Join, Leave, Swap
from companion.games.six.records import Correct, Play
from companion.match.commands import CorrectScore
from tests.companion.games.six.six_match import SixMatch, cards
from tests.companion.told import told


def test_swapped_owners_exchange_what_they_took_in_the_newest_turn_and_nothing_else() -> None:
    game = SixMatch(3)
    game.adopt([[10, 11, 12, 13, 14], [30], [50], [70]], 2, [[20], [21], []])
    game.play(15, 31, 32)
    assert game.taken == [[20, 10, 11, 12, 13, 14], [21], []]
    game.do(Swap((Seat(0), Seat(1))))
    assert game.taken == [[20], [21, 10, 11, 12, 13, 14], []]
    game.do(Swap((Seat(1), Seat(0))))
    assert game.taken == [[20, 10, 11, 12, 13, 14], [21], []]
    game.undo()
    assert game.match.points == (3, 12, 0)


def test_owners_that_nobody_knows_cannot_be_swapped() -> None:
    game = SixMatch(2)
    assert game.rule(Swap((Seat(0), Seat(1)))) == "6N-OWNER"
    game.lay(10, 20, 30, 40)
    game.show((None, 50), (None, 51))
    assert game.rule(Swap((Seat(0), Seat(1)))) == "6N-OWNER"


def test_a_wrong_card_of_the_newest_turn_is_replaced_and_the_turn_placed_again() -> None:
    game = SixMatch(2)
    game.adopt([[10, 11, 12, 13, 14], [30], [50], [70]])
    game.play(15, 71)
    assert game.match.points == (11, 0)
    step = game.do(Correct(cards(15), cards(16)))
    assert told(step)[0] == ("H6-6", "latest turn corrected: 15 removed, 16 added")
    assert game.rows == [[16], [30], [50], [70, 71]]
    assert game.table.turn == 3
    game.undo()
    assert game.rows == [[15], [30], [50], [70, 71]]


def test_a_correction_is_refused_with_what_is_wrong_about_it() -> None:
    game = SixMatch(2)
    game.lay(10, 20, 30, 40)
    assert game.rule(Correct((), cards(1))) == "H6-6"
    game.play(50, 51)
    assert game.fix(Correct(cards(52))) == "use one of 50, 51"
    assert game.fault(Correct((), cards(52))) == "3 cards for 2 players"
    assert game.rule(Correct(cards(50), cards(10))) == "6N-ONE-OF-EACH"
    assert game.fault(Correct(cards(50), cards(51))) == "card 51 is already in this turn"
    assert game.rule(Correct(cards(50, 51), cards(52, 52))) == "6N-ONE-OF-EACH"
    assert game.rule(Correct(cards(50), cards(105))) == "6N-DECK"


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
    assert game.rule(Correct(cards(52), cards(54))) == "H6-6"
    game.undo()
    game.do(Correct(cards(52), cards(54)))


def last_turn(**options: Any) -> SixMatch:
    """A match of two in which the tenth turn of the first deal was played: 15 took a row."""
    game = SixMatch(2, **options)
    game.adopt([[10, 11, 12, 13, 14], [30], [50], [70]], 9, [[20], []])
    game.play(15, 71)
    return game


def test_the_tenth_turn_can_be_corrected_although_the_next_deal_has_begun() -> None:
    game = last_turn()
    assert (game.match.position.deal, game.match.totals) == (2, (14, 0))
    step = game.do(Correct(cards(15), cards(31)))
    assert [event.KIND for event in step.events] == [
        "deal_reopened",
        "turn_reopened",
        "card_placed",
        "card_placed",
        "deal_scored",
    ]
    assert (game.match.position.deal, game.match.totals) == (2, (3, 0))
    assert game.match.finished(1).rows[1] == (30, 31)
    game.undo()
    assert (game.match.position.deal, game.match.totals) == (2, (14, 0))
    game.redo()
    assert game.match.totals == (3, 0)


def test_the_tenth_turn_stays_once_something_was_played_or_its_score_was_corrected_by_hand() -> None:
    game = last_turn()
    game.lay(10, 20, 30, 40)
    assert game.rule(Correct(cards(15), cards(31))) == "H6-6"
    game = last_turn()
    game.do(CorrectScore(1, (5, 0)))
    assert game.rule(Correct(cards(15), cards(31))) == "H6-6"
    game = last_turn()
    game.do(Join(Seat(2)))
    assert game.rule(Correct(cards(15), cards(31))) == "H6-6"


def test_a_deal_that_was_ended_early_is_not_reopened_by_a_correction() -> None:
    game = SixMatch(2)
    game.adopt([[10, 11, 12, 13, 14], [30], [50], [70]], 3)
    game.play(15, 71)
    game.do(EndDeal())
    assert game.fix(Correct(cards(15), cards(31))) == "undo back to the turn that was wrong"
