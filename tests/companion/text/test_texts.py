"""Every sentence of the referee: that it is there, that it fits the display, that it says what it should."""

import pytest

from companion.core import games
from companion.core.cards import Card, Seat, called, listed_players, who
from companion.core.game import Game
from companion.core.options import Question
from companion.core.ruling import Rule
from companion.core.score_sheet import MAX_DEALS, MAX_TARGET, EndRule, When
from companion.match import commands as match_commands
from companion.match import match
from companion.text.sentence import in_sentences, say
from tests.companion.games.six.six_match import SixMatch
from tests.companion.other_words import OtherWords
from tests.companion.told import told

COLUMNS = 21

every_game = pytest.mark.parametrize("key", games.GAMES)


def made(key: str) -> Game:
    module = games.module(key)
    return module.make(module.SEATS[0], {})


def all_rules() -> list[Rule]:
    about_match = (match.UNDO, match.OVER, *match_commands.RULES)
    return [*about_match, *(rule for key in games.GAMES for rule in made(key).rules.values())]


def test_every_rule_has_a_key_a_source_a_line_for_the_display_and_a_sentence() -> None:
    for rule in all_rules():
        assert rule.source, rule
        assert 0 < len(rule.short) <= COLUMNS, rule
        assert rule.short == rule.short.upper()
        assert rule.full[0].isupper(), rule
        assert rule.full.endswith("."), rule
        assert "  " not in rule.full + rule.short
    keys = [rule.key for rule in all_rules()]
    assert len(keys) == len(set(keys))


@every_game
def test_what_is_settled_before_a_match_fits_the_display(key: str) -> None:
    for seats in games.module(key).SEATS:
        for question in games.module(key).questions(seats):
            fits_the_display(question)


def fits_the_display(question: Question) -> None:
    assert 0 < len(str(question.ask)) <= COLUMNS
    assert len(str(question.note)) <= COLUMNS
    assert question.choices  # more than four turn pages
    for choice in question.choices:
        assert 0 < len(str(choice.text)) <= 18, str(choice.text)
    if question.dial:
        path, low, high, begin = question.dial
        assert low <= begin <= high
        value: object = question.choices[-1].options
        for name in path.split("."):
            assert isinstance(value, dict)
            value = value[name]
        assert value == begin


@pytest.mark.parametrize("when", When)
def test_the_end_rule_fits_into_eight_columns(when: When) -> None:
    for rule in (EndRule(MAX_TARGET, when), EndRule(deals=MAX_DEALS)):
        assert len(str(rule.short())) <= 8


def sentences_of(game: SixMatch, *cards: int) -> list[tuple[str, str]]:
    game.play(*cards)
    step = game.match.newest
    assert step is not None
    return list(told(step))


def test_the_reasons_of_a_turn_say_where_each_card_goes_and_why() -> None:
    game = SixMatch(4)
    game.adopt([[12, 14, 15], [37], [43], [58]])
    assert sentences_of(game, 44, 16, 61, 38) == [
        ("6N-ORDER", "from the lowest to the highest: 16, 38, 44, 61"),
        ("6N-2", "16 goes to row 1: 15 is the only end below it"),
        ("6N-2", "38 goes to row 2: 37 is the closest end below it; row 1 ends at 16"),
        ("6N-2", "44 goes to row 3: 43 is the closest end below it; row 1 ends at 16, row 2 at 38"),
        (
            "6N-2",
            "61 goes to row 4: 58 is the closest end below it; row 1 ends at 16, row 2 at 38, row 3 at 44",
        ),
    ]


@pytest.mark.parametrize(
    ("fact", "english", "persian", "with_names"),
    [
        (44, "44", "۴۴", "۴۴"),
        (Card(44), "44", "44", "44"),
        ((Card(44), Card(5)), "44, 5", "44، 5", "44، 5"),
        ((1, (2, 3)), "1, 2, 3", "۱، ۲، ۳", "۱، ۲، ۳"),
        ("44", "44", "44", "44"),
        (True, "True", "True", "True"),
        (who(Seat(2)), "player 3", "بازیکن ۳", "Cem"),
        (called(Seat(2)), "P3", "P3", "Cem"),
        (listed_players([Seat(0)]), "player 1", "بازیکن ۱", "Ana"),
        (listed_players([Seat(0), Seat(2)]), "players 1, 3", "بازیکن‌های ۱، ۳", "Ana، Cem"),
        (say("row {row}", row=2), "row 2", "ردیف ۲", "ردیف ۲"),
    ],
    ids=str,
)
def test_each_kind_of_fact_is_said_as_the_language_says_it(
    fact: object, english: str, persian: str, with_names: str
) -> None:
    words = {
        "row {row}": "ردیف {row}",
        "player {number}": "بازیکن {number}",
        "player {numbers}": "بازیکن {numbers}",
        "players {numbers}": "بازیکن‌های {numbers}",
        ", ": "، ",
    }
    text = say("{fact}", fact=fact)
    assert str(text) == english
    assert text.render(OtherWords(words, "۰۱۲۳۴۵۶۷۸۹")) == persian
    assert text.render(OtherWords(words, "۰۱۲۳۴۵۶۷۸۹", ("Ana", "Bo", "Cem"))) == with_names


@pytest.mark.parametrize(
    ("said", "joined"),
    [
        (("card 44 is in row 3", "scan it again"), "Card 44 is in row 3. Scan it again."),
        (("P2 chooses", "did you mean 'x'?"), "P2 chooses. Did you mean 'x'?"),
        (("ruling_s = soon is no number", "use 0 to 60"), "ruling_s = soon is no number. Use 0 to 60."),
        (("host = x", ""), "host = x."),
        (("کارت 44 در ردیف ۳ است", "دوباره اسکن کنید"), "کارت 44 در ردیف ۳ است. دوباره اسکن کنید."),
    ],
)
def test_a_fault_and_what_to_do_about_it_are_two_sentences(said: tuple[str, ...], joined: str) -> None:
    assert in_sentences(*said) == joined
    assert in_sentences(joined) == joined
