"""The score of finished deals corrected, matches ended early: what is kept, what follows, what is refused."""

import json
from random import Random
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.cards import Seat
from companion.core.codec import decode, encode
from companion.core.ruling import Join, Leave, Refused
from companion.match.commands import (
    COMMANDS,
    EVENTS,
    CorrectScore,
    EndMatch,
    MatchEnded,
    ScoreCorrected,
    StartGiven,
)
from companion.match.log import header, replay, write_step
from companion.match.match import Step
from companion.text.errors import InvalidRecord
from tests.companion.core.test_match_end import deal
from tests.companion.games.six.six_match import SixMatch
from tests.companion.match.test_log import SAMPLES
from tests.companion.told import told
from tests.examples import examples

Points = tuple[int, ...]


def correct(game: SixMatch, number: int, *points: int) -> Step:
    return game.do(CorrectScore(number, points))


def test_an_earlier_deal_is_corrected_and_the_log_keeps_what_it_was() -> None:
    game = SixMatch(3)
    deal(game, 9, 21, 3)
    deal(game, 1, 2, 3)
    game.lay(10, 20, 30, 40)
    step = correct(game, 1, 9, 19, 3)
    assert step.events == (ScoreCorrected(1, (9, 21, 3), (9, 19, 3)),)
    assert told(step) == (("M-CORRECT", "deal 1: player 2 has 19, not 21"),)
    assert game.match.totals == (10, 21, 6)
    assert game.rows == [[10], [20], [30], [40]]
    assert write_step(step)["events"] == [
        {"kind": "score_corrected", "deal": 1, "old": [9, 21, 3], "new": [9, 19, 3]}
    ]


def test_after_the_match_another_score_makes_another_winner() -> None:
    game = SixMatch(3)
    deal(game, 66, 12, 10)
    assert game.match.winners == (2,)
    step = correct(game, 1, 66, 9, 10)
    assert told(step)[1] == ("M-OUTCOME", "player 2 wins with 9, not player 3")
    assert game.match.winners == (1,)
    assert told(correct(game, 1, 66, 10, 10))[1][1] == "players 2, 3 share the win with 10, not player 2"
    assert len(told(correct(game, 1, 70, 10, 10))) == 1


def test_a_match_that_should_not_be_over_goes_on_with_the_next_deal() -> None:
    game = SixMatch(2)
    deal(game, 40, 3)
    deal(game, 26, 3)
    assert game.match.winners == (1,)
    step = correct(game, 2, 25, 3)
    assert told(step)[1] == ("M-OUTCOME", "the match is not over: it continues with deal 3")
    assert not game.match.position.over
    assert game.asked == "lay four rows"
    assert game.match.position.deal == 3
    deal(game, 0, 0)
    assert game.match.totals == (65, 6)


def test_a_match_that_should_be_over_is_over_at_once_where_nothing_was_played_since() -> None:
    game = SixMatch(2)
    deal(game, 40, 3)
    deal(game, 20, 3)
    step = correct(game, 1, 46, 3)
    assert told(step)[1] == ("M-OUTCOME", "the match is over: player 2 wins with 6")
    assert game.match.winners == (1,)
    assert game.match.asks == ()
    assert game.match.position.deal == 2
    game.undo()
    assert not game.match.position.over
    assert game.asked == "lay four rows"


def test_a_corrected_score_ends_the_match_also_where_somebody_has_only_joined_since() -> None:
    game = SixMatch(2)
    deal(game, 60, 3)
    game.do(Join(Seat(2)))
    correct(game, 1, 66, 3, 0)
    assert game.match.winners == (1,)


def test_a_deal_that_has_begun_is_played_to_its_end_although_the_match_should_be_over() -> None:
    game = SixMatch(2)
    deal(game, 40, 3)
    deal(game, 20, 3)
    game.lay(10, 20, 30, 40)
    step = correct(game, 1, 46, 3)
    assert told(step)[1] == ("M-OUTCOME", "the match will be over after this deal")
    assert game.asked == "play a card"
    step = correct(game, 1, 40, 3)
    assert told(step)[1] == ("M-OUTCOME", "as the score stands, the match will not be over after this deal")
    correct(game, 1, 46, 3)
    deal(game, 0, 2)
    assert game.match.winners == (1,)
    assert game.match.totals == (66, 8)


@pytest.mark.parametrize(("begins", "points"), [("worst", 24), ("mean", 15)])
def test_who_joins_begins_with_the_worst_total_or_the_mean_and_undo_takes_both_back(
    begins: Literal["worst", "mean"], points: int
) -> None:
    game = SixMatch(3)
    deal(game, 9, 21, 3)
    deal(game, 5, 3, 3)
    step = game.do(Join(Seat(3), begins))
    assert step.events[-1] == StartGiven(Seat(3), points)
    assert told(step)[-1] == ("M-START", f"player 4 begins with {points}, as agreed")
    assert game.match.totals == (14, 24, 6, points)
    assert [place.total for place in game.match.places] == sorted((14, 24, 6, points))
    deal(game, 0, 0, 0, 2)
    assert game.match.totals == (14, 24, 6, points + 2)
    assert (
        replay(
            [header(game.match.terms), *(write_step(step) for _, step, _ in game.match.live_steps())]
        ).totals
        == game.match.totals
    )
    refused = game.refused(Join(Seat(3), begins))
    assert refused.rule.key != "M-START"
    game.undo()
    game.undo()
    assert list(game.match.totals) == [14, 24, 6]


def test_who_comes_back_keeps_the_points_there_were() -> None:
    game = SixMatch(3)
    deal(game, 9, 21, 3)
    game.do(Leave(Seat(0)))
    assert game.refused(Join(Seat(0), "worst")).rule.key == "M-START"
    game.do(Join(Seat(0)))
    assert game.match.totals == (9, 21, 3)


def test_a_match_is_ended_early_and_only_its_finished_deals_count() -> None:
    game = SixMatch(3)
    deal(game, 9, 21, 3)
    deal(game, 0, 0, 9)
    game.adopt([[1], [2], [3], [4]], 5, [[55], [5], []])
    step = game.do(EndMatch())
    assert step.events == (MatchEnded(),)
    assert told(step) == (
        ("M-EARLY", "the players end the match after 2 deals"),
        ("M-OUTCOME", "the match is over: player 1 wins with 9"),
    )
    assert game.match.totals == (9, 21, 12)
    assert game.match.points == (0, 0, 0)
    assert game.match.asks == ()
    assert game.rule(EndMatch()) == "M-EARLY"
    correct(game, 1, 9, 21, 4)
    assert told(correct(game, 1, 9, 1, 4))[1][1] == "player 2 wins with 1, not player 1"
    game.undo()
    game.undo()
    game.undo()
    assert not game.match.position.over
    assert game.table.turn == 5


@pytest.mark.parametrize(
    ("order", "fault", "fix"),
    [
        (CorrectScore(3, (1, 2, 3)), "deal 3 is not finished", "correct one of the deals 1 to 2"),
        (CorrectScore(0, (1, 2, 3)), "deal 0 is not finished", "correct one of the deals 1 to 2"),
        (CorrectScore(-1, (1, 2, 3)), "deal -1 is not finished", "correct one of the deals 1 to 2"),
        (CorrectScore(1, (1, 2)), "2 scores for 3 seats", "give points for every seat"),
        (CorrectScore(1, (1,)), "1 score for 3 seats", "give points for every seat"),
        (CorrectScore(1, ()), "0 scores for 3 seats", "give points for every seat"),
        (CorrectScore(1, (9, -1, 3)), "player 2 cannot have -1 in a deal", "use 0 to 999"),
        (CorrectScore(1, (9, 21, 1000)), "player 3 cannot have 1000 in a deal", "use 0 to 999"),
        (CorrectScore(1, (9, 21, 3)), "deal 1 already has these points", "give the correct points"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused_with_what_does(order: Any, fault: str, fix: str) -> None:
    game = SixMatch(3)
    deal(game, 9, 21, 3)
    deal(game, 5, 5, 3)
    refused = game.refused(order)
    assert (str(refused.fault), str(refused.fix), refused.rule.key) == (fault, fix, "M-CORRECT")


def test_how_a_finished_deal_lay_is_still_known() -> None:
    game = SixMatch(2, end={"deals": 2})
    deal(game, 9, 21)
    first = game.match.position.finished
    assert game.match.finished(2) is None
    deal(game, 5, 6)
    correct(game, 1, 9, 22)
    assert game.match.finished(1) == first
    assert game.match.finished(2) == game.match.position.finished
    assert game.match.finished(3) is None


@pytest.mark.parametrize(
    ("deal_number", "old"), [(0, (9, 21)), (2, (9, 21)), (-1, (9, 21)), (1, (9, 20)), (1, ())]
)
def test_a_log_that_corrects_what_was_never_noted_is_refused(deal_number: int, old: Points) -> None:
    game = SixMatch(2)
    deal(game, 9, 21)
    with pytest.raises(InvalidRecord, match="were not"):
        game.match.then(Step(2, events=(ScoreCorrected(deal_number, old, (1, 2)),)))


def test_every_order_and_event_about_the_score_has_a_stored_sample_that_means_the_same_today() -> None:
    classes = (*COMMANDS, *EVENTS)
    samples = [json.loads(line) for line in (SAMPLES / "about-the-score.jsonl").read_text().splitlines()]
    assert {cls.KIND for cls in classes} == {sample["record"]["kind"] for sample in samples}
    for sample in samples:
        value = decode(sample["record"], classes)
        assert repr(value) == sample["means"]
        assert encode(value) == sample["record"]


deals = st.lists(
    st.tuples(*[st.integers(0, 40)] * 3).filter(lambda points: sum(points) <= 80), min_size=1, max_size=6
)
"""Points that thirty cards can have."""
some = examples(12)


@some
@given(first=deals, seed=st.integers(0, 2**32))
def test_totals_and_winners_are_those_of_the_newest_scores_whatever_was_corrected(
    first: list[Points], seed: int
) -> None:
    random = Random(seed)
    game = SixMatch(3)
    noted: list[list[Points]] = [[]]
    records = [header(game.match.terms)]
    for points in first:
        if game.match.winners is None:
            deal(game, *points)
            noted.append([*noted[-1], points])
            assert game.match.newest is not None
            records.append(write_step(game.match.newest))
        for _ in range(random.randrange(3)):
            number, seat = random.randrange(len(noted[-1])), random.randrange(3)
            row = list(noted[-1][number])
            row[seat] = random.randrange(70)
            step = game.match.propose(CorrectScore(number + 1, tuple(row)))
            if isinstance(step, Refused):
                assert tuple(row) == noted[-1][number]
                continue
            game.match = game.match.then(step)
            noted.append([tuple(row) if at == number else old for at, old in enumerate(noted[-1])])
            records.append(write_step(step))
        if random.random() < 0.2 and len(noted) > 2:
            undo = game.match.undo()
            assert isinstance(undo, Step)
            game.match = game.match.then(undo)
            records.append(write_step(undo))
            noted.pop()
    totals = [sum(row[seat] for row in noted[-1]) for seat in range(3)]
    assert list(game.match.totals) == totals
    over = max(totals) >= 66
    assert (game.match.winners is not None) is over
    assert list(game.match.winners or ()) == [
        seat for seat in range(3) if over and totals[seat] == min(totals)
    ]
    assert replay(records).position == game.match.position
