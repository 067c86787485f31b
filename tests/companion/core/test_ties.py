"""A tie for the first place: shared unless players agree on the better last deal or on one more deal."""

import pytest

from companion.core.ruling import Refused
from companion.match.commands import CorrectScore, SettleTie, TieSettled
from tests.companion.core.test_match_end import deal
from tests.companion.games.six.six_match import SixMatch
from tests.companion.told import told

SHARED, LAST, MORE = SettleTie("shared"), SettleTie("last_deal"), SettleTie("one_more")


def tied_after_two_deals() -> SixMatch:
    """Seats 0 and 2 have 9 each; seat 2 had the better last deal."""
    game = SixMatch(3, end={"deals": 2})
    deal(game, 3, 20, 5)
    deal(game, 6, 20, 4)
    return game


def test_players_agree_to_share_and_are_not_asked_again() -> None:
    game = tied_after_two_deals()
    step = game.do(SHARED)
    assert step.events == (TieSettled("shared"),)
    assert [*told(step)] == [("H6-3", "players 1, 3 share the victory")]
    assert (game.match.winners, game.match.tied) == ((0, 2), ())


def test_the_better_last_deal_decides() -> None:
    game = tied_after_two_deals()
    step = game.do(LAST)
    assert [*told(step)] == [
        ("M-LAST-DEAL", "deal 2 decides: player 1 has 6, player 3 has 4, so player 3 wins")
    ]
    assert game.match.winners == (2,)
    standings = game.match.position.score_sheet.standings(game.match.players)
    assert [(place.rank, place.seats[0], place.total) for place in standings] == [
        (1, 2, 9),
        (2, 0, 9),
        (3, 1, 40),
    ]
    assert [str(because.says) for because in game.match.why_next] == [
        "the match is over: deal 2 was the last",
        "players 1, 3 have the fewest: 9",
        "deal 2 decides: player 1 has 6, player 3 has 4, so player 3 wins",
    ]


def test_equal_last_deals_leave_the_victory_shared() -> None:
    game = SixMatch(3, end={"deals": 2})
    deal(game, 3, 5, 3)
    deal(game, 6, 4, 6)
    assert len(game.match.tied) == 3
    game.do(LAST)
    assert game.match.winners == (1,)
    game = SixMatch(3, end={"deals": 2})
    deal(game, 3, 5, 3)
    deal(game, 6, 5, 6)
    step = game.do(LAST)
    assert [*told(step)] == [
        ("M-LAST-DEAL", "deal 2 decides: player 1 has 6, player 3 has 6, so players 1, 3 win"),
        ("H6-3", "players 1, 3 share the victory"),
    ]
    assert game.match.winners == (0, 2)


def test_one_more_deal_is_played_by_all_and_is_the_last() -> None:
    game = tied_after_two_deals()
    step = game.do(MORE)
    assert [*told(step)] == [("M-ONE-MORE", "the match continues: deal 3 breaks the tie and is the last")]
    assert (game.match.winners, game.match.position.deal, len(game.match.players)) == (None, 3, 3)
    assert [because.rule.key for because in game.match.why_next] == ["M-ONE-MORE"]
    deal(game, 8, 0, 7)
    assert game.match.winners == (2,)
    assert str(game.match.why_next[0].says) == "the match is over: deal 3 was the extra one"


def test_a_correction_that_makes_another_tie_opens_the_question_again() -> None:
    game = tied_after_two_deals()
    game.do(SHARED)
    game.do(CorrectScore(1, (3, 2, 5)))
    game.do(CorrectScore(2, (6, 7, 4)))
    assert game.match.winners == (0, 1, 2)
    assert len(game.match.tied) == 3


@pytest.mark.parametrize(
    ("match", "choice", "fault"),
    [
        (SixMatch(2), SHARED, "the match is not over"),
        (tied_after_two_deals(), SettleTie("dice"), '"dice" does not settle a tie'),
    ],
)
def test_a_tie_is_settled_only_where_there_is_one(match: SixMatch, choice: SettleTie, fault: str) -> None:
    assert match.refusal(choice)[:2] == ("M-TIE", fault)


def test_a_single_winner_and_an_agreed_tie_leave_nothing_to_settle() -> None:
    game = SixMatch(2, end={"deals": 1})
    deal(game, 5, 4)
    assert game.fault(SHARED) == "nobody shares the best total"
    game = tied_after_two_deals()
    game.do(LAST)
    again = game.match.propose(MORE)
    assert isinstance(again, Refused)
    assert str(again.fault) == "the players have already agreed on last_deal"
