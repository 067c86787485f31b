"""Every page in every language, with long names: nothing is cut, and its main thing is read across the table.

Each is compared with its picture in tests/pictures/sheets. To make them again, after a look at what changed:
python -m pytest tests/whole/test_every_language.py --rewrite-pictures
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from PIL import Image

from firmware.config.sections.screen import SIZES
from firmware.display.canvas import Canvas
from firmware.display.plan import Size, plan_for
from firmware.kiosk.install import install
from firmware.play.robots import Robots
from firmware.play.runtime import Runtime
from firmware.scripted import gallery
from firmware.scripted.gallery import (
    KIOSK_SCREENS,
    NOON,
    PIN,
    SCREENS,
    TOURNAMENT_SCREENS,
    UPDATE_SCREENS,
)
from firmware.scripted.script import perform
from firmware.translation import LANGUAGES
from tests.whole import golden
from tests.whole.careful import CarefulCanvas
from tests.whole.wide_table import NAMES, configured

AT_THE_TABLE = {
    "home", "collecting", "ruling", "taken", "choose_stack", "choose_player", "standings", "deal_end",
    "match_end", "race", "on_turn", "winner", "awards", "deal", "dealt_hand", "match_result", "robot_cards",
    "robot_row", "robot_moved", "robot_on_turn",
}  # fmt: skip
"""Pages that all around a table read."""

LEAST_PX = 14


@dataclass(frozen=True, slots=True)
class Drawn:
    """A screen as it is drawn: its page, the height of its main thing, and what is wrong with it."""

    page: str
    main_px: int
    faults: list[str]
    picture: Image.Image


def screens(language: str, size: str) -> dict[str, Drawn]:
    """Each screen of the gallery."""
    found = {}
    config = configured(NAMES)
    config = replace(
        config,
        screen=replace(config.screen, language=language, size=size),
        kiosk=replace(config.kiosk, pin=PIN),
    )
    for name, script in {**SCREENS, **KIOSK_SCREENS}.items():
        with TemporaryDirectory() as folder:
            runtime = Runtime(config, Path(folder) / "journal.sqlite", time_of_day=lambda: NOON)
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
                largest_px = max(canvas.letters_px, default=0)
                main_px = min(canvas.main_px or largest_px, largest_px)
                found[name] = Drawn(page.NAME, main_px, canvas.faults, canvas.image())
            finally:
                runtime.close()
    # These need a hub or a drive, which the gallery has; it lets nothing be cut.
    for shown in gallery.screens(config.screen, only={*TOURNAMENT_SCREENS, *UPDATE_SCREENS}):
        found[shown.name] = Drawn("", shown.main_px, [], shown.picture)
    return found


SIZES_OF = [
    (language, size)
    for language in LANGUAGES
    for size in SIZES
    if size == SIZES[0] or plan_for(language, Size(size)) != plan_for(language)
]
"""Each language in all its sizes; Persian has one."""


@pytest.mark.parametrize(("language", "size"), SIZES_OF)
def test_no_text_of_a_page_is_cut_and_each_page_is_as_in_its_picture(
    language: str, size: str, request: pytest.FixtureRequest
) -> None:
    assert Canvas.strict
    shown = screens(language, size)
    assert {name: one.faults for name, one in shown.items() if one.faults} == {}
    heights = {name: one.main_px for name, one in shown.items() if one.page in AT_THE_TABLE}
    assert {name: px for name, px in heights.items() if px < LEAST_PX} == {}
    sheet, found = f"{language}-{size}", {name: one.picture for name, one in shown.items()}
    if request.config.getoption("--rewrite-pictures"):
        golden.rewrite_sheet(sheet, found)
    assert golden.sheet_differences(sheet, found) == []


def test_every_sheet_is_of_a_language() -> None:
    assert golden.stored_names(golden.SHEETS) == {f"{language}-{size}" for language, size in SIZES_OF}


def test_what_differs_from_a_sheet_is_told_screen_by_screen(tmp_path: Path) -> None:
    pictures = {name: Image.new("1", (128, 64), place % 2) for place, name in enumerate("abcdefghijklm")}
    golden.rewrite_sheet("xx", pictures, tmp_path / "sheets")
    at = {"stored": tmp_path / "sheets", "found": tmp_path / "found"}
    assert golden.sheet_differences("xx", dict(reversed(pictures.items())), **at) == []
    pictures["l"].putpixel((127, 63), 1 - pictures["l"].getpixel((127, 63)))  # type: ignore[operator]
    del pictures["c"]
    pictures["new"] = Image.new("1", (128, 64))
    told = golden.sheet_differences("xx", pictures, **at)
    assert [line.partition(":")[0] for line in told] == [
        "c is missing",
        "l differs",
        "new is new",
        "if that is meant",
    ]
    assert {file.name for file in (tmp_path / "found").iterdir()} == {"xx-l-new.png", "xx-l-difference.png"}
    assert golden.sheet_differences("yy", pictures, **at)
