"""What a game offers to the program: its package, its notation, the orders that a device can give."""

import pytest

from companion.core import games
from companion.core.ask import Ask, AskKind, Wait, read_points
from companion.core.cards import Card, Seat
from companion.core.game import Game
from companion.core.ruling import EndDeal, Join, Leave, Swap
from companion.games.six.records import Adopt, Claim, Correct, Lay, Pick, Play, TakeRow
from companion.text.digits import in_latin_digits
from companion.text.errors import UnknownCard, UnknownGame, did_you_mean, quoted
from companion.text.sentence import NOTHING
from tests.companion.games.six.six_match import cards

every_game = pytest.mark.parametrize("key", games.GAMES)
SIX: Game = games.module("six").make(4, {})


@every_game
def test_every_card_in_a_box_has_points(key: str) -> None:
    module = games.module(key)
    assert all(1 <= module.worth(card) <= 7 for card in module.DECK)
    assert sum(map(module.worth, module.DECK)) == {"six": 171, "eleven": 167, "ciao": 207, "score": 0}[key]


def test_a_game_that_is_not_installed_is_reported_with_those_that_are() -> None:
    with pytest.raises(UnknownGame, match="'sox'") as unknown:
        games.module("sox")
    assert unknown.value.fix == "did you mean 'six'?"
    assert games.first() == "six"


def ask(kind: AskKind, *seats: int, choices: tuple[str, ...] = (), card: str = "") -> Ask:
    return Ask(kind, tuple(map(Seat, seats)), Wait.ONE, NOTHING, choices, card=card)


@pytest.mark.parametrize(
    ("question", "seat", "text", "order"),
    [
        (ask(AskKind.LAY, 0, 1), None, "12", Lay(Card(12))),
        (ask(AskKind.PLAY, 0, 1), None, "007", Play(Card(7))),
        (ask(AskKind.PLAY, 0, 1), 1, " 104 ", Play(Card(104), Seat(1))),
        (ask(AskKind.PLAY, 0, 1), None, "۴۴", Play(Card(44))),
        (ask(AskKind.PLAY, 0, 1), None, "٤٤", Play(Card(44))),
        (ask(AskKind.PICK, 2), None, "7", Pick(Seat(2), Card(7))),
        (ask(AskKind.CHOOSE, 2, choices=("0", "1", "2", "3"), card="3"), 2, "3", TakeRow(3, Seat(2))),
        (ask(AskKind.CHOOSE, 2, choices=("0", "1", "2", "3"), card="3"), None, "0", TakeRow(0)),
        (ask(AskKind.CHOOSE, 2, choices=("0", "1", "2", "3"), card="3"), None, "۱", TakeRow(1)),
        (ask(AskKind.CLAIM, 0, 2, choices=("0", "2"), card="30"), 2, "2", Claim(Card(30), Seat(2))),
        (ask(AskKind.CLAIM, 0, 2, choices=("0", "2"), card="30"), None, "۲", Claim(Card(30), Seat(2))),
    ],
)
def test_what_people_give_as_an_answer_becomes_an_order(
    question: Ask, seat: int | None, text: str, order: object
) -> None:
    assert SIX.read(question, None if seat is None else Seat(seat), text) == order


@pytest.mark.parametrize("digits", ["0123456789", "۰۱۲۳۴۵۶۷۸۹", "٠١٢٣٤٥٦٧٨٩"])
def test_cards_and_points_can_be_typed_in_the_digits_of_any_keyboard(digits: str) -> None:
    def typed(text: str) -> str:
        return text.translate(str.maketrans("0123456789", digits))

    assert read_points(typed("-45"), negative=True) == -45
    ciao, eleven = (games.module(key).make(3, {}) for key in ("ciao", "eleven"))
    for game, card in ((ciao, "17"), (eleven, "99")):
        plays = ask(AskKind.PLAY, 0)
        assert game.read(plays, Seat(0), typed(card)) == game.read(plays, Seat(0), card)
    assert in_latin_digits(f"{typed('17')}، ۲٫۵ mm") == "17، 2.5 mm"


@pytest.mark.parametrize("text", ["0", "105", "9" * 5000, "۱۰۵", "²"])
@pytest.mark.parametrize(
    ("game", "kinds", "highest"),
    [
        ("six", (AskKind.LAY, AskKind.PLAY, AskKind.PICK), 104),
        ("eleven", (AskKind.TURN_UP, AskKind.PLAY, AskKind.HAND), 100),
    ],
)
def test_a_text_that_names_no_card_is_reported_with_those_there_are(
    game: str, kinds: tuple[AskKind, ...], highest: int, text: str
) -> None:
    for kind in kinds:
        with pytest.raises(UnknownCard) as unknown:
            games.module(game).make(4, {}).read(ask(kind, 0), Seat(0), text)
        assert unknown.value.fix == f"the cards are 1 to {highest}"
        assert len(unknown.value.fault) < 60


@pytest.mark.parametrize("text", ["4", "00"])
def test_a_row_that_is_no_choice_is_reported(text: str) -> None:
    with pytest.raises(UnknownCard, match="is not a row"):
        SIX.read(ask(AskKind.CHOOSE, 0, choices=("0", "1", "2", "3")), Seat(0), text)


@pytest.mark.parametrize(("seat", "text", "claims"), [(None, "2", 2), (2, "", 2), (0, "2", 2), (2, "x", 2)])
def test_a_card_is_claimed_by_the_choice_or_else_by_who_gives_the_answer(
    seat: int | None, text: str, claims: int
) -> None:
    question = ask(AskKind.CLAIM, 0, 2, choices=("0", "2"), card="30")
    assert SIX.read(question, None if seat is None else Seat(seat), text) == Claim(Card(30), Seat(claims))


def test_a_claim_of_nobody_is_reported() -> None:
    with pytest.raises(UnknownCard, match="is not a player"):
        SIX.read(ask(AskKind.CLAIM, 0, 2, choices=("0", "2"), card="30"), None, "1")


def test_a_device_can_give_every_order_beside_the_game() -> None:
    assert SIX.swap((Seat(0), Seat(2))) == Swap((Seat(0), Seat(2)))
    assert SIX.correct(("15",), ("016",)) == Correct(cards(15), cards(16))
    assert SIX.adopt((("12", "14"), ("37",)), 3) == Adopt((cards(12, 14), cards(37)), 3)
    assert SIX.leave(Seat(1)) == Leave(Seat(1))
    assert SIX.join(Seat(4)) == Join(Seat(4))
    assert SIX.end_deal() == EndDeal()
    with pytest.raises(UnknownCard):
        SIX.correct(("105",), ())
    with pytest.raises(UnknownCard):
        SIX.adopt((("x",),), 0)


def test_a_value_from_outside_is_quoted_briefly() -> None:
    assert quoted("x" * 100) == "'" + "x" * 36 + "..."
    assert len(quoted([[["deep"] * 100] * 100])) == 40
    assert quoted(7) == "7"
    assert str(did_you_mean("dek", ["deck", "draft"])) == "did you mean 'deck'?"
    assert str(did_you_mean("zzz", ["deck", "draft"])) == "use one of: deck, draft"


def test_no_game_takes_the_name_of_another() -> None:
    with pytest.raises(ValueError, match="six"):
        games.register("six", "companion.games.eleven")
    assert games.GAMES["six"] == "companion.games.six"
