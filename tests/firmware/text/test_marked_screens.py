"""Every word on every screen comes from a template: a translation reaches all that people read.

The catalogue of these tests writes the letters of every template in Cyrillic ones. What is still Latin on the
display then is a fact, or a text that no translation could reach.
"""

import re

import pytest

from firmware.display.canvas import strictly
from firmware.scripted.gallery import KIOSK_SCREENS, SCREENS, performed
from firmware.text import translation
from tests.firmware.text.drawn_texts import drawn
from tests.firmware.text.marking import Marking

NO_WORDS = {
    "the number of a badge": "P[0-9]+",
    "a letter that can be chosen for a name, and a name that is being written": (
        "(?<![A-Za-z])[A-Z](?![A-Za-z])|[A-Z]+_"
    ),
    "the name of a language, in that language": "Deutsch|English",
    "the name of a device, as in the configuration": "SCANNER",
    "a card of Ciao! as on the display: its colour, and the letters of its effect": (
        "[\ue008-\ue00a](G|Y|R)(AR|BC|SC|SW)?|(?<=\u0419)[GYR]|SC$"
    ),
}
"""What is the same in every language, and why."""


@pytest.mark.slow
def test_every_word_of_a_screen_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    same, latin = re.compile("|".join(NO_WORDS.values())), re.compile("[A-Za-z]")
    wrong: dict[str, list[str]] = {}
    monkeypatch.setattr(translation, "_translations", lambda _language: Marking())
    for name, runtime in performed(only=[*SCREENS, *KIOSK_SCREENS]):
        with strictly(strict=False):
            shown = drawn(runtime, monkeypatch)
        wrong[name] = [text for text in shown if latin.search(same.sub("", text))]
    assert {name: texts for name, texts in wrong.items() if texts} == {}
