"""Counts and points are in the digits of the language on every screen, cards as they are printed."""

import re
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.text.sentence import Decimals
from firmware.config.configuration import load
from firmware.display import glyphs
from firmware.extensions.robots.table import RobotsTable
from firmware.extensions.robots.thinking import Robots
from firmware.kiosk.install import install
from firmware.play.runtime import Runtime
from firmware.scripted.gallery import KIOSK_SCREENS, SCREENS
from firmware.scripted.script import perform
from firmware.scripted.scripts import PIN
from firmware.text.translation import Translator

PERSIAN = re.compile("[\u06f0-\u06f9]")
COUNTS = re.compile(r"\d+/\d+|[+×]\d+|\d+ → \d+|\d+\ue000|\[\d+\]", re.ASCII)
"""What no card, row, badge or key looks like."""

NO_COUNTS = {
    "what a key adds to a number": r"^[+-]10?$|R3=\+1",
    "the effect of a card of Ciao!": "[GYR]\\+3|\u2066\\+3\u2069",
    "a match that can be resumed: its number, its Latin title and its players": r"^\d: .*×4$",
}
"""What is written as on cards and keys, and why."""


def drawn(name: str, digits: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of a screen in Persian."""
    texts: list[str] = []
    draw = glyphs.Font.bitmap

    def noted(self: glyphs.Font, text: str) -> Any:
        texts.append(text)
        return draw(self, text)

    plain = load(None)
    config = replace(
        plain,
        screen=replace(plain.screen, language="fa", digits=digits),
        kiosk=replace(plain.kiosk, on=name in KIOSK_SCREENS, pin=PIN),
    )
    with closing(Runtime(config, folder / f"{digits}.sqlite")) as runtime:
        if name in KIOSK_SCREENS:
            runtime.app.controller.extension(RobotsTable).thinkers = Robots(waits=True)
            install(runtime, rng=Random(6))
        perform({**SCREENS, **KIOSK_SCREENS}[name], runtime.app.controller)
        monkeypatch.setattr(glyphs.Font, "bitmap", noted)
        runtime.app.picture()
        monkeypatch.undo()
    assert texts
    return texts


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


@pytest.mark.parametrize("name", [*SCREENS, *KIOSK_SCREENS])
def test_counts_are_in_the_digits_that_were_chosen(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in SCREENS:  # those of a kiosk take their numbers the same way
        assert not [text for text in drawn(name, "latin", tmp_path, monkeypatch) if PERSIAN.search(text)]
    same = re.compile("|".join(NO_COUNTS.values()))
    shown = [same.sub("", text) for text in drawn(name, "language", tmp_path, monkeypatch)]
    assert not [text for text in shown if COUNTS.search(text)]
