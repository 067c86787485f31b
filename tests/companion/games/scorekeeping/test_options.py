"""What is agreed about a score: of which game, how it comes in, when it ends, who wins."""

from typing import Any

import pytest

from companion.core import games
from companion.core.score_sheet import EndRule
from companion.text.errors import InvalidRecord
from tests.companion.games.scorekeeping.score_match import ScoreMatch

SCORE = games.module("score")


def played(game: ScoreMatch, *deals: tuple[int, ...]) -> ScoreMatch:
    for points in deals:
        for seat, value in enumerate(points):
            game.type(seat, value)
        game.do(game.match.game.end_deal())
    return game


@pytest.mark.parametrize(
    ("of", "end"),
    [("six", EndRule(66)), ("eleven", EndRule(deals=4)), ("ciao", EndRule(deals=5)), ("other", EndRule(100))],
)
def test_a_match_ends_as_the_game_says_unless_something_else_is_agreed(of: str, end: EndRule) -> None:
    assert SCORE.make(4, {"of": of}).end == end
    assert SCORE.make(4, {"of": of, "end": {"deals": 2}}).end == EndRule(deals=2)


def test_the_lowest_total_wins_unless_the_highest_does() -> None:
    assert played(ScoreMatch(3, end={"deals": 1}), (5, 2, 9)).match.winners == (1,)
    game = played(ScoreMatch(3, end={"target": 10}, high_wins=True), (5, 2, 9), (1, 7, 1))
    assert game.match.totals == (6, 9, 10)
    assert game.match.winners == (2,)


def test_points_of_a_team_are_added_up_and_all_its_players_win() -> None:
    game = ScoreMatch(4, teams=[[0, 2], [1, 3]], end={"target": 20})
    played(game, (9, 1, 9, 2))
    assert not game.match.position.over
    played(game, (1, 9, 1, 9))
    assert game.match.totals == (10, 10, 10, 11)
    assert game.match.winners == (0, 2)
    places = game.match.position.score_sheet.standings(game.match.players)
    assert [(place.rank, place.seats, place.total) for place in places] == [(1, (0, 2), 20), (2, (1, 3), 21)]


def test_everybody_begins_with_what_was_agreed() -> None:
    game = ScoreMatch(3, start=[10, 0, -5], end={"deals": 1})
    assert game.match.totals == (10, 0, -5)
    assert not game.match.position.over
    played(game, (1, 2, 8))
    assert game.match.totals == (11, 2, 3)
    assert game.match.winners == (1,)


@pytest.mark.parametrize("target", [1_000, 5_000, 10_000, 99_999])  # two thousand, Canasta, Farkle, ...
def test_a_target_can_be_as_high_as_the_points(target: int) -> None:
    game = ScoreMatch(2, end={"target": target}, start=[target - 1, -target])
    assert not game.match.position.over
    assert played(game, (0, 0), (1, 0)).match.position.over


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"off": "six"}, "options: object contains unknown field off"),
        ({"of": "sex"}, "options.of is 'sex'"),
        ({"of": "score"}, "options.of is 'score'"),
        ({"entry": "piles"}, "the cards of this game are not known"),
        ({"of": "six", "entry": "pile"}, "options.entry: invalid enum value 'pile'"),
        ({"of": "eleven", "entry": "takes"}, "only the cards left in the hands count"),
        ({"deck": "known"}, "only 6 nimmt! has a known deck"),
        ({"of": "eleven", "deck": "known"}, "only 6 nimmt! has a known deck"),
        ({"of": "six", "deck": "half"}, "options.deck: invalid enum value 'half'"),
        ({"teams": [[]]}, "options.teams[0]: expected array of length >= 1"),
        ({"teams": [[0, 4]]}, "a team has the seat 4"),
        ({"teams": [[0, 1], [1]]}, "a seat is in two teams"),
        ({"teams": [[0, 0]]}, "a seat is in two teams, or twice in one"),
        ({"teams": [[0, 1, 2, 3]]}, "all seats are in one team"),
        ({"start": [1, 2]}, "options.start is"),
        ({"start": [1, 2, 3, 100_000]}, "options.start is"),
    ],
)
def test_an_agreement_that_will_not_do_is_reported(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(InvalidRecord) as bad:
        SCORE.make(4, options)
    assert fault in bad.value.fault
    assert bad.value.fix


@pytest.mark.parametrize(
    ("seats", "of"), [(1, "other"), (11, "other"), (8, "eleven"), (7, "ciao"), (11, "six")]
)
def test_no_more_and_no_fewer_play_than_the_game_allows(seats: int, of: str) -> None:
    with pytest.raises(InvalidRecord):
        SCORE.make(seats, {"of": of})


@pytest.mark.parametrize("seats", SCORE.SEATS)
def test_every_way_through_the_questions_leads_to_a_score(seats: int) -> None:
    ways: list[dict[str, Any]] = [{}]
    for question in SCORE.questions(seats):
        ways = [
            {**way, **(choice.options if choice else {})}
            for way in ways
            for choice in (question.choices if question.only.items() <= way.items() else (None,))
        ]
    assert {way["of"] for way in ways} == {
        key for key in ("six", "eleven", "ciao") if seats in games.module(key).SEATS
    } | {"other"}
    for way in ways:
        assert SCORE.make(seats, way).options()["of"] == way["of"]


def test_the_box_on_the_table_is_that_of_the_game() -> None:
    assert [ScoreMatch(2, of=of).match.box for of in ("six", "eleven", "ciao", "other")] == [
        "six",
        "eleven",
        "ciao",
        "",
    ]
    assert str(ScoreMatch(2, of="ciao").match.game.label("gR:+3"))
    assert str(ScoreMatch(2).match.game.label("12345")) == "1234"
