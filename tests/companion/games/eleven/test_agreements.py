"""What can be agreed about 11 nimmt!, and what people at the table are asked."""

from random import Random
from typing import Any

import pytest

from companion.core import games
from companion.core.ask import Ask, AskKind, Wait
from companion.core.cards import Seat
from companion.games.eleven.options import HEADS, BullPiles, Bulls, Leader
from companion.games.eleven.records import Take
from companion.match.dealer import Dealer
from companion.text.errors import UnknownCard
from companion.text.sentence import NOTHING
from tests.companion.games.eleven.at_eleven import AtEleven
from tests.companion.random_match import by_people

ELEVEN = games.module("eleven")
CHOICES: dict[str, Any] = {"bulls": Bulls, "leader": Leader, "bull_piles": BullPiles}


@pytest.mark.parametrize("seats", ELEVEN.SEATS)
def test_a_match_has_as_many_deals_as_seats(seats: int) -> None:
    game = ELEVEN.make(seats, {})
    assert game.end.deals == seats
    assert game.options() == {"deals": seats}
    assert str(ELEVEN.questions(seats)[0].choices[0].text) == f"{seats}: ONE EACH"


@pytest.mark.parametrize(
    ("name", "word"), [(name, one.value) for name, kind in CHOICES.items() for one in kind]
)
def test_every_agreement_makes_the_same_game_again_and_only_what_differs_is_written(
    name: str, word: str
) -> None:
    game = ELEVEN.make(3, {name: word})
    assert getattr(game.agreed, name).value == word
    assert ELEVEN.make(3, game.options()) == game
    assert (name in game.options()) is (word != next(iter(CHOICES[name])).value)


def test_a_card_is_worth_its_heads() -> None:
    assert [ELEVEN.worth(card) for card in ("1", "5", "10", "11", "55", "99", "100")] == [1, 2, 3, 5, 7, 5, 3]


def test_a_table_of_heads_is_kept_and_the_usual_one_has_its_name() -> None:
    own = [*range(1, 100), 1]
    game = ELEVEN.make(2, {"heads": own})
    assert game.options()["heads"] == own
    assert ELEVEN.make(2, game.options()) == game
    assert ELEVEN.make(2, {"heads": list(HEADS["six"])}) == ELEVEN.make(2, {"heads": "six"})
    assert sum(HEADS["six"]) == 167


def test_the_schema_knows_every_option() -> None:
    assert set(ELEVEN.options_schema()["properties"]) == {"deals", "heads", "hands", *CHOICES}


@pytest.mark.parametrize("text", ["0", "101", "9" * 5000])
@pytest.mark.parametrize("kind", [AskKind.TURN_UP, AskKind.PLAY, AskKind.HAND])
def test_a_text_that_names_no_card_is_told_with_those_there_are(kind: AskKind, text: str) -> None:
    with pytest.raises(UnknownCard) as unknown:
        ELEVEN.make(2, {}).read(Ask(kind, (Seat(0),), Wait.ONE, NOTHING), Seat(0), text)
    assert unknown.value.fix == "the cards are 1 to 100"
    assert len(unknown.value.fault) < 60


@pytest.mark.parametrize("kind", [AskKind.TAKE, AskKind.CHOOSE, AskKind.WHOM, AskKind.DONE])
def test_an_answer_that_is_no_choice_is_told(kind: AskKind) -> None:
    ask = Ask(kind, (Seat(0),), Wait.ONE, NOTHING, choices=("0", "12"))
    for text in ("1", "", "012", "x" * 5000):
        with pytest.raises(UnknownCard) as unknown:
            ELEVEN.make(2, {}).read(ask, Seat(0), text)
        assert len(unknown.value.fault) < 80
    assert ELEVEN.make(2, {}).read(Ask(AskKind.TAKE, (), Wait.ONE, NOTHING, ("12",)), None, "12") == Take(12)


def test_hands_piles_deck_and_bull_cards_are_shown() -> None:
    game = AtEleven(3)
    game.scan(31, 36, 46)
    game.take(0)
    game.scan(23, 87)
    board = game.game.board(game.table)
    assert board.hands == (9, 9, 13)
    assert [(str(tally.label), tally.numbers) for tally in board.tallies] == [("BULLS", (0, 0, 1))]
    assert [str(fact) for fact in board.facts] == ["DRAW PILE: 67 CARDS", "BULLS IN SUPPLY 9"]
    assert (board.turn, board.turns) == (4, 0)
    assert str(game.game.audit(game.table).says) == "DRAW PILE: 67 CARDS"
    assert [(stack.cards, str(stack.fits), stack.heads) for stack in board.stacks] == [
        (("23",), "24-33", 1),
        (("87",), "88-97", 1),
    ]


def test_the_game_names_its_cards() -> None:
    game = ELEVEN.make(2, {})
    assert game.cards(game.start(2, (Seat(0), Seat(1)), Seat(0))) == ELEVEN.DECK
    assert (ELEVEN.DECK[0], ELEVEN.DECK[-1], len(ELEVEN.DECK)) == ("1", "100", 100)
    assert str(game.label("100")) == "100"


def test_a_starter_who_left_is_followed_by_the_next_seat() -> None:
    game = ELEVEN.make(3, {})
    assert game.start(3, (Seat(0), Seat(2)), Seat(1)).turn == 2
    assert game.start(3, (Seat(0), Seat(1)), Seat(2)).turn == 0


def test_people_go_on_from_any_table_that_is_taken_over() -> None:
    random = Random(3)
    game = AtEleven(4)
    game.adopt(
        {0: [33, 40, 41], 5: [96]},
        hands=[[7], [], [12, 90], []],
        hand_sizes=[4, 3, 2, 9],
        bulls=[3, 3, 4, 0],
        deck=1,
    )
    match, people = game.match, Dealer(random)
    seen = set()
    while match.asks:
        seen |= {ask.kind for ask in match.asks}
        match = match.then(by_people(match, people))
    assert {AskKind.PLAY, AskKind.TAKE, AskKind.HAND, AskKind.DONE} <= seen
    assert match.winners
