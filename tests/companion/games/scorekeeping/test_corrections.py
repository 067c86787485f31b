"""Correcting what is counted, taking a whole count over, joining and leaving between deals."""

from typing import Any

import pytest

from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.core.ruling import Join, Leave, Refused, Swap
from companion.games.scorekeeping.records import Adopt, Close, Correct, TypeSum
from companion.text.errors import NotInThisGame, UnknownCard
from tests.companion.games.scorekeeping.score_match import ScoreMatch
from tests.companion.told import told


def swap(*seats: int) -> Swap:
    return Swap(tuple(map(Seat, seats)))


def counted() -> ScoreMatch:
    game = ScoreMatch(3, of="six", entry="piles")
    game.pile(0, 1, 2, 55)
    game.pile(1, 11)
    game.scan(5)
    return game


def test_a_card_counted_by_mistake_is_replaced_where_it_is() -> None:
    game = counted()
    step = game.do(game.match.game.correct(("55", "005"), ("54",)))
    assert told(step) == (("S-RIGHT", "55, 5 removed, 54 added"),)
    assert game.points == (3, 5, 0)
    assert game.table.counts[0].pile == ("1", "2", "54")
    assert game.table.loose == ()
    game.undo()
    assert game.points == (9, 5, 0)


def test_two_piles_that_were_mixed_up_are_exchanged() -> None:
    game = counted()
    step = game.do(game.match.game.swap((Seat(0), Seat(1))))
    assert told(step) == (("S-SWAP", "player 1 and player 2 swap their scores of this deal"),)
    assert game.points == (5, 9, 0)
    game.do(swap(1, 2))
    assert game.points == (5, 0, 9)
    assert game.table.seats_open == (1,)


@pytest.mark.parametrize(
    ("order", "rule", "fault"),
    [
        (Correct(("7",), ("8",)), "S-RIGHT", "card 7 has not been counted"),
        (Correct((), ("8",)), "S-RIGHT", "cards are replaced one for one"),
        (Correct(("1",), ("8", "9")), "S-RIGHT", "cards are replaced one for one"),
        (Correct(("1", "1"), ("8",)), "S-RIGHT", "cards are replaced one for one"),
        (Correct(("1",), ("11",)), "K2", "card 11 was counted for player 2"),
        (Correct(("1",), ("105",)), "K2", "card 105 is not in the deck 1 to 104"),
        (Correct(("1", "2"), ("8", "8")), "K2", "card 8 is named twice"),
        (swap(0), "S-SWAP", "a swap needs two players"),
        (swap(0, 0), "S-SWAP", "a swap needs two players"),
        (swap(0, 3), "S-PLAYERS", "player 4 is not playing"),
        (Leave(Seat(1)), "S-PLAYERS", "the deal is being counted"),
        (Leave(Seat(4)), "S-PLAYERS", "player 5 is not playing"),
        (Join(Seat(3)), "S-PLAYERS", "the deal is being counted"),
        (Join(Seat(1)), "S-PLAYERS", "player 2 is already playing"),
        (Join(Seat(5)), "S-PLAYERS", "there is no player 6"),
        (Adopt(sums=(1, 2)), "S-RIGHT", "scores given: 2; seats: 3"),
        (Adopt(piles=((), ())), "S-RIGHT", "scores given: 2; seats: 3"),
        (Adopt((1, None, 2), (("5",), (), ())), "S-RIGHT", "a sum and a pile are both given for player 1"),
        (Adopt(rows=("5",), rows_sum=2), "S-RIGHT", "a sum and cards are both given for the rows"),
        (Adopt((1, -1, 2)), "S-VALUES", "nobody can have a score of -1 in a deal"),
        (Adopt(rows_sum=1000), "S-VALUES", "nobody can have a score of 1000 in a deal"),
        (Adopt(rows=("5", "5")), "K2", "card 5 is given twice"),
        (Adopt(piles=(("5",), ("0",), ())), "K2", "card 0 is not in the deck 1 to 104"),
    ],
)
def test_what_cannot_be_corrected_like_this_is_refused(order: Any, rule: str, fault: str) -> None:
    game = counted()
    refused = game.refusal(order)
    assert refused[:2] == (rule, fault)
    assert refused[2]


def test_equal_scores_are_not_exchanged() -> None:
    assert ScoreMatch(2).refusal(swap(0, 1))[1] == "both players have the same score in this deal"


def test_a_count_of_points_only_has_no_piles_and_no_rows() -> None:
    game = ScoreMatch(2)
    assert game.refusal(Adopt(rows=("5",)))[1] == "there are no rows here"
    assert game.refusal(Adopt(rows_sum=5))[1] == "there are no rows here"
    assert game.refusal(Adopt(piles=(("5",), ())))[1] == "in this match points are typed"
    game.do(Adopt((5, None)))
    assert game.table.seats_open == (1,)


def test_players_join_and_leave_between_deals() -> None:
    game = ScoreMatch(3, of="six", end={"deals": 2})
    for seat, points in enumerate((20, 3, 30)):
        game.type(seat, points)
    game.ok()
    game.do(Leave(Seat(1)))
    game.do(Join(Seat(3)))
    assert game.asked == "count a hand 023: TYPE THE POINTS"
    assert game.refusal(TypeSum(4, Seat(1)))[1] == "player 2 is not playing"
    for seat, points in ((0, 5), (2, 6), (3, 30)):
        game.type(seat, points)
    game.ok()
    assert game.match.totals == (25, 3, 36, 30)
    assert game.match.winners == (0,)
    assert game.match.position.score_sheet.deals == ((20, 3, 30), (5, 0, 6, 30))


def test_no_more_come_than_the_game_allows_and_two_stay() -> None:
    game = ScoreMatch(6, of="ciao")
    assert game.refusal(Join(Seat(6)))[2] == "all 6 seats are taken, so nobody can join"
    game.do(Leave(Seat(5)))
    assert game.refusal(Join(Seat(6)))[2] == "use a free player number: 6"
    game.do(Join(Seat(5)))
    two = ScoreMatch(2)
    assert two.refusal(Leave(Seat(0)))[1:] == ("at least 2 players must stay", "end the match instead")
    assert ScoreMatch(10).refusal(Join(Seat(10)))[2] == "all 10 seats are taken, so nobody can join"


def test_a_deal_is_closed_as_it_is_by_the_order_that_ends_deals() -> None:
    game = ScoreMatch(2)
    assert game.match.game.end_deal() == Close(anyway=True)
    assert game.match.game.leave(Seat(1)) == Leave(Seat(1))
    assert game.match.game.join(Seat(2)) == Join(Seat(2))
    with pytest.raises(NotInThisGame) as told:
        game.match.game.adopt((("1",),), 3)
    assert told.value.fix == "scan the piles, or type the sums"
    game.type(0, 1)
    game.type(1, 2)
    game.do(game.match.game.end_deal())
    assert game.match.totals == (1, 2)


def test_an_answer_that_is_none_is_reported() -> None:
    game = counted()
    for kind, text in ((AskKind.CLAIM, "x"), (AskKind.DONE, "x")):
        with pytest.raises(UnknownCard) as unknown:
            game.read(kind, text)
        assert unknown.value.fix


def test_a_closed_deal_takes_nothing_more() -> None:
    game = ScoreMatch(2, end={"deals": 1})
    game.type(0, 1)
    game.type(1, 2)
    game.ok()
    ruling = game.match.game.judge(game.match.position.finished, TypeSum(3, Seat(0)))
    assert isinstance(ruling, Refused)
    assert str(ruling.fault) == "the deal is closed"
