"""What the referee knows of hands in Ciao!, and how it says where a card is that cannot be played."""

from companion.core.cards import Seat
from companion.games.ciao.cards import Card
from companion.games.ciao.records import Draw, Keep, Play
from companion.games.ciao.table import Holding
from tests.companion.games.ciao.ciao_match import CiaoMatch, cards, kinds, sentences


def test_a_copy_that_lies_on_the_table_cannot_be_played_again() -> None:
    game = CiaoMatch(2)
    game.play("gS#2")
    game.play("yS")
    game.play("gR:+3")
    game.draw()
    game.play("gP")
    assert (
        game.fault(Play(Card("gS#2"))) == "this green scissors is under the top card (number 4 from the top)"
    )
    assert (
        game.fault(Play(Card("gR:+3")))
        == "this green rock with +3 is under the top card (number 2 from the top)"
    )
    assert game.refused(Play(Card("gS#2"))).penalty is None
    game.play("gS#3")


def test_a_kind_of_which_all_copies_are_elsewhere_cannot_be_played() -> None:
    game = CiaoMatch(2)
    game.set_up("gJ=P", [["T"], ["gR", "gR"]], hand_sizes=(4, 2), discards=["gS", "gS#1", "gS#4"])
    game.play("gS", 0)
    game.play("gR", 1)
    assert game.fault(Play(Card("gS"), Seat(0))) == (
        "every green scissors is elsewhere: under the top card (number 2 from the top), under the top card "
        "(number 4 from the top), under the top card (number 5 from the top), "
        "under the top card (number 6 from the top)"
    )


def test_a_card_that_somebody_else_was_seen_to_have_cannot_be_played() -> None:
    game = CiaoMatch(3)
    game.play("gR:BC", to=Seat(2), give=Card("rP:SC"), thanks=True)
    assert game.view["hands"] == [[], [], ["rP:SC"]]
    assert (
        game.fault(Play(Card("rP:SC")))
        == "this red paper with a challenge is in another hand or in the draw pile"
    )
    game.play("gP:SW", with_=Seat(2))
    assert game.view["hands"] == [[], ["rP:SC"], []]
    game.draw()
    game.do(Keep())
    game.draw()
    game.do(Keep())
    game.play("rP:SC")
    assert game.view["hands"] == [[], [], []]


def test_cards_that_are_shuffled_again_can_come_from_any_hand() -> None:
    game = CiaoMatch(2)
    game.set_up("gR", [["gP"], ["rR"]], hand_sizes=(3, 3), draw=0, discards=["yS#1", "yS#2", "rP:AR"])
    assert game.rule(Play(Card("rP:AR"))) == "HC-10"
    step = game.draw()
    assert kinds(step) == ["reshuffled", "cards_drawn", "asked"]
    assert sentences(step)[0] == ("HC-9", "shuffle the 3 cards under the top card into the draw pile")
    assert str(game.game.board(game.table).hint) == "RESHUFFLE"
    assert [str(line.outcome) for line in game.game.board(game.table).newest] == ["RESHUFFLE", "P1 DRAWS 1"]
    assert (game.view["draw"], game.view["discards"], game.view["top"]) == (2, [], "gR")
    game.play("rP:AR", mode="again")
    assert str(game.game.board(game.table).hint) == ""


def test_cards_that_a_hand_is_known_to_hold_are_not_free_for_another_copy() -> None:
    game = CiaoMatch(2)
    game.set_up("gS#4", [["gR#1"], []], hand_sizes=(3, 3), discards=["gR", "gR", "gR"])
    refused = game.refused(Play(Card("gR#2")))
    assert str(refused.fault).startswith("every green rock is elsewhere: ")
    game.set_up("gS#4", [["gP"], ["gR", "gR", "gR", "gR"]], hand_sizes=(3, 4), discards=[])
    refused = game.refused(Play(Card("gR")))
    assert str(refused.fault) == "every green rock is elsewhere: in another hand or in the draw pile"
    game.set_up("gS#4", [["gR#1"], []], hand_sizes=(3, 3), discards=["gR", "gR"])
    game.play("gR#2")


def test_where_a_card_lies_that_was_to_be_sorted_out_no_card_is_refused_because_of_it() -> None:
    game = CiaoMatch(2, deck={"gR:SW": 0})
    game.set_up("rP", hand_sizes=(3, 3), discards=["gR:SW"])
    game.play("gS")
    game.play("gR:SW", with_=Seat(0))
    game.play("gP#9")
    assert game.view["top"] == "gP#9"


def test_where_too_few_are_left_what_is_there_is_drawn_and_where_none_is_the_turn_passes() -> None:
    game = CiaoMatch(2)
    game.set_up("gR:+3", [["gP"], ["rR"]], pile=["yS"], pending=3)
    game.draw()
    assert game.view["hand_sizes"] == [2, 1]
    step = game.draw()
    assert sentences(step) == [("CI-5", "player 2 draws nothing: no cards are left to draw")]
    assert (game.view["turn"], game.view["hand_sizes"], game.view["draw"]) == (0, [2, 1], 0)
    assert "reshuffled" not in kinds(step)


def test_a_scanned_copy_tells_which_of_its_kind_was_known() -> None:
    hand = Holding(4, cards("gR", "gR#2", "T"))
    assert hand.seen(Card("gR#2")) == hand
    assert hand.seen(Card("gR#4")) == Holding(4, cards("gR#4", "gR#2", "T"))


def test_a_hand_to_be_scanned_comes_before_the_first_card() -> None:
    game = CiaoMatch(3, hands=[1])
    assert game.fault(Draw()) == "a card of a hand must be scanned first"
    assert game.fix(Draw()) == "scan the next card of the hand"
