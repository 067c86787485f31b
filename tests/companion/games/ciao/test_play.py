"""A turn of Ciao!: opening, playing higher, drawing, the joker, and what each refusal says."""

import pytest

from companion.core.cards import Seat
from companion.games.ciao.cards import Card
from companion.games.ciao.records import Draw, Foul, Keep, Name, Play
from tests.companion.games.ciao.ciao_match import CiaoMatch, sentences


def test_a_deal_begins_with_seven_cards_each_and_any_card_may_open() -> None:
    game = CiaoMatch(4, first=2)
    assert game.view["hand_sizes"] == [7] * 4
    assert (game.view["draw"], game.view["top"], game.view["turn"]) == (62, None, 2)
    assert game.asked == ["play a card", "draw"]
    step = game.play("rR")
    assert sentences(step) == [("CI-4", "red rock opens: any card may be played first")]
    assert (game.view["top"], game.view["turn"], game.view["hand_sizes"]) == ("rR", 3, [7, 7, 6, 7])


def test_each_step_of_higher_is_explained_with_a_chart_that_marks_what_decided() -> None:
    game = CiaoMatch(2)
    game.play("gS")
    step = game.play("yS#2")
    assert sentences(step) == [
        ("CI-9", "yellow scissors goes on green scissors: both are scissors, and yellow is higher than green")
    ]
    (line,) = game.game.board(game.table).newest
    assert line.because.chart == (("CARD", "SCISSORS", "YELLOW"), ("ON", "SCISSORS", "GREEN"))
    assert line.because.lit == 2
    step = game.play("gR:SW", with_=1)
    assert sentences(step)[0] == (
        "CI-10",
        "green rock with a swap goes on yellow scissors: rock is higher than scissors, whatever the colours",
    )
    assert game.game.board(game.table).newest[0].because.lit == 1
    assert sentences(game.play("gJ#1", name="S"))[0] == (
        "CI-11",
        "green joker goes on green rock with a swap: a joker goes on any card",
    )


def test_a_card_that_is_not_higher_is_refused_and_its_penalty_is_ready() -> None:
    game = CiaoMatch(3)
    game.play("yP")
    refused = game.refused(Play(Card("rR#1")))
    assert str(refused.fault) == "red rock is not higher than yellow paper"
    assert str(refused.fix) == "play one of these, or draw: any scissors, red paper, a joker"
    assert refused.rule.key == "CI-8"
    assert refused.penalty == Foul(Seat(1), Card("rR#1"))
    assert game.rule(Play(Card("yP#2"))) == "CI-8"
    assert game.rule(Play(Card("T"))) == "CI-12"


def test_a_card_out_of_turn_is_refused_and_its_penalty_is_ready() -> None:
    game = CiaoMatch(3)
    game.play("yP")
    refused = game.refused(Play(Card("gS"), Seat(2)))
    assert str(refused.fault) == "it is not player 3's turn"
    assert str(refused.fix) == "player 2 plays next"
    assert refused.penalty == Foul(Seat(2), Card("gS"))
    for seat in (-1, 3, 99):
        assert game.rule(Play(Card("gS"), Seat(seat))) == "CI-1"
    assert game.fix(Draw(Seat(0))) == "player 2 has to answer"


@pytest.mark.parametrize("name", ["", "x", "gX", "gR:XX", "gR#0", "yJ=P", "T#", "gR#1#1", "9" * 99])
def test_a_name_of_no_card_is_told_with_those_there_are(name: str) -> None:
    refused = CiaoMatch().refused(Play(Card(name)))
    assert str(refused.fix) == "a card is written like gR, gR:+3, yJ, T or gR#2"
    assert refused.penalty is None


def test_a_joker_waits_for_its_symbol() -> None:
    game = CiaoMatch(2)
    game.play("gR")
    game.play("yJ#2")
    (ask,) = game.match.asks
    assert (ask.kind.value, ask.seats, ask.choices) == ("decide", (1,), ("R", "P", "S"))
    assert [str(label) for label in ask.labels] == ["ROCK", "PAPER", "SCISSORS"]
    assert game.fix(Play(Card("gP"))) == "name the joker's symbol"
    assert game.fix(Name("X")) == "name R (rock), P (paper) or S (scissors)"
    assert game.fault(Name("P", Seat(0))) == "it is not player 1's turn to answer"
    game.answer("P", 1)
    assert (game.view["top"], game.view["turn"]) == ("yJ=P", 0)
    assert game.rule(Name("P")) == "CI-3"
    game.play("gS")
    assert game.view["discards"] == ["gR", "yJ#2"]


def test_who_draws_may_play_the_drawn_card_or_keep_it() -> None:
    game = CiaoMatch(2)
    game.play("rR")
    assert sentences(game.draw()) == [("CI-5", "player 2 draws 1 card")]
    assert game.asked == ["play a card", "end the move"]
    assert game.fix(Draw()) == "a card was drawn: play it, or keep it"
    assert game.rule(Play(Card("gR"))) == "CI-8"
    game.play("gP")
    assert (game.view["top"], game.view["hand_sizes"]) == ("gP", [6, 7])
    game.draw()
    assert sentences(game.do(Keep(Seat(0)))) == [("CI-6", "player 1 keeps the drawn card")]
    assert (game.view["turn"], game.view["hand_sizes"]) == (1, [7, 7])
    assert game.rule(Keep()) == "CI-3"


def test_a_card_known_to_be_in_the_hand_before_is_not_the_drawn_one() -> None:
    game = CiaoMatch(2)
    game.set_up("rR", [["yP#1", "gP#2"], ["gS"]], draw=9)
    game.draw()
    refused = game.refused(Play(Card("yP#1")))
    assert str(refused.fault) == "this yellow paper is not the card that was drawn"
    assert refused.rule.key == "HC-2"
    assert refused.penalty == Foul(Seat(0), Card("yP#1"))
    assert game.rule(Play(Card("gP#2"))) == "HC-2"
    game.play("gP#3")  # another copy: it can only be the drawn card
    assert game.view["hands"][0] == ["yP#1", "gP#2"]
    game.undo()
    game.undo()
    game.set_up("rR", [["yP"], ["gS"]], draw=9)
    game.draw()
    game.play("yP#4")  # nobody knows which copy was there before, so this may be the drawn one
    assert game.view["hands"][0] == ["yP"]


def test_a_name_without_a_copy_is_not_the_drawn_card_if_every_copy_is_elsewhere() -> None:
    game = CiaoMatch(2)
    game.set_up("gR", [["rR#4", "T"], ["rR#1"]], discards=["rR#2", "rR#3"], draw=9)
    game.draw()
    assert game.rule(Play(Card("rR"))) == "HC-2"
    game.set_up("gR", [["rR:BC", "T"], ["gS"]], draw=9)  # the box has one of them
    game.draw()
    assert game.rule(Play(Card("rR:BC"))) == "HC-2"


def test_people_are_told_at_the_beginning_if_no_card_is_left_to_draw() -> None:
    game = CiaoMatch(6, step=1)
    assert str(game.game.board(game.table).hint) == "NO CARDS TO DRAW YET"
    step = game.play("gR")
    assert ("HC-9", "all 42 cards are dealt: the draw pile is empty at first") in sentences(step)
    assert str(game.game.board(game.table).hint) == ""
    assert "HC-9" not in [rule for rule, _ in sentences(CiaoMatch(5, step=1).play("gR"))]
