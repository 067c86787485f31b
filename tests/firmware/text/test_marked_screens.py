"""Every word on every screen comes from a template: a translation reaches all that people read.

The catalogue of these tests writes the letters of every template in Cyrillic ones. What is still Latin on the
display then is a fact, or a text that no translation could reach.
"""

import re
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.config.configuration import load
from firmware.display import glyphs
from firmware.display.canvas import strictly
from firmware.extensions.robots.table import RobotsTable
from firmware.extensions.robots.thinking import Robots
from firmware.kiosk.install import install
from firmware.play.runtime import Runtime
from firmware.scripted.gallery import KIOSK_SCREENS, SCREENS
from firmware.scripted.script import perform
from firmware.scripted.scripts import PIN
from firmware.text import translation
from tests.firmware.text.marking import Marking


def drawn(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The texts with a Latin letter that are drawn at the end of the script of a screen."""
    texts: list[str] = []
    draw = glyphs.Font.bitmap

    def noted(self: glyphs.Font, text: str) -> Any:
        texts.append(text)
        return draw(self, text)

    plain = load(None)
    config = replace(plain, kiosk=replace(plain.kiosk, on=name in KIOSK_SCREENS, pin=PIN))
    monkeypatch.setattr(translation, "_translations", lambda _language: Marking())
    with closing(Runtime(config, folder / "journal.sqlite")) as runtime, strictly(strict=False):
        if name in KIOSK_SCREENS:
            runtime.app.controller.extension(RobotsTable).thinkers = Robots(waits=True)
            install(runtime, rng=Random(6))
        perform({**SCREENS, **KIOSK_SCREENS}[name], runtime.app.controller)
        monkeypatch.setattr(glyphs.Font, "bitmap", noted)
        runtime.app.picture()
        monkeypatch.undo()
    assert texts
    return {text for text in texts if re.search("[A-Za-z]", text)}


NO_WORDS = {
    "the number of a badge": "P[0-9]+",
    "a letter that can be chosen for a name, and a name that is being written": (
        "(?<![A-Za-z])[A-Z](?![A-Za-z])|[A-Z]+_"
    ),
    "the name of a language, in that language": "Deutsch|English",
    "a card of Ciao! as on the display: its colour, and the letters of its effect": (
        "[\ue008-\ue00a](G|Y|R)(AR|BC|SC|SW)?|(?<=\u0419)[GYR]|SC$"
    ),
}
"""What is the same in every language, and why."""


@pytest.mark.parametrize("name", [*SCREENS, *KIOSK_SCREENS])
def test_every_word_of_a_screen_is_translated(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = re.compile("|".join(NO_WORDS.values()))
    rest = {same.sub("", text) for text in drawn(name, tmp_path, monkeypatch)}
    assert not {text for text in rest if re.search("[A-Za-z]", text)}
