"""Counts and points are in the digits of the language on every screen, cards as they are printed."""

import re

import pytest
from msgspec.structs import replace

from companion.text.sentence import NOTHING, Decimals
from firmware.config.configuration import load
from firmware.scripted.gallery import KIOSK_SCREENS, SCREENS, performed
from firmware.text.translation import Translator
from tests.firmware.text.drawn_texts import drawn
from tests.whole.retelling import OWN_WORDS

PERSIAN = re.compile("[\u06f0-\u06f9]")
COUNTS = re.compile(r"\d+/\d+|[+×]\d+|\d+ → \d+|\d+\ue000|\[\d+\]", re.ASCII)
"""What no card, row, badge or key looks like."""

NO_COUNTS = {
    "what a key adds to a number": r"^[+-]10?$|R3=\+1",
    "the effect of a card of Ciao!": "[GYR]\\+3|\u2066\\+3\u2069",
    "a match that can be resumed: its number, its Latin title and its players": r"^\d: .*×4$",
}
"""What is written as on cards and keys, and why."""


@pytest.mark.parametrize(
    ("language", "digits", "said"),
    [
        ("en", "language", "-12.50"),
        ("de", "latin", "-12,50"),
        ("fa", "language", "-۱۲٫۵۰"),
        ("fa", "latin", "-12.50"),
    ],
)
def test_decimals_have_the_separator_of_their_digits(language: str, digits: str, said: str) -> None:
    t = Translator(language, digits)
    number = Decimals(-12.5, 2)
    assert t.decimals(number) == said
    assert said in t("module {size} mm; print at 100 % (“actual size”)", size=number)


@pytest.mark.slow
def test_counts_are_in_the_digits_that_were_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    persian = replace(load(None).screen, language="fa")
    latin = replace(persian, digits="latin")
    same = re.compile("|".join(NO_COUNTS.values()))
    wrong: dict[str, list[str]] = {}
    for name, runtime in performed(persian, [*SCREENS, *KIOSK_SCREENS]):
        shown = [same.sub("", text) for text in drawn(runtime, monkeypatch)]
        wrong[name] = [text for text in shown if COUNTS.search(text)]
        if name not in OWN_WORDS:
            runtime.app.controller.do(lambda table: table.say(NOTHING))  # which was said in other digits
            runtime.session.speak(Translator("fa", "latin"))
            wrong[name] += filter(PERSIAN.search, drawn(runtime, monkeypatch))
    for name, runtime in performed(latin, OWN_WORDS):
        wrong[name] += filter(PERSIAN.search, drawn(runtime, monkeypatch))
    assert {name: texts for name, texts in wrong.items() if texts} == {}
