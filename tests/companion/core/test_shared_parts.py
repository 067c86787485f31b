"""What all games use: reading answers, refusing in the same words, and settling what follows by itself."""

import pytest

from companion.core import games
from companion.core.ask import Ask, AskKind, Wait, read_card, read_choice, read_player, read_points
from companion.core.cards import Seat
from companion.core.ruling import (
    Because,
    Refused,
    Rule,
    cannot_join,
    cannot_leave,
    cannot_swap,
    impossible_position,
    not_offered,
    not_playing,
    settle,
)
from companion.text.errors import NotInThisGame, UnknownCard
from companion.text.sentence import NOTHING, literal, say

RULE = Rule("T-1", "a test", "A RULE", "A rule.")
OTHER_RULE = Rule("T-2", "a test", "ANOTHER RULE", "Another rule.")
THREE = tuple(map(Seat, (0, 1, 3)))
WHICH = Ask(AskKind.CHOOSE, THREE, Wait.ONE, NOTHING, choices=("0", "1", "3"))


def said(refused: Refused | None) -> tuple[str, str]:
    assert refused is not None
    return str(refused.fault), str(refused.fix)


def test_events_that_follow_come_behind_those_of_the_order_each_with_its_reasons() -> None:
    def why(table: int, event: int) -> tuple[Because, ...]:
        return (Because(RULE, say("{table} and {event}", table=table, event=event)),)

    allowed = settle(
        0,
        [1, 2],
        apply=lambda table, event: table + event,
        follows=lambda table: 10 if table < 20 else None,
        why=why,
        reason=Because(OTHER_RULE, say("first")),
    )
    assert allowed.events == (1, 2, 10, 10)
    assert [str(one.says) for one in allowed.because] == [
        "first",
        "0 and 1",
        "1 and 2",
        "3 and 10",
        "13 and 10",
    ]


@pytest.mark.parametrize("text", ["7", " 7 ", "007"])
def test_a_card_is_read_from_its_number(text: str) -> None:
    assert read_card(text, 104, "a game") == 7


@pytest.mark.parametrize("text", ["0", "105", "0007", "-7", "7.0", "", "Ⅶ", "²", "seven"])
def test_what_is_no_number_of_a_card_is_refused_with_the_numbers_there_are(text: str) -> None:
    with pytest.raises(UnknownCard, match="not a card of a game") as unknown:
        read_card(text, 104, "a game")
    assert unknown.value.fix == "the cards are 1 to 104"


def test_a_choice_is_one_of_those_that_were_offered() -> None:
    assert read_choice(WHICH, "3", say("{text} is not a pile")) == "3"
    with pytest.raises(UnknownCard, match="'2' is not a pile") as unknown:
        read_choice(WHICH, "2", say("{text} is not a pile"))
    assert unknown.value.fix == "use one of: 0, 1, 3"


def test_a_player_is_named_by_a_choice_or_else_by_the_badge() -> None:
    assert read_player(WHICH, Seat(1), "3", say("name somebody")) == 3
    assert read_player(WHICH, Seat(1), "", say("name somebody")) == 1
    with pytest.raises(UnknownCard, match="'2' is not a player") as unknown:
        read_player(WHICH, None, "2", say("name somebody"))
    assert unknown.value.fix == "name somebody"


def test_points_may_be_below_zero_only_where_the_game_says_so() -> None:
    assert read_points("=13") == read_points("13") == 13
    assert read_points("=-13", negative=True) == -13
    for text in ("=-13", "=", "=12345", "=1=3", "=--1"):
        with pytest.raises(UnknownCard, match="not a number of points"):
            read_points(text)
    with pytest.raises(UnknownCard):
        read_points("=--1", negative=True)


def test_only_a_seat_that_plays_can_do_anything() -> None:
    assert not_playing(THREE, Seat(3), RULE) is None
    assert said(not_playing(THREE, Seat(2), RULE)) == (
        "player 3 is not playing",
        "choose one of the players 1, 2, 4",
    )


@pytest.mark.parametrize(
    ("seat", "most", "fault", "fix"),
    [
        (1, 6, "player 2 is already playing", "continue"),
        (5, 6, "there is no player 6", "use a free player number: 3, 5"),
        (-1, 6, "there is no player 0", "use a free player number: 3, 5"),
        (4, 4, "there is no player 5", "use a free player number: 3"),
    ],
)
def test_a_player_joins_at_a_free_seat_or_at_the_next_one(seat: int, most: int, fault: str, fix: str) -> None:
    assert cannot_join(THREE, 4, most, Seat(2), RULE) is None
    assert said(cannot_join(THREE, 4, most, Seat(seat), RULE)) == (fault, fix)


def test_nobody_joins_a_full_table() -> None:
    refused = cannot_join(THREE[:2], 2, 2, Seat(2), RULE)
    assert said(refused) == ("there is no player 3", "all 2 seats are taken, so nobody can join")


def test_enough_players_stay() -> None:
    fix = say("end the deal")
    assert cannot_leave(THREE, 2, RULE, fix) is None
    assert said(cannot_leave(THREE, 3, RULE, fix)) == ("at least 3 players must stay", "end the deal")


def test_two_different_players_swap() -> None:
    assert cannot_swap(THREE, THREE[:2], RULE, OTHER_RULE) is None
    for seats in (THREE, THREE[:1], (), (THREE[0], THREE[0])):
        refused = cannot_swap(THREE, seats, RULE, OTHER_RULE)
        assert said(refused) == ("a swap needs two players", "name two different players")
    nobody = cannot_swap(THREE, (Seat(0), Seat(2)), RULE, OTHER_RULE)
    assert nobody is not None
    assert nobody.rule == OTHER_RULE


def test_of_very_many_faults_of_a_position_the_first_are_named_and_the_others_counted() -> None:
    fix = say("look again")
    assert impossible_position([], RULE, 2, fix) is None
    four = [literal(fault) for fault in "abcd"]
    assert said(impossible_position(four[:2], RULE, 2, fix))[0].endswith(": a; b")
    assert said(impossible_position(four, RULE, 2, fix))[0].endswith(": a; b; and 2 more")


def test_a_member_that_a_game_does_not_offer_says_what_serves_instead() -> None:
    with pytest.raises(NotInThisGame, match="no owners") as bad:
        not_offered("there are no owners", "undo")((Seat(0), Seat(1)))
    assert bad.value.fix == "undo"


def test_no_game_takes_the_name_of_another() -> None:
    with pytest.raises(ValueError, match="six"):
        games.register("six", "companion.games.eleven")
    assert games.GAMES["six"] == "companion.games.six"
