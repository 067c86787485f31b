"""What can be agreed about Ciao!: what each option changes, what it refuses, and its default."""

from enum import Enum
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.core import games
from companion.core.cards import Seat
from companion.games.ciao.cards import KINDS, Card
from companion.games.ciao.explain import words
from companion.games.ciao.options import BOX, DECK, AfterChallenge, LastSpecial, ReverseWithTwo, TroubleLeaves
from companion.games.ciao.records import Claim, DiscardTrouble, Foul, Play, Race
from companion.text.errors import InvalidRecord
from tests.companion.games.ciao.ciao_match import CiaoMatch, sentences

CIAO = games.module("ciao")
CHOICES: dict[str, Any] = {
    "after_challenge": tuple(AfterChallenge),
    "plus3_higher": (True, False),
    "reverse_with_two": tuple(ReverseWithTwo),
    "last_special": tuple(LastSpecial),
    "trouble": tuple(TroubleLeaves),
    "step_jokers": (True, False),
    "step_trouble": (False, True),
}


def test_the_box_has_ninety_cards_as_the_rulebook_shows() -> None:
    assert len(DECK) == len(set(DECK)) == 90
    for letter, number in (("R", 27), ("P", 27), ("S", 27), ("J", 6)):
        assert sum(many for name, many in BOX.items() if name[1:2] == letter) == number
    assert BOX["T"] == 3
    assert DECK[:10] == ("gR#1", "gR#2", "gR#3", "gR#4", "gR:AR", "gR:SC", "gR:+3", "gR:BC", "gR:SW", "yR#1")
    assert DECK[-9:] == ("gJ#1", "gJ#2", "yJ#1", "yJ#2", "rJ#1", "rJ#2", "T#1", "T#2", "T#3")


def test_another_deck_keeps_the_numbers_of_the_box_and_adds_its_own() -> None:
    game = CiaoMatch(2, deck={"gR": 6, "T": 1, "gR:+3": 2})
    agreed = game.game.agreed
    assert agreed.size == 90 + 2 - 2 + 1
    assert game.view["draw"] == 91 - 14
    assert agreed.codes[:90] == DECK
    assert agreed.codes[90:] == ("gR#5", "gR#6", "gR:+3#2")
    assert game.fault(Play(Card("T#2"))) == "trouble card: the deck has 1 of them, and this is one too many"
    game.play("gS:BC", to=Seat(1), give=Card("T"), thanks=True)
    game.draw()
    assert game.rule(Foul(Seat(1), Card("T#3"))) == "HC-10"  # the hand holds the only one
    while game.match.steps and game.view["top"]:
        game.undo()
    game.answer("91")
    assert game.view["top"] == "gR#5"
    game.undo()
    game.answer("7")
    assert game.view["top"] == "gR:+3"
    assert CiaoMatch(2, deck=dict(BOX)).game.options() == {"end": {"deals": 5}}


@pytest.mark.parametrize(("step", "size", "out"), [(1, 42, ("gR:+3", "T")), (2, 87, ("T",)), (3, 87, ("T",))])
def test_the_steps_for_the_young_leave_cards_in_the_box(step: int, size: int, out: tuple[str, ...]) -> None:
    game = CiaoMatch(2, step=step)
    assert game.game.agreed.size == size
    assert "gJ" in game.game.cards(game.table)
    for card in out:
        assert card not in game.game.cards(game.table)
        refused = game.refused(Play(Card(card)))
        assert str(refused.fault) == f"{words(card)} is not in the deck in step {step}"
        assert refused.rule.key == ("HC-15" if card == "T" else "CI-20")


@pytest.mark.parametrize("step", [1, 2])
def test_in_the_first_two_steps_only_a_higher_symbol_is_higher(step: int) -> None:
    game = CiaoMatch(2, step=step)
    game.play("gR")
    assert [str(fact) for fact in game.game.board(game.table).facts][:2] == [
        "TOP ROCK GREEN",
        "ANY PAPER OR JOKER",
    ]
    refused = game.refused(Play(Card("rR")))
    assert refused.rule.key == "CI-20"
    assert str(refused.fix) == "play one of these, or draw: any paper, a joker"
    game.play("gP")
    assert CiaoMatch(2, step=3).game.agreed.colours


def test_any_plus_three_may_answer_by_agreement() -> None:
    game = CiaoMatch(2, plus3_higher=False)
    game.play("rR:+3")
    assert "ANY +3 OR JOKER" in [str(fact) for fact in game.game.board(game.table).facts]
    step = game.play("gR:+3")
    assert sentences(step)[0] == ("CI-16", "green rock with +3 goes on red rock with +3: a +3 answers a +3")
    assert game.view["pending"] == 6


def test_with_two_players_reverse_may_give_another_turn_by_agreement() -> None:
    game = CiaoMatch(2, reverse_with_two="again")
    assert sentences(game.play("gR:AR", mode="reverse"))[1][1].endswith("two players that is another turn")
    assert (game.view["turn"], game.view["dir"]) == (0, -1)
    game = CiaoMatch(3, reverse_with_two="again")
    game.play("gR:AR", mode="reverse")
    assert game.view["turn"] == 2


def test_a_special_card_may_be_forbidden_as_the_last_by_agreement() -> None:
    game = CiaoMatch(3, last_special="forbidden")
    game.set_up("gR:SC", [["gS"], ["yR:SW"], ["gP", "gP"]], hand_sizes=(1, 1, 3), race=Seat(0), draw=9)
    assert game.rule(Race(Card("yR:SW"), Seat(1))) == "HC-7"
    game.undo()
    game.set_up("gR", [["gP:+3"], ["gR"], ["gR"]], draw=9)
    assert game.refused(Play(Card("gP:+3"))).penalty == Foul(Seat(0), Card("gP:+3"))


def test_a_claim_that_the_last_card_forbids_can_be_undone() -> None:
    game = CiaoMatch(3, last_special="forbidden")
    game.set_up("gR:SC", [["gS"], [], []], hand_sizes=(1, 1, 3), race=Seat(0), draw=9)
    game.race("yR:SW")
    refused = game.refused(Claim(Card("yR:SW"), Seat(1)))
    assert (refused.rule.key, refused.penalty, str(refused.fix)) == ("HC-7", None, "undo the card")
    game.do(Claim(Card("yR:SW"), Seat(2)))


def test_a_trouble_card_may_go_with_a_special_card_by_agreement() -> None:
    game = CiaoMatch(2, trouble="special", end={"deals": 1})
    game.set_up("gS", [["gR:AR", "T", "T"], ["gP"]], draw=9)
    game.play("gR:AR")
    assert str(game.match.asks[0].says) == "A TROUBLE CARD TOO?"
    step = game.answer("goes")
    assert sentences(step) == [("HC-11", "player 1 discards a trouble card with a special card")]
    assert (game.view["top"], game.view["discards"]) == ("gR:AR", ["gS", "T"])
    game.answer("again")
    game.undo()
    game.undo()
    game.answer("stays")
    assert game.view["hands"][0] == ["T", "T"]
    assert game.fault(DiscardTrouble(goes=True)) == "that question is not open now"


def test_a_trouble_card_with_a_special_card_may_be_the_last_card() -> None:
    game = CiaoMatch(2, trouble="special", end={"deals": 1})
    game.set_up("gS", [["gR:AR", "T"], ["gP"]], draw=9)
    game.play("gR:AR", trouble=True)
    assert game.match.totals == (0, 1)
    game.undo()
    game.undo()
    game.set_up("gS", [["gR:AR", "gP"], ["gP"]], draw=9)
    assert game.fault(Play(Card("gR:AR"), trouble=True)) == "trouble card is not in player 1's hand"


def written(value: Any) -> Any:
    """A value as it is written in the options."""
    return value.value if isinstance(value, Enum) else value


@pytest.mark.parametrize(("name", "values"), CHOICES.items())
def test_every_choice_has_a_default_and_makes_the_same_game_again(name: str, values: tuple[Any, ...]) -> None:
    assert getattr(CiaoMatch(2).game.agreed, name) is values[0]
    for value in values:
        game = CiaoMatch(2, **{name: written(value)})
        assert getattr(game.game.agreed, name) is value
        assert CIAO.make(2, game.game.options()) == game.game
        assert (name in game.game.options()) is (value != values[0])


@pytest.mark.parametrize(
    ("options", "fix"),
    [
        ({"deck": {"gX": 1}}, "did you mean 'gS'?"),
        ({"deck": {"gR": 21}}, '"minimum": 0, "maximum": 20'),
        ({"deck": dict.fromkeys(KINDS, 0)}, "add cards with the option 'deck', or play with fewer players"),
        (
            {"deck": {**dict.fromkeys(KINDS, 0), "T": 20}},
            "add cards with the option 'deck', or play with fewer players",
        ),
    ],
)
def test_an_option_that_will_not_do_is_told_with_what_would(options: dict[str, Any], fix: str) -> None:
    with pytest.raises(InvalidRecord) as bad:
        CIAO.make(3, options)
    if "gX" not in str(options):
        assert fix in bad.value.fix
    assert not Draft202012Validator(CIAO.options_schema()).is_valid(options) or "deck" in options


def test_what_a_match_is_asked_about_makes_games_that_differ() -> None:
    rounds, steps = CIAO.questions(4)
    assert len({repr(CIAO.make(4, choice.options)) for choice in rounds.choices}) == 4
    assert len({repr(CIAO.make(4, choice.options)) for choice in steps.choices}) == 4
