"""How cards of Ciao! are written, typed, numbered and shown, and how answers become orders."""

import re
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.ask import Ask, AskKind, Wait
from companion.core.cards import Seat
from companion.core.codec import Record
from companion.core.codes import CardCode, card_code, read
from companion.core.ruling import Refused
from companion.games.ciao.cards import KINDS, Card, face, typed
from companion.games.ciao.explain import asks_who
from companion.games.ciao.options import DECK
from companion.games.ciao.records import (
    ChoosePlayer,
    Claim,
    DiscardTrouble,
    Done,
    Draw,
    Give,
    Hand,
    HandCard,
    Keep,
    Mode,
    Name,
    Play,
    Race,
    RaceOff,
    Thanks,
)
from companion.match.dealer import Dealer
from companion.match.match import Terms, begin
from companion.text.errors import UnknownCard
from companion.text.sentence import NOTHING, PAPER, ROCK, SCISSORS
from tests.companion import random_match
from tests.companion.games.ciao.ciao_match import CiaoMatch
from tests.companion.random_match import by_people

GAME = CiaoMatch(4).game
COLUMNS = 21


def ask(kind: AskKind, *choices: str, seats: tuple[int, ...] = (1,), card: str = "") -> Ask:
    return Ask(kind, tuple(map(Seat, seats)), Wait.ONE, NOTHING, choices, card=card)


ANSWERS: list[tuple[Ask, int | None, str, Record]] = [
    (ask(AskKind.PLAY), None, "gR:+3", Play(Card("gR:+3"))),
    (ask(AskKind.PLAY), 1, "GR:+3#2", Play(Card("gR:+3#2"), Seat(1))),
    (ask(AskKind.PLAY), None, "yj=p", Play(Card("yJ"), name="P")),
    (ask(AskKind.PLAY), None, "007", Play(Card("gR:+3"))),
    (ask(AskKind.PLAY), None, " t ", Play(Card("T"))),
    (ask(AskKind.RACE, seats=(0, 2)), 2, "rJ#1=S", Race(Card("rJ#1"), Seat(2), name="S")),
    (ask(AskKind.RACE), None, "90", Race(Card("T#3"))),
    (ask(AskKind.DONE, "nobody"), None, "nobody", RaceOff()),
    (ask(AskKind.CLAIM, "0", "2", card="gR#1"), None, "2", Claim(Card("gR#1"), Seat(2))),
    (ask(AskKind.CLAIM, "0", "2", card="gR#1"), 0, "", Claim(Card("gR#1"), Seat(0))),
    (ask(AskKind.DRAW, "draw"), 1, "draw", Draw(Seat(1))),
    (ask(AskKind.DONE, "keep"), None, "keep", Keep()),
    (ask(AskKind.DECIDE, "R", "P", "S"), 1, "S", Name("S", Seat(1))),
    (ask(AskKind.DECIDE, "again", "reverse"), None, "again", Mode("again")),
    (ask(AskKind.WHOM, "0", "2"), 0, "0", ChoosePlayer(Seat(0))),
    (ask(AskKind.GIVE), None, "T#1", Give(Card("T#1"))),
    (ask(AskKind.DONE, "not shown"), 1, "not shown", Give(None, Seat(1))),
    (ask(AskKind.DECIDE, "yes", "no"), None, "no", Thanks(said=False)),
    (ask(AskKind.DECIDE, "yes", "no"), None, "yes", Thanks(said=True)),
    (ask(AskKind.DECIDE, "goes", "stays"), None, "goes", DiscardTrouble(goes=True)),
    (ask(AskKind.HAND, seats=(2, 0)), None, "gS", HandCard(Card("gS"), Seat(2))),
    (ask(AskKind.HAND, seats=(2, 0)), 0, "gS", HandCard(Card("gS"), Seat(0))),
    (ask(AskKind.HAND, seats=(2, 0)), 5, "=17", Hand(Seat(2), points=17)),
    (ask(AskKind.DONE, "rest", seats=(2,)), None, "rest", Done(Seat(2))),
]


@pytest.mark.parametrize(("question", "seat", "text", "order"), ANSWERS)
def test_what_people_give_as_an_answer_becomes_an_order(
    question: Ask, seat: int | None, text: str, order: Record
) -> None:
    assert GAME.read(question, None if seat is None else Seat(seat), text) == order


@pytest.mark.parametrize(
    "text", ["", " ", "0", "91", "999", "1000", "-1", "1.5", "Ⅴ", "x", "gR=P", "T=P", "gX", "gR#0"]
)
def test_a_text_that_names_no_card_is_told_with_those_there_are(text: str) -> None:
    for kind in (AskKind.PLAY, AskKind.RACE, AskKind.GIVE, AskKind.HAND):
        with pytest.raises(UnknownCard) as unknown:
            GAME.read(ask(kind), Seat(1), text)
        assert unknown.value.fix == "scan the card again, or give its number, 1 to 90"


def test_an_answer_that_is_none_is_told() -> None:
    with pytest.raises(UnknownCard, match="is not a valid answer"):
        GAME.read(ask(AskKind.DECIDE, "R", "P", "S"), None, "again")
    with pytest.raises(UnknownCard, match="is not a valid answer"):
        GAME.read(ask(AskKind.DRAW, "draw"), None, "x")
    with pytest.raises(UnknownCard, match="is not a player"):
        GAME.read(ask(AskKind.WHOM, "0", "2"), Seat(1), "1")
    with pytest.raises(UnknownCard, match="is not a player"):
        GAME.read(ask(AskKind.CLAIM, "0", "2", card="gR"), None, "1")
    with pytest.raises(UnknownCard, match="Ciao! never asks you to lay four rows"):
        GAME.read(ask(AskKind.LAY), None, "gR")


def test_every_code_of_the_box_is_read_as_its_card() -> None:
    for number, card in enumerate(DECK, start=1):
        code = read(card_code("CI", number))
        assert code == CardCode("CI", str(number))
        assert GAME.read(ask(AskKind.PLAY), None, code.card) == Play(card)


@given(st.text(max_size=12))
def test_typing_never_fails_and_makes_known_cards_only(text: str) -> None:
    found = typed(text)
    assert found is None or found[0].partition("#")[0] in KINDS


def test_every_card_has_a_label_of_four_columns_that_tells_it_from_others() -> None:
    labels = [str(GAME.label(name)) for name in KINDS]
    assert max(map(len, labels)) == 4
    assert len(set(labels)) == len(KINDS)
    assert str(GAME.label("gR:+3#1")) == f"{ROCK.character}G+3"
    assert str(GAME.label("yP")) == f"{PAPER.character}Y"
    assert str(GAME.label("rJ#2")) == "JR"
    assert str(GAME.label("rJ=S")) == f"JR{SCISSORS.character}"
    assert str(GAME.label("T#3")) == "T"


@given(st.text(max_size=12))
def test_a_label_of_anything_has_room(text: str) -> None:
    assert len(str(GAME.label(text))) <= 4


def test_what_beats_every_top_card_has_room_on_the_display() -> None:
    tops = [name for name in KINDS if face(name)] + [f"{c}J={s}" for c, s in product("gyr", "RPS")]
    for step, top in product(("full", 2), tops):
        game = CiaoMatch(2, step=step)
        game.set_up(top, pending=3 if ":+3" in top else 0)
        board = game.game.board(game.table)
        assert all(0 < len(str(fact)) <= COLUMNS for fact in board.facts), top
        assert 2 <= len(board.facts) <= 4
        assert len(board.stacks) == 1
        assert board.stacks[0].cards == (top,)
    assert [str(fact) for fact in CiaoMatch(2).game.board(CiaoMatch(2).table).facts] == [
        "NO CARD PLAYED YET",
        "OPEN WITH ANY CARD",
        "PILE 76, CLOCKWISE",
    ]


def test_the_board_shows_what_beats_the_top_as_people_say_it() -> None:
    game = CiaoMatch(3)
    game.set_up("yJ=S")
    assert [str(fact) for fact in game.game.board(game.table).facts] == [
        "TOP SCISSORS YELLOW J",
        "ANY ROCK OR JOKER",
        " SCISSORS RED",
        "PILE 68, CLOCKWISE",
    ]
    assert game.game.board(game.table).hands == (7, 7, 7)
    assert str(game.game.audit(game.table).says) == "HANDS 21 PILE 68+1"


def test_a_card_is_named_by_colour_symbol_and_mark() -> None:
    named = {card: str(GAME.named(card)) for card in ("gR:+3", "yS#2", "yJ=P", "rJ#1", "T#3")}
    assert named == {
        "gR:+3": "GREEN ROCK +3",
        "yS#2": "YELLOW SCISSORS",
        "yJ=P": "YELLOW PAPER",
        "rJ#1": "RED JOKER",
        "T#3": "TROUBLE CARD",
    }
    assert str(asks_who("yS#1")) == "WHO? YELLOW SCISSORS"
    assert str(asks_who("yS:+3")) == "WHO? YELLOW SCISSORS"


@pytest.mark.slow
def test_no_ruling_and_no_question_names_a_card_as_machines_do() -> None:
    code = re.compile(r"\b[gyr][RPSJ]\b|#\d|:(?:AR|SC|BC|SW|\+3)")
    told: dict[str, str] = {}
    for seed in range(5):
        rng = Random(seed)
        match = random_match.agreed("ciao", rng)
        for _ in range(60):
            if not match.asks:
                break
            for command in random_match.unasked(match, rng):
                ruling = match.propose(command)
                if isinstance(ruling, Refused):
                    told[ruling.fault.template] = f"{ruling.fault}; {ruling.fix}"
            for ask_ in match.asks:
                told[ask_.says.template] = str(ask_.says)
            match = match.then(random_match.legal(match, rng))
            if match.newest is not None:
                told.update({str(says).partition(" ")[0]: str(says) for _, says in match.newest.because})
    assert len(told) > 30
    assert [text for text in told.values() if code.search(text)] == []


@pytest.mark.slow
def test_people_come_at_random_to_everything_that_can_happen() -> None:
    happened: set[str] = set()
    for seed in range(12):
        random = Random(seed)
        trouble = {"trouble": "special"} if seed % 2 else {}
        match = begin(Terms("ciao", random.randrange(3, 7), {"end": {"deals": 1}, **trouble}))
        people = Dealer(random)
        while match.asks:
            step = by_people(match, people)
            happened |= {event.KIND for event in step.events}
            match = match.then(step)
    never = {cls.KIND for cls in GAME.events} - happened
    mistakes = {"mistake_made", "turn_lost", "turn_missed"}
    scanned = {"card_registered", "hands_forgotten"}  # where hands are scanned: tests of their own
    assert never == mistakes | scanned | {
        "deal_stopped",
        "play_reopened",
        "seat_left",
        "seat_joined",
        "table_adopted",
    }
