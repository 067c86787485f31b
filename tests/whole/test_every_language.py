"""Every page in every language: nothing is cut, and its main thing is read across the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from firmware.config.sections.screen import SIZES
from firmware.display.canvas import Canvas
from firmware.display.plan import Size, plan_for
from firmware.kiosk.install import install
from firmware.play.robots import Robots
from firmware.play.runtime import Runtime
from firmware.scripted.gallery import KIOSK_SCREENS, PIN, SCREENS
from firmware.scripted.script import perform
from firmware.translation import LANGUAGES
from tests.whole.careful import CarefulCanvas
from tests.whole.wide_table import NAMES, configured

AT_THE_TABLE = {
    "home", "collecting", "ruling", "taken", "choose_stack", "choose_player", "standings", "deal_end",
    "match_end", "race", "on_turn",
}  # fmt: skip
"""Pages that all around a table read."""

LEAST_PX = 14


def pages(language: str, size: str) -> dict[str, tuple[str, int, list[str]]]:
    """Each screen of the gallery: its page, the height of its main thing, and what is wrong with it."""
    found = {}
    config = configured(NAMES)
    config = replace(
        config,
        screen=replace(config.screen, language=language, size=size),
        kiosk=replace(config.kiosk, pin=PIN),
    )
    for name, script in {**SCREENS, **KIOSK_SCREENS}.items():
        with TemporaryDirectory() as folder:
            runtime = Runtime(config, Path(folder) / "journal.sqlite")
            try:
                if name in KIOSK_SCREENS:
                    runtime.app.controller.robots = Robots(waits=True)
                    install(runtime, rng=Random(6))
                perform(script, runtime.app.controller)
                canvas, page = CarefulCanvas(), runtime.app.controller.front
                try:
                    page.draw(canvas, runtime.session)
                except ValueError as too_wide:
                    canvas.faults.append(str(too_wide))
                found[name] = (page.NAME, canvas.main_px, canvas.faults)
            finally:
                runtime.close()
    return found


SIZES_OF = [
    (language, size)
    for language in LANGUAGES
    for size in SIZES
    if size == SIZES[0] or plan_for(language, Size(size)) != plan_for(language)
]
"""Each language in all its sizes; Persian has one."""


@pytest.mark.parametrize(("language", "size"), SIZES_OF)
def test_no_text_of_a_page_is_cut_in_any_language(language: str, size: str) -> None:
    assert Canvas.strict
    shown = pages(language, size)
    assert {name: faults for name, (_, _, faults) in shown.items() if faults} == {}
    heights = {name: px for name, (page, px, _) in shown.items() if page in AT_THE_TABLE}
    assert {name: px for name, px in heights.items() if px < LEAST_PX} == {}
