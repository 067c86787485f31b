"""What can be agreed about 11 nimmt!, and what people at the table are asked."""

from typing import Any

import pytest

from companion.core import games
from companion.core.ask import Ask, AskKind, Wait
from companion.core.cards import Seat
from companion.games.eleven.options import BullPiles, Bulls, Leader
from companion.games.eleven.records import Take
from companion.text.errors import UnknownCard
from companion.text.sentence import NOTHING
from tests.companion.games.eleven.at_eleven import AtEleven

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


def test_a_starter_who_left_is_followed_by_the_next_seat() -> None:
    game = ELEVEN.make(3, {})
    assert game.start(3, (Seat(0), Seat(2)), Seat(1)).turn == 2
    assert game.start(3, (Seat(0), Seat(1)), Seat(2)).turn == 0
