"""The icons of Ciao!: given at once with the card, or asked for one after the other."""

from typing import Any

import pytest

from companion.core.cards import Seat
from companion.games.ciao.cards import Card
from companion.games.ciao.explain import words
from companion.games.ciao.records import ChoosePlayer, Give, Mode, Play, Thanks
from tests.companion.games.ciao.ciao_match import CiaoMatch, kinds, sentences


def test_again_gives_the_same_player_another_turn() -> None:
    game = CiaoMatch(3)
    game.play("gR:AR")
    (ask,) = game.match.asks
    assert [str(label) for label in ask.labels] == ["PLAY AGAIN", "REVERSE"]
    step = game.answer("again")
    assert sentences(step) == [("CI-14", "player 1 plays again")]
    assert (game.view["turn"], game.view["dir"]) == (0, 1)
    game.draw()  # a player who cannot play again draws
    assert game.asked == ["play a card", "end the move"]


def test_reverse_lets_play_run_the_other_way_round() -> None:
    game = CiaoMatch(4)
    game.play("gR:AR")
    step = game.do(Mode("reverse"))
    assert sentences(step) == [("CI-14", "player 1 changes the direction: play goes anticlockwise")]
    assert (game.view["turn"], game.view["dir"]) == (3, -1)
    assert "REVERSED" in str(game.game.board(game.table).facts[-1])
    game.play("gP:AR", mode="reverse")
    assert (game.view["turn"], game.view["dir"]) == (0, 1)
    assert game.fault(Mode("again")) == "that question is not open now"


def test_plus_three_makes_the_next_player_draw_and_lose_the_turn() -> None:
    game = CiaoMatch(3)
    game.play("gR:+3")
    board = game.game.board(game.table)
    assert str(board.hint) == "DRAW 3, OR JOKER"
    assert [str(fact) for fact in board.facts[:3]] == [
        "TOP ROCK GREEN",
        "PAPER +3 OR JOKER",
        " ROCK YELLOW, RED",
    ]
    assert [str(label) for label in game.match.asks[1].labels] == ["DRAW 3"]
    step = game.draw()
    assert kinds(step) == ["cards_drawn", "plus_three", "turn_begun"]
    assert (game.view["turn"], game.view["pending"], game.view["hand_sizes"]) == (2, 0, [6, 10, 7])
    game.play("gP")  # the +3 is an ordinary card now


def test_plus_threes_add_up_and_a_joker_ends_them() -> None:
    game = CiaoMatch(4)
    game.play("gR:+3")
    game.play("yR:+3")
    assert game.view["pending"] == 6
    game.play("gP:+3")
    assert game.view["pending"] == 9
    assert game.fix(Play(Card("gS"))) == "play a joker or a +3, or draw 9"
    refused = game.refused(Play(Card("gR:+3")))
    assert str(refused.fault) == "this green rock with +3 is under the top card (number 3 from the top)"
    assert game.fault(Play(Card("yP:+3"), name="R")) == "yellow paper with +3 has no use for 'name'"
    assert game.rule(Play(Card("rR:+3"))) == "HC-5"
    step = game.play("rJ", name="S")
    assert ("CI-16", "the +3 is over for player 4") in sentences(step)
    assert (game.view["pending"], game.view["turn"]) == (0, 0)
    game.play("gR")
    assert game.view["pending"] == 0


def test_a_bad_card_goes_over_and_is_thanked_for() -> None:
    game = CiaoMatch(3)
    game.play("gR:BC")
    (ask,) = game.match.asks
    assert (ask.kind.value, ask.seats, ask.choices) == ("choose a player", (0,), ("1", "2"))
    assert game.fix(ChoosePlayer(Seat(0))) == "choose another player"
    assert game.rule(ChoosePlayer(Seat(7))) == "CI-1"
    game.answer("2", 2)  # the badge of the player who gets it
    assert game.asked == ["give a card", "end the move"]
    assert game.fix(Play(Card("gS"))) == "say which card is given"
    game.answer("T#2")
    (ask,) = game.match.asks
    assert str(ask.says) == "THANKS FROM P3?"
    assert [str(label) for label in ask.labels] == ["YES", "NO: DRAWS 3"]
    step = game.answer("no")
    assert sentences(step) == [
        ("HC-12", "player 3 did not say thank you in time"),
        ("CI-17", "player 3 draws 3 cards"),
    ]
    assert game.view["hands"][2] == ["T#2"]
    assert (game.view["hand_sizes"], game.view["turn"]) == ([5, 7, 11], 1)
    assert game.rule(Thanks(said=True)) == "CI-3"


def test_a_bad_card_need_not_be_shown() -> None:
    game = CiaoMatch(2)
    game.set_up("gS", [["gR:BC", "T", "yR"], ["gP"]], draw=9)
    game.play("gR:BC", to=Seat(1))
    game.answer("not shown", place=1)
    game.do(Thanks(said=True))
    assert game.view["hand_sizes"] == [1, 2]
    assert game.view["hands"] == [[], ["gP"]]  # either of the two may have gone
    game.undo()
    game.undo()
    game.do(Give(Card("yR")))
    assert game.view["hands"] == [["T"], ["gP", "yR"]]


@pytest.mark.parametrize(
    ("card", "said", "field"),
    [
        ("gR", {"name": "R"}, "name"),
        ("gR", {"mode": "again"}, "mode"),
        ("yJ", {"with_": Seat(1)}, "with"),
        ("gR:AR", {"to": Seat(1)}, "to"),
        ("gR:SC", {"give": Card("T")}, "give"),
        ("gR:+3", {"thanks": True}, "thanks"),
        ("gR:BC", {"trouble": False}, "trouble"),
    ],
)
def test_what_a_card_has_no_use_for_is_refused(card: str, said: dict[str, Any], field: str) -> None:
    refused = CiaoMatch(2).refused(Play(Card(card), **said))
    assert str(refused.fault) == f"{words(card)} has no use for '{field}'"
    assert str(refused.fix) == f"leave '{field}' out"
    assert refused.penalty is None


@pytest.mark.parametrize(
    ("card", "said", "fix"),
    [
        ("yJ", {"name": "x"}, "name R (rock), P (paper) or S (scissors)"),
        ("gR:AR", {"mode": "x"}, "say 'again' or 'reverse'"),
        ("gR:SW", {"with_": Seat(0)}, "choose another player"),
        ("gR:SW", {"with_": Seat(9)}, "choose one of: players 1, 2"),
        ("gR:BC", {"to": Seat(0)}, "choose another player"),
        ("gR:BC", {"give": Card("T")}, "name the player with 'to'"),
        (
            "gR:BC",
            {"to": Seat(1), "thanks": True},
            "name it with 'give'; an empty string means that it is not shown",
        ),
        (
            "gR:BC",
            {"to": Seat(1), "give": Card("gR:BC")},
            "scan the card again, or undo an earlier wrong scan",
        ),
        ("gR:BC", {"to": Seat(1), "give": Card("x")}, "a card is written like gR, gR:+3, yJ, T or gR#2"),
    ],
)
def test_what_is_said_wrong_with_a_card_is_refused_and_nothing_happens(
    card: str, said: dict[str, Any], fix: str
) -> None:
    game = CiaoMatch(2)
    assert game.fix(Play(Card(card), **said)) == fix
    assert game.view["top"] is None


def test_the_last_card_ends_the_deal_at_once_without_its_effect() -> None:
    game = CiaoMatch(2, end={"deals": 1})
    for last in ("gR:+3", "gR:AR", "gR:SC", "gR:SW", "gR:BC", "yJ"):
        game.set_up("gS", [[last], ["gP", "T"]], draw=9)
        step = game.play(last)
        assert kinds(step) == ["card_played", "deal_won", "hand_counted", "deal_scored"], last
        assert game.match.totals == (0, 6)
        effect = ("HC-7", "the icon on the last card has no effect")
        assert (effect in sentences(step)) is (":" in last)
        game.undo()
        game.undo()
