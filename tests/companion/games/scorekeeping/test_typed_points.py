"""Typed sums: in any order, each to be corrected until the deal is closed; what they are checked against."""

import pytest

from companion.core.ask import AskKind, Wait
from companion.core.cards import Seat
from companion.games.scorekeeping.records import Close, CountCard, EndPile, TypeSum
from companion.text.errors import UnknownCard
from tests.companion.games.scorekeeping.score_match import ScoreMatch
from tests.companion.told import told

ROWS = (43, 22, 11, 37, 20, 15, 30, 40, 4)
"""Nine cards of the known deck of four, with 24 heads; 48 of 72 are taken."""


def test_sums_are_typed_in_any_order_and_the_open_ones_are_asked_for() -> None:
    game = ScoreMatch(4)
    assert game.asked == "count a hand 0123: TYPE THE POINTS"
    assert game.match.asks[0].wait is Wait.ALL
    game.type(2, 7)
    game.type(0, 12)
    assert game.asked == "count a hand 13: TYPE THE POINTS"
    assert game.points == (12, 0, 7, 0)
    game.type(3, 0)
    game.type(1, 19)
    assert game.asked == "end the move 0123: IS THAT RIGHT?"
    step = game.ok()
    assert told(step) == (
        ("S-CLOSE", "the deal is closed; nothing could be checked"),
        ("M-POINTS", "deal 1: player 1 gets 12, player 2 gets 19, player 3 gets 7, player 4 gets 0"),
    )
    assert game.match.totals == (12, 19, 7, 0)
    assert game.match.position.deal == 2
    assert game.asked == "count a hand 0123: TYPE THE POINTS"


def test_without_a_player_a_sum_is_that_of_the_first_who_has_none() -> None:
    game = ScoreMatch(3)
    for points in (4, 5, 6):
        game.give(AskKind.HAND, f"={points}")
    assert game.points == (4, 5, 6)
    with pytest.raises(UnknownCard) as unknown:
        game.read(AskKind.HAND, "=7")
    assert unknown.value.fix == "name the player"


def test_points_below_nothing_exist_only_where_the_game_is_not_known() -> None:
    game = ScoreMatch(2)
    game.type(0, -13)
    assert game.points == (-13, 0)
    game.type(1, 99999)
    assert game.refusal(TypeSum(-100000, Seat(0)))[1:] == (
        "nobody can have a score of -100000 in a deal",
        "use -99999 to 99999",
    )
    assert ScoreMatch(2, of="six").refusal(TypeSum(-1, Seat(0)))[2] == "use 0 to 999"


def test_in_a_known_deck_the_last_sum_is_predicted_once_the_rows_are_counted() -> None:
    game = ScoreMatch(4, of="six", deck="known")
    game.scan(*ROWS)
    assert game.table.box.points(game.table.rows) == 24
    game.type(0, 12)
    game.type(1, 19)
    assert game.asked == "count a hand 23: TYPE THE POINTS"
    game.type(2, 7)
    assert game.asked == "count a hand 3: 10 OF 72 LEFT?"
    game.type(3, 10)
    assert game.asked == "end the move 0123: IS THAT RIGHT?"
    assert told(game.ok())[0] == ("S-CLOSE", "the sums add up to 72, as the whole deck does")


def test_the_heads_of_the_rows_can_be_typed_too() -> None:
    game = ScoreMatch(2, of="six", deck="known")
    game.give(AskKind.LAY, "=20")
    game.type(0, 8)
    assert game.asked == "count a hand 1: 10 OF 38 LEFT?"
    game.type(1, 9)
    assert game.asked == "lay four rows 01: SUM: 37 OF 38 POINTS"
    game.give(AskKind.LAY, "=21")
    assert game.asked == "end the move 01: IS THAT RIGHT?"


@pytest.mark.parametrize(
    ("last", "fault"), [(9, "sum 71 of 72: one head too few"), (40, "sum 102 of 72: 30 heads too many")]
)
def test_in_a_known_deck_a_sum_that_does_not_fit_is_named_and_blocks_nothing(last: int, fault: str) -> None:
    game = ScoreMatch(4, of="six", deck="known")
    game.scan(*ROWS)
    for seat, points in enumerate((12, 19, 7, last)):
        game.type(seat, points)
    assert game.faults == [fault]
    assert not game.match.game.audit(game.table).sound
    assert game.asked.startswith("lay four rows 0123: SUM")
    assert game.ask(AskKind.DONE).choices == ("close", "anyway")
    assert game.refusal(Close()) == ("K3", fault, "correct it, or close the deal anyway")
    step = game.ok(1)
    assert told(step)[0] == ("K3", f"closed anyway: {fault}")
    assert game.match.position.finished.faults == ("K3",)
    assert game.match.totals == (12, 19, 7, last)


def test_sums_that_no_cards_can_have_are_named_also_with_an_unknown_deck() -> None:
    game = ScoreMatch(2, of="six")
    game.scan(*ROWS)
    game.type(0, 8)
    game.type(1, 6)
    assert game.faults == ["the typed sums add up to 14, but only 15 to 60 is possible"]
    game.type(1, 7)
    assert game.faults == []
    game.type(1, 53)
    assert game.faults == ["the typed sums add up to 61, but only 15 to 60 is possible"]
    assert game.refusal(Close())[0] == "K6"


def test_even_without_the_rows_some_sums_are_impossible() -> None:
    game = ScoreMatch(2, of="six")
    game.type(0, 1)
    game.type(1, 2)
    assert game.faults == ["the typed sums add up to 3, but only 4 to 79 is possible"]
    game.type(1, 3)
    assert game.faults == []


@pytest.mark.parametrize("cards", [(5, 6, 7), tuple(range(1, 22))])
def test_rows_of_fewer_than_four_or_more_than_twenty_cards_are_named(cards: tuple[int, ...]) -> None:
    game = ScoreMatch(3, of="six")
    game.scan(*cards)
    for seat in range(3):
        game.type(seat, 10)
    assert game.faults[0] == f"there are {len(cards)} cards in the rows, but four rows have 4 to 20"


@pytest.mark.parametrize("of", ["eleven", "ciao"])
def test_where_hands_are_counted_exactly_one_is_empty(of: str) -> None:
    game = ScoreMatch(3, of=of)
    for seat, points in enumerate((3, 5, 1)):
        game.type(seat, points)
    assert game.faults == ["nobody has 0 points, but one hand must be empty"]
    assert game.refusal(Close())[0] == "K5"
    game.type(1, 0)
    assert game.faults == []
    game.type(2, 0)
    assert game.faults == ["players 2, 3 have 0 points, but only one hand can be empty"]
    game.type(2, 300)
    assert len(game.faults) == 1
    assert game.faults[0].startswith("the typed sums add up to 303, but only 0 to ")


@pytest.mark.parametrize(
    ("order", "rule", "fault", "fix"),
    [
        (TypeSum(5, Seat(0)), "S-VALUES", "5 points are already entered", "continue, or type another number"),
        (TypeSum(5, Seat(3)), "S-PLAYERS", "player 4 is not playing", "choose one of: players 1, 2, 3"),
        (TypeSum(5, Seat(-1)), "S-PLAYERS", "player 0 is not playing", "choose one of: players 1, 2, 3"),
        (Close(), "S-VALUES", "players 2, 3 have no score yet", "give every player a score, even if it is 0"),
        (
            Close(anyway=True),
            "S-VALUES",
            "players 2, 3 have no score yet",
            "give every player a score, even if it is 0",
        ),
        (CountCard("7", Seat(1)), "S-ENTRY", "player 2's points were typed", "type them again"),
        (EndPile(Seat(1)), "S-ENTRY", "in this match points are typed", "type the sum"),
    ],
)
def test_an_order_that_does_not_fit_is_refused_with_what_does(
    order: object, rule: str, fault: str, fix: str
) -> None:
    game = ScoreMatch(3, of="six")
    game.type(0, 5)
    assert game.refusal(order) == (rule, fault, fix)


def test_where_only_points_are_known_no_card_is_taken() -> None:
    game = ScoreMatch(3)
    assert game.refusal(CountCard("7")) == (
        "S-ENTRY",
        "the cards of this game are not known",
        "type the points",
    )
    with pytest.raises(UnknownCard) as unknown:
        game.read(AskKind.HAND, "7")
    assert unknown.value.fix == "type the points"
    assert game.refusal(TypeSum(5))[1] == "there are no rows here"
    assert ScoreMatch(3, of="eleven").refusal(CountCard("7"))[1:] == (
        "in this match points are typed",
        "type the points in the hand",
    )
