"""The coach: it judges the plays of known hands, by what the player saw, and tells no chance as a mistake."""

from functools import cache

import pytest

from companion.core.cards import Card, Seat
from companion.games.six.records import LayRows, Play
from companion.match.match import Match, Terms, begin
from companion.robots import coach
from companion.robots.levels import Level
from companion.robots.six.seen import finished_turns
from tests.companion.one_match import after
from tests.companion.robots.positions import drafted_match


@cache
def drafted() -> Match:
    return drafted_match((Level.EASY, Level.NORMAL, Level.HARD), 1)


@cache
def judged() -> tuple[coach.PlayAdvice, ...]:
    return tuple(map(coach.judge, coach.plays(drafted())))


def test_every_play_of_a_known_hand_is_judged_once() -> None:
    plays = [play for play in coach.plays(drafted()) if play.row is None]
    assert [(play.turn, play.seat) for play in plays] == [
        (turn, seat) for turn in range(1, 10) for seat in range(3)
    ], "the last card of a hand is no choice"
    for play in plays:
        assert play.card in play.hand
        assert len(play.hand) == 11 - play.turn


@pytest.mark.slow
def test_a_hard_robot_loses_nothing_and_a_child_loses_much() -> None:
    lost = [sum(one.loss for one in judged() if one.play.seat == seat and one.certain) for seat in range(3)]
    assert lost[2] < 3 < lost[0]
    worst = coach.costliest(judged())
    assert len(worst) == 3
    assert worst[0].loss >= worst[1].loss >= worst[2].loss > 0.5
    for one in worst:
        if one.play.row is None:
            assert one.better in one.play.hand
            assert one.better != one.play.card
        else:
            assert one.better_row != one.play.row


def test_every_row_that_a_player_of_a_known_hand_chose_is_judged() -> None:
    rows = [one for one in judged() if one.play.row is not None]
    chosen = {
        (one.turn, placed.seat, placed.card, placed.row)
        for one in finished_turns(drafted())[0]
        for placed in one.placed
        if placed.rule == "6N-4"
    }
    assert {(one.play.turn, one.play.seat, one.play.card, one.play.row) for one in rows} == chosen
    assert len(rows) == len(chosen) > 2
    for one in rows:
        assert one.play.card not in one.play.hand
        assert one.better == one.play.card
        assert one.expected >= one.play.heads
        assert one.certain <= (one.better_row != one.play.row)


def test_the_better_choice_is_never_dearer_and_the_referee_says_what_each_card_met() -> None:
    deal = finished_turns(drafted())[0]
    taking = set[str]()
    for advice in judged():
        assert advice.expected_better <= advice.expected
        assert (advice.better, advice.better_row) != (advice.play.card, advice.play.row) or advice.loss == 0
        happened, instead = advice.placed()
        placed = next(line for line in deal[advice.play.turn - 1].placed if line.card == advice.play.card)
        assert (happened.card, happened.place) == (str(placed.card), str(placed.row + 1))
        assert happened.heads == placed.heads == advice.play.heads
        assert instead.card == str(advice.better)
        assert advice.better_row is None or instead.place == str(advice.better_row + 1)
        assert advice.play.outcome == drafted().position.score_sheet.deals[0][advice.play.seat]
        taking |= {line.because.rule.key for line in (happened, instead) if line.heads}
    assert taking == {"6N-3", "6N-4"}


def test_nothing_is_said_of_a_hand_that_is_not_known() -> None:
    match = after(
        begin(Terms("six", 2, {"end": {"deals": 1}})), LayRows((Card(1), Card(2), Card(3), Card(4)))
    )
    for turn in range(10):
        match = after(match, Play(Card(10 + turn), Seat(0)))
        match = after(match, Play(Card(50 + turn), Seat(1)))
        while match.asks and match.asks[0].need == 0:
            match = after(match, match.game.read(match.asks[0], Seat(0), match.asks[0].choices[0]))
    assert match.position.over
    assert list(coach.plays(match)) == []


def test_a_deal_that_is_still_played_is_not_looked_at() -> None:
    match = drafted()
    while len(match.position.score_sheet.deals) > 0:
        assert match.before is not None
        match = match.before
    assert list(coach.plays(match)) == []
