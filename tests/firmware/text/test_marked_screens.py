"""What is on the screens is in the language of the reader: every word, and the digits of every count.

- Counts and points are in the digits of the language, or as on the cards where those were chosen.
- Every word comes from a template, so that a translation reaches all that people read. A catalogue of these
  tests writes the letters of every template in Cyrillic ones: what is still Latin on the display then is a
  fact, or a text that no translation could reach.
"""

import re

import pytest
from msgspec.structs import replace

from companion.text.sentence import NOTHING, Decimals
from firmware.config.configuration import load
from firmware.display.canvas import strictly
from firmware.loop.react import do
from firmware.loop.runtime import Runtime
from firmware.text import translation
from firmware.text.translation import Translator
from tests.firmware.text.drawn_texts import drawn
from tests.firmware.text.marking import Marking
from tests.gallery.pictures import KIOSK_SCREENS, SCREENS, performed
from tests.whole.retelling import OWN_WORDS

PERSIAN = re.compile("[\u06f0-\u06f9]")
LATIN = re.compile("[A-Za-z]")
COUNTS = re.compile(r"\d+/\d+|[+×]\d+|\d+ → \d+|\d+\ue000|\[\d+\]", re.ASCII)
"""What no card, row, badge or key looks like."""
NO_COUNTS = {
    "what a key adds to a number": r"^[+-]10?$|R3=\+1",
    "the effect of a card of Ciao!": "[GYR]\\+3|\u2066\\+3\u2069",
    "a match that can be resumed: its number, its Latin title and its players": r"^\d: .*×4$",
}
"""What is written as on cards and keys, and why."""
NO_WORDS = {
    "the number of a badge": "P[0-9]+",
    "a letter that can be chosen for a name, and a name that is being written": (
        "(?<![A-Za-z])[A-Z](?![A-Za-z])|[A-Z]+_"
    ),
    "a language, in that language": "(?i:Deutsch|English)|^(EN|DE)$|LANGUAGE SPRACHE",
    "the name of a device, as in the configuration": "SCANNER",
    "a key that stands alone": "^OK$",
    "a card of Ciao! as on the display: its colour, and the letters of its effect": (
        "[\ue008-\ue00a](G|Y|R)(AR|BC|SC|SW)?|(?<=\u0419)[GYR]|SC$"
    ),
}
"""What is the same in every language, and why."""


@pytest.mark.parametrize(
    ("language", "digits", "said"),
    [
        ("en", "language", "-12.50"),
        ("de", "latin", "-12,50"),
        ("fa", "language", "\u2066-۱۲٫۵۰\u2069"),  # the sign stays at the left
        ("fa", "latin", "-12.50"),
    ],
)
def test_decimals_have_the_separator_of_their_digits(language: str, digits: str, said: str) -> None:
    t = Translator(language, digits)
    number = Decimals(-12.5, 2)
    assert t.decimals(number) == said
    assert said in t("module {size} mm; print at 100 % (“actual size”)", size=number)


def speak(runtime: Runtime, language: Translator) -> None:
    """Go on in this language; what was said before in another one is gone."""
    do(runtime.app.table, lambda table: table.say(NOTHING))
    runtime.session.speak(language)


def marked(monkeypatch: pytest.MonkeyPatch) -> Translator:
    """Texts in English whose words are marked."""
    monkeypatch.setattr(translation, "_translations", lambda *_: Marking())
    return Translator()


@pytest.mark.slow
def test_every_word_is_translated_and_counts_are_in_the_digits_that_were_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    same = re.compile("|".join(NO_COUNTS.values()))
    no_words = re.compile("|".join(NO_WORDS.values()))
    persian = replace(load(None).screen, language="fa")
    latin = replace(persian, digits="latin")
    wrong: dict[str, list[str]] = {}

    def check_latin(name: str, runtime: Runtime) -> None:
        wrong[name] += filter(PERSIAN.search, drawn(runtime, monkeypatch))

    def check_marked(name: str, runtime: Runtime) -> None:
        with strictly(strict=False):
            shown = drawn(runtime, monkeypatch)
        wrong[name] += [text for text in shown if LATIN.search(no_words.sub("", text))]

    with monkeypatch.context() as meanwhile:
        words = marked(meanwhile)
    for name, runtime in performed(persian, [*SCREENS, *KIOSK_SCREENS]):
        shown = [same.sub("", text) for text in drawn(runtime, monkeypatch)]
        wrong[name] = [text for text in shown if COUNTS.search(text)]
        if name not in OWN_WORDS:
            speak(runtime, Translator("fa", "latin"))
            check_latin(name, runtime)
            speak(runtime, words)
            check_marked(name, runtime)
    for name, runtime in performed(latin, OWN_WORDS):
        check_latin(name, runtime)
    marked(monkeypatch)
    for name, runtime in performed(only=OWN_WORDS):
        check_marked(name, runtime)
    assert {name: texts for name, texts in wrong.items() if texts} == {}
