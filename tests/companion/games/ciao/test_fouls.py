"""Mistakes when playing Ciao!: three cards, a lost turn, and a +3 that waits is drawn too."""

import pytest

from companion.core.cards import Seat
from companion.games.ciao.cards import Card
from companion.games.ciao.records import Foul, Play
from tests.companion.games.ciao.ciao_match import CiaoMatch, sentences


@pytest.mark.parametrize("mistaken", [0, 2])
def test_three_penalty_cards_from_a_short_pile_are_what_is_left_for_any_player(mistaken: int) -> None:
    game = CiaoMatch(3)
    game.set_up("gP", [["gS", "T"], ["gR", "T"], ["gR", "T"]], draw=1, turn=Seat(0))
    step = game.do(Foul(Seat(mistaken)))
    assert ("CI-7", f"player {mistaken + 1} draws 1 card") in sentences(step)
    assert (game.view["draw"], game.view["stage"]) == (0, "turn")
    game.do(Foul(Seat(mistaken)))  # nothing is left at all, and the deal continues
    assert (game.view["draw"], game.view["stage"]) == (0, "turn")
    assert sum(game.view["hand_sizes"]) == 7


def test_the_card_goes_back_and_is_known_from_then_on() -> None:
    game = CiaoMatch(3)
    game.play("gP")
    game.do(Foul(Seat(1), Card("gR#3")))
    assert game.view["hands"] == [[], ["gR#3"], []]
    game.play("yS")
    game.play("gR#2")
    assert game.fault(Play(Card("gR#3"), Seat(2))) == "this green rock is in another hand or in the draw pile"
    game.do(Foul(Seat(1), Card("gR#3")))
    assert game.view["hands"][1] == ["gR#3"]


def test_what_may_be_played_is_no_mistake() -> None:
    game = CiaoMatch(2)
    game.play("gP")
    assert game.fault(Foul(Seat(1), Card("gS"))) == "green scissors may be played: that is not a mistake"
    assert game.rule(Foul(Seat(5))) == "CI-1"
    assert game.rule(Foul(Seat(1), Card("x"))) == "HC-10"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_mistake_with_a_card_of_which_all_lie_elsewhere_cannot_be(seat: int) -> None:
    game = CiaoMatch(2)
    game.play("gR:+3")
    assert game.rule(Foul(Seat(seat), Card("gR:+3"))) == "HC-10"
