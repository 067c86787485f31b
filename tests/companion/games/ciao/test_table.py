"""A table of Ciao! taken over, corrected, joined and left; and what can never lie there."""

from typing import Any

import pytest

from companion.core.cards import Seat
from companion.core.ruling import Join, Leave
from companion.games.ciao.cards import Card
from companion.games.ciao.records import Adopt, Correct, Play
from companion.text.errors import NotInThisGame
from tests.companion.games.ciao.ciao_match import CiaoMatch, cards, sentences
from tests.companion.protocol_client import ProtocolClient
from tests.companion.told import told


def test_what_is_left_out_of_a_position_is_as_the_referee_has_it() -> None:
    game = CiaoMatch(3, first=1)
    game.play("gR")
    step = game.do(game.game.adopt((("yP#2",),), 0))
    assert (game.view["top"], game.view["turn"], game.view["hand_sizes"]) == ("yP#2", 2, [7, 6, 7])
    assert (game.view["discards"], game.view["draw"]) == (["gR"], 68)
    assert told(step) == (
        ("HC-18", "it is player 3's turn, and play goes clockwise"),
        ("HC-18", "green rock, on top until now, goes under yellow paper"),
        ("HC-18", "the hands stay: player 1: 7 cards, player 2: 6 cards, player 3: 7 cards"),
        ("HC-18", "the draw pile has 68 cards now; it had 69"),
    )
    step = game.do(game.game.adopt((), 0))
    assert game.view["top"] == "yP#2"
    assert [says for _, says in told(step)][1:3] == [
        "yellow paper stays on top",
        "1 card under the top card stays",
    ]
    game.set_up(draw=5)
    game.set_up("gP")
    assert game.view["draw"] == 5


def test_the_reasons_of_a_table_set_up_say_what_stays_and_what_is_dropped() -> None:
    game = CiaoMatch(2)
    game.set_up("gR:+3", [["yJ"], ["rS"]], pending=3, skips=(0, 1), draw=5, discards=[])
    step = game.set_up(dir=-1)
    assert [says for _, says in told(step)] == [
        "it is player 1's turn, and play goes anticlockwise",
        "green rock with +3 stays on top",
        "the hands stay: player 1: 1 card, player 2: 1 card",
        "the +3 stays: the next player draws 3 cards",
        "these players still miss a turn: player 2",
    ]
    step = game.set_up("gP", hand_sizes=(2, 2), draw=5)
    assert [says for _, says in told(step)] == [
        "it is player 1's turn, and play goes anticlockwise",
        "green rock with +3, on top until now, goes under green paper",
        "2 cards known in the hands until now are not known any more",
        "the 3 cards to draw for a +3 are dropped",
        "these players still miss a turn: player 2",
    ]


def test_a_card_that_exists_once_and_lies_on_top_now_is_nowhere_else() -> None:
    game = CiaoMatch(2)
    game.set_up("gR", [["gS:+3", "T"], ["rS"]], discards=["gP:+3", "gP"])
    game.set_up("gS:+3")
    assert (game.view["hands"], game.view["hand_sizes"]) == ([["T"], ["rS"]], [2, 1])
    game.set_up("gP:+3")
    assert game.view["discards"] == ["gP", "gR", "gS:+3"]


def test_what_a_plus_three_demands_stays_until_another_card_lies_on_top() -> None:
    game = CiaoMatch(3)
    game.play("gR:+3")
    game.set_up(dir=-1)
    assert (game.view["pending"], game.view["dir"]) == (3, -1)
    game.set_up("gP:+3")
    assert game.view["pending"] == 0


def test_the_draw_pile_of_a_position_is_what_remains_of_the_deck() -> None:
    game = CiaoMatch(2)
    game.set_up("gR", [["gP", "T"], ["gS"]], discards=["yR", "yS"])
    assert game.view["draw"] == 90 - 6
    game.set_up("gR", hand_sizes=(3, 4))
    assert (game.view["hands"], game.view["draw"]) == ([[], []], 90 - 10)
    game.set_up("gR", [["gP"], []], hand_sizes=(3, 4), pile=["gS", "gS"])
    assert (game.view["hands"], game.view["draw"], game.view["pile"]) == ([["gP"], []], 2, ["gS", "gS"])
    game.set_up(draw=1)
    assert (game.view["draw"], game.view["pile"]) == (1, ["gS"])


def test_a_joker_on_top_is_named_or_asked_for() -> None:
    game = CiaoMatch(3)
    game.set_up("yJ=P", turn=Seat(2))
    game.play("gS")
    game.do(game.game.adopt((("rJ#2",),), 0))
    assert game.asked == ["decide"]
    assert [str(fact) for fact in game.game.board(game.table).facts][:1] == ["TOP JOKER"]
    game.answer("S")
    assert (game.view["top"], game.view["turn"]) == ("rJ=S", 0)
    game.do(game.game.adopt((("yj=r",),), 0))
    assert game.view["top"] == "yJ=R"


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"top": "gX"}, "'gX' cannot be the top card"),
    ({"top": "T"}, "'T' cannot be the top card"),
    ({"top": "gR=P"}, "'gR=P' cannot be the top card"),
    ({"top": "yJ=X"}, "'yJ=X' cannot be the top card"),
    ({"pending": 3}, "there is no top card that could have an effect"),
    ({"top": "gR", "pending": 3}, "3 cards cannot be pending on gR"),
    ({"top": "gR:+3", "pending": -3}, "-3 cards cannot be pending on gR:+3"),
    ({"top": "gR", "race": 0}, "gR is not a challenge"),
    ({"race": 0}, "there is no top card that could have an effect"),
    ({"top": "gR:SC", "race": 5}, "the challenger, player 6, is not playing"),
    ({"hand_sizes": [1, 2, 3]}, "'hand_sizes' needs 2 entries, one for each seat, but has 3"),
    ({"skips": [1]}, "'skips' needs 2 entries, one for each seat, but has 1"),
    ({"hand_sizes": [91, 1]}, "cards in player 1's hand: 91; cards named: 0"),
    ({"hand_sizes": [0, 0]}, "only one hand can be empty"),
    ({"draw": 1, "pile": ["gR", "gR"]}, "cards in the draw pile: 1; cards named: 2; cards in the deck: 90"),
    ({"top": "", "discards": ["gR"]}, "there are discards, but no top card"),
    ({"top": "gR", "discards": ["gR"] * 91}, "there are 91 cards under the top card; the deck has 90"),
]


@pytest.mark.parametrize(("position", "fault"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_what_can_never_lie_on_a_table_is_refused_with_every_fault(
    position: dict[str, Any], fault: str
) -> None:
    talk = ProtocolClient()
    talk.send(new="ciao", seats=2)
    answer = talk.send(position=position)
    assert answer["ok"] is False
    assert fault in answer["fault"]
    assert answer["rule"] == "HC-18"


def test_all_faults_of_a_table_are_named_in_one_answer() -> None:
    game = CiaoMatch(2)
    refused = game.refused(
        Adopt(
            "gR:+3",
            turn=Seat(4),
            dir=0,
            pending=4,
            hands=(cards("x", "gS", "gS", "gS", "gS", "gS"), cards("gR:+3"), cards("gP#1")),
            hand_sizes=(2, 60),
            draw=91,
            discards=cards("gP#1", "gP#7"),
            skips=(0, 10),
        )
    )
    assert str(refused.fault).removeprefix("this table is not possible: ").split("; ") == [
        "'hands' needs 2 entries, one for each seat, but has 3",
        "player 5 is not playing",
        "the direction is 0, not 1 or -1",
        "cards in the draw pile: 91",
        "cards named: 0",
        "cards in the deck: 90",
        "the number of turns to miss is not between 0 and 9",
        "'x' is not a Ciao! card",
        "4 cards cannot be pending on gR:+3",
        "gP#1 is in two places",
        "there is no gP#7: the copies of gP are 1 to 4",
        "gR:+3 is here 2 times, but exists once",
        "gS is here 5 times, but exists 4 times",
        "cards in player 1's hand: 2",
        "cards named: 6",
        "there are 156 cards in the hands and piles together",
        "the deck has 90",
    ]


def test_a_card_that_was_scanned_wrong_is_put_right_with_all_that_follows() -> None:
    game = CiaoMatch(3)
    game.play("gR")
    game.play("gP:+3")
    assert game.view["pending"] == 3
    step = game.do(game.game.correct(("gP:+3",), ("yP:AR",)))
    assert sentences(step)[0] == (
        "HC-19",
        "yellow paper with again or reverse was played, not green paper with +3",
    )
    assert (game.view["top"], game.view["pending"], game.asked) == ("yP:AR", 0, ["decide"])
    assert game.match.asks[0].seats == (1,)
    game.answer("reverse")
    assert game.view["turn"] == 0
    game.do(Correct(cards("yP:AR"), cards("rP")))
    assert (game.view["turn"], game.view["dir"], game.view["discards"]) == (2, 1, ["gR"])


def test_what_cannot_be_put_right_is_told() -> None:
    game = CiaoMatch(2)
    fix = "undo back to the card that was wrong"
    assert game.fix(Correct(cards("gR"), cards("gP"))) == fix
    game.play("gR")
    assert (
        game.fix(Correct(cards("yR"), cards("gP"))) == "name green rock and the card that was really played"
    )
    assert game.rule(Correct(cards("gR"), cards("gP", "yP"))) == "HC-19"
    assert game.rule(Correct((), ())) == "HC-19"
    assert game.rule(Correct(cards("gR"), cards("x"))) == "HC-10"
    refused = game.refused(Correct(cards("gR"), cards("T")))
    assert (refused.rule.key, refused.penalty) == ("CI-12", None)
    game.draw()
    assert game.fix(Correct(cards("gR"), cards("gP"))) == fix


def test_players_come_and_go_before_the_first_card_of_a_deal() -> None:
    game = CiaoMatch(3, first=2)
    step = game.do(Leave(Seat(2)))
    assert sentences(step) == [("HC-16", "player 3 leaves; the points are kept")]
    assert (game.match.players, game.view["turn"], game.view["hand_sizes"]) == ((0, 1), 0, [7, 7, 0])
    assert game.fault(Leave(Seat(0))) == "at least 2 players must stay"
    assert game.rule(Play(Card("gR"), Seat(2))) == "CI-1"
    game.do(Join(Seat(3)))
    game.do(Join(Seat(2)))
    assert (game.view["hand_sizes"], game.view["draw"]) == ([7, 7, 7, 7], 62)
    assert game.fault(Join(Seat(2))) == "player 3 is already playing"
    assert game.fix(Join(Seat(6))) == "use a free player number: 5"
    game.play("gR")
    assert game.rule(Join(Seat(4))) == "HC-16"
    assert game.rule(Leave(Seat(1))) == "HC-16"


def test_more_players_than_the_deck_has_cards_for_cannot_join() -> None:
    game = CiaoMatch(2, deck={"gR": 0, "yR": 0, "rR": 0, "gP": 0, "yP": 0, "rP": 0, "gS": 0}, step=1)
    assert game.fault(Join(Seat(2))) == "the deck has only 14 cards"


def test_owners_are_known_so_there_is_nothing_to_exchange() -> None:
    with pytest.raises(NotInThisGame) as never:
        CiaoMatch().game.swap((Seat(0), Seat(1)))
    assert never.value.fix == "undo, then say who played it"


def test_a_named_joker_keeps_its_copy_when_its_table_is_set_up_elsewhere() -> None:
    game = CiaoMatch(2)
    game.play("yJ#2", name="R")
    assert (game.view["top"], game.view["top_copy"]) == ("yJ=R", 2)
    other = CiaoMatch(2)
    other.set_up(game.view["top"], top_copy=game.view["top_copy"])
    assert (other.view["top"], other.view["top_copy"]) == ("yJ=R", 2)
    other.play("yP")
    assert other.view["discards"] == ["yJ#2"]
    other.set_up("gJ#1=S")
    assert (other.view["top"], other.view["top_copy"]) == ("gJ=S", 1)
    assert str(other.rule(Adopt(top="gJ#1=S", top_copy=2))) == "HC-18"
