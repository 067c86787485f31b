"""Why a deal and a match end as they do, who wins and who starts: each with the rule on which it rests."""

from typing import Any

import pytest

from companion.core.cards import Seat
from companion.core.ruling import EndDeal, Leave
from companion.match.commands import CorrectScore, EndMatch
from companion.match.match import Match, Terms, begin
from tests.companion.core.test_match_end import deal
from tests.companion.games.eleven.at_eleven import AtEleven
from tests.companion.games.six.six_match import SixMatch
from tests.companion.told import told

REACHED_66 = {"booklet": "002"}
PASSED_66 = {"booklet": "000"}


def next_of(match: Match) -> list[tuple[str, str]]:
    """Why a match is over or goes on."""
    return [(because.rule.key, str(because.says)) for because in match.why_next]


@pytest.mark.parametrize(
    ("options", "points", "reasons"),
    [
        (REACHED_66, (65, 3), []),
        (
            REACHED_66,
            (70, 3),
            [
                ("6N-END", "the match is over: player 1 has 70; it ends at 66 or more"),
                ("6N-END", "player 2 wins with 3: nobody has fewer"),
            ],
        ),
        (
            REACHED_66,
            (66, 3),
            [
                ("6N-END", "the match is over: player 1 has 66; it ends at 66 or more"),
                ("H6-1", 'exactly 66 is enough here; with "more than 66" the match would go on'),
                ("6N-END", "player 2 wins with 3: nobody has fewer"),
            ],
        ),
        (PASSED_66, (66, 3), [("H6-1", "the match continues: player 1 has 66; it ends only above 66")]),
        (
            PASSED_66,
            (67, 4),
            [
                ("6N-END", "the match is over: player 1 has 67; it ends above 66"),
                ("6N-END", "player 2 wins with 4: nobody has fewer"),
            ],
        ),
        (
            {"end": {"deals": 1}},
            (4, 4),
            [
                ("6N-END", "the match is over: deal 1 was the last"),
                ("6N-END", "players 1, 2 have the fewest: 4"),
                ("H6-3", "players 1, 2 share the victory"),
            ],
        ),
    ],
)
def test_the_end_of_a_match_of_6_nimmt_names_the_limit_the_edition_and_the_tie(
    options: dict[str, Any], points: tuple[int, int], reasons: list[tuple[str, str]]
) -> None:
    game = SixMatch(2, **options)
    deal(game, *points)
    assert next_of(game.match) == reasons
    assert game.match.newest
    first, points_of_deal, *rest = told(game.match.newest)[-2 - len(reasons) :]
    assert first == ("6N-DEAL", "the deal is over after 10 turns")
    assert points_of_deal == ("6N-HEADS", f"deal 1: player 1 gets {points[0]}, player 2 gets {points[1]}")
    assert rest == reasons


def test_the_points_of_a_player_who_left_can_end_the_match_but_not_win_it() -> None:
    game = SixMatch(3, end={"target": 12})
    deal(game, 12, 5, 0)
    game.undo()
    deal(game, 11, 5, 3)
    game.do(Leave(Seat(0)))
    game.lay(10, 20, 30, 40)
    game.do(CorrectScore(1, (12, 5, 3)))
    game.do(EndDeal())
    assert next_of(game.match) == [
        ("6N-END", "the match is over: player 1 has 12; it ends at 12 or more"),
        ("H6-1", 'exactly 12 is enough here; with "more than 12" the match would go on'),
        ("H6-7", "player 1 has left: these points can end the match, but not win it"),
        ("6N-END", "player 3 wins with 3: nobody has fewer"),
    ]
    assert game.match.winners == (2,)


def test_a_match_that_was_ended_early_says_so_and_who_shares_the_victory() -> None:
    game = SixMatch(3)
    deal(game, 9, 4, 4)
    step = game.do(EndMatch())
    assert told(step) == (
        ("M-EARLY", "the players end the match after 1 deal"),
        ("M-OUTCOME", "the match is over: players 2, 3 share the win with 4"),
        ("H6-3", "players 2, 3 share the victory"),
    )
    assert next_of(game.match) == [
        ("M-EARLY", "the players end the match after 1 deal"),
        ("6N-END", "players 2, 3 have the fewest: 4"),
        ("H6-3", "players 2, 3 share the victory"),
    ]


def test_in_the_open_draft_the_first_pick_and_the_rows_have_their_reasons() -> None:
    game = SixMatch(2, deck="known", draft=True)
    assert next_of(game.match) == [("H6-5", "player 1 picks first")]
    *_, last = [game.pick((card - 1) % 2, card) for card in range(1, 21)]
    assert told(last) == (
        ("6N-DRAFT", "the last 4 cards start the rows: 21, 22, 23, 24"),
        ("H6-5", "the lowest of them starts row 1, the highest row 4"),
    )
    game.do(EndDeal())
    assert next_of(game.match) == [("H6-5", "player 2 picks first")]


def test_in_11_nimmt_the_number_of_deals_ends_the_match_and_a_victory_is_shared() -> None:
    game = AtEleven(3, deals=1)
    game.adopt({0: [1]}, hands=[[2], [8, 20, 30], [55]], hand_sizes=[1, 3, 1])
    game.scan(2)
    assert game.match.newest
    assert told(game.match.newest)[2:] == (
        ("11-OUT", "player 2 is left with 8, 20, 30: 7 bullheads"),
        ("H11-1", "3 bullheads each on 20, 30, 1 bullhead on 8"),
        ("11-OUT", "player 3 is left with 55: 7 bullheads"),
        ("H11-1", "7 bullheads on 55"),
        ("11-OUT", "deal 1: player 1 gets 0, player 2 gets 7, player 3 gets 7"),
        ("11-DEALS", "the match is over: deal 1 was the last"),
        ("11-DEALS", "player 1 wins with 0: nobody has fewer"),
    )
    game.match = begin(Terms("eleven", 2, {"deals": 1}))
    game.adopt({0: [1], 1: [50]}, hands=[[9], [19]], hand_sizes=[1, 1])
    game.do(EndDeal())
    assert next_of(game.match)[1:] == [
        ("11-DEALS", "players 1, 2 have the fewest: 1"),
        ("H11-8", "players 1, 2 share the victory"),
    ]
