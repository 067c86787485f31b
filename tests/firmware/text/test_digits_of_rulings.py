"""In Persian a sentence of the referee has cards in the digits of the cards, and all else in Persian ones."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from companion.core import games
from companion.core.ruling import Refused
from companion.match.match import Match, Step, Terms, begin
from companion.text.errors import UnknownCard
from companion.text.sentence import CardNumber, Sentences, Text
from firmware.text.translation import Translator
from tests.companion.test_every_rule import rulings

PERSIAN: Final = Translator("fa").calling([f"بازیکن {letter}" for letter in "ابپتثجچحخد"])
ISOLATED: Final = re.compile("[\u2066\u2068][^\u2066-\u2069]*\u2069")
BESIDE: Final = re.compile(r"[0-9۰-۹]+ [0-9۰-۹]+")
MIXED_RANGE: Final = re.compile(r"[۰-۹]+ تا [0-9]|[0-9]+ تا [۰-۹]")


def facts(text: Text) -> Iterator[object]:
    for fact in text.facts.values():
        yield from _within(fact)


def _within(fact: object) -> Iterator[object]:
    match fact:
        case Text():
            yield from facts(fact) if fact.facts else (fact.template,)
        case Sentences(said):
            for text in said:
                yield from facts(text)
        case tuple():
            for one in fact:
                yield from _within(one)
        case _:
            yield fact


def texts(match: Match, ruling: Step | Refused) -> Iterator[Text]:
    yield from (ask.says for ask in match.asks)
    if isinstance(ruling, Refused):
        yield from (ruling.fault, ruling.fix)
    else:
        yield from (because.says for because in ruling.because)


def faults(said: str, cards: frozenset[str]) -> set[str]:
    """What is wrong with the digits of a sentence in which these are cards."""
    without = ISOLATED.sub("", said)
    found = {digits for digits in re.findall("[0-9]+", without) if digits not in cards}
    plain = re.sub("[\u2066-\u2069]", "", said)
    return found | set(BESIDE.findall(plain)) | set(MIXED_RANGE.findall(plain))


def check(text: Text, deck: frozenset[str]) -> None:
    named = [str(fact) for fact in facts(text) if isinstance(fact, str) and fact in deck]
    numbers = [str(fact).lstrip("-") for fact in facts(text) if isinstance(fact, CardNumber)]
    said = PERSIAN.say(text)
    said = re.sub(r"\+3|#[0-9]+", "", said)  # as a card of Ciao! is called
    assert faults(said, frozenset([*named, *numbers])) == set(), said


@pytest.mark.slow
@pytest.mark.parametrize("game", games.GAMES)
def test_every_ruling_has_one_kind_of_digits_for_cards_and_one_for_all_else(game: str) -> None:
    deck = frozenset(games.module(game).DECK) or frozenset(map(str, range(1, 105)))
    for match, _, ruling in rulings(game):
        for text in texts(match, ruling):
            check(text, deck)


@pytest.mark.parametrize("game", ["six", "eleven"])
def test_a_card_that_there_is_not_is_told_with_the_others_in_the_same_digits(game: str) -> None:
    match = begin(Terms(game, 3, {}))
    with pytest.raises(UnknownCard) as unknown:
        match.play("105")
    said = PERSIAN.say(unknown.value.fix_text)
    assert faults(said, frozenset({str(games.module(game).DECK[-1])})) == set()
    assert "\u20661\u2069" in said
