"""Every page in every language, with long names: nothing is cut, and its main thing is read across the table.

Each is compared with its picture in tests/pictures/sheets. To make them again, after a look at what changed:
python -m pytest tests/whole/test_every_language.py --rewrite-pictures
"""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from msgspec.structs import replace
from PIL import Image

from firmware.config.sections import ScreenOptions
from firmware.display.canvas import Canvas
from firmware.extensions.robots.table import RobotsTable
from firmware.extensions.robots.thinking import Robots
from firmware.kiosk.install import install
from firmware.play.runtime import Runtime
from firmware.scripted import gallery
from firmware.scripted.gallery import KIOSK_SCREENS, NOON, PREPARED_SCREENS, SCREENS
from firmware.scripted.script import perform
from firmware.scripted.scripts import PIN
from tests.whole import golden
from tests.whole.careful import CarefulCanvas
from tests.whole.retelling import OWN_WORDS, SIZES_OF, tell
from tests.whole.wide_table import NAMES, configured

AT_THE_TABLE = {
    "home", "collecting", "ruling", "taken", "choose_stack", "choose_player", "standings", "deal_end",
    "match_end", "race", "on_turn", "winner", "awards", "deal", "dealt_hand", "match_result", "robot_cards",
    "robot_row", "robot_moved", "robot_on_turn", "kept_card", "tie", "share",
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


def screens(*, retold: bool) -> dict[tuple[str, str], dict[str, Drawn]]:
    """Each screen of the gallery, in each language and size.

    `retold`: each is played up to once, but for those with words of their own; else each time.
    """
    found: dict[tuple[str, str], dict[str, Drawn]] = {way: {} for way in SIZES_OF}
    usual = configured(NAMES).screen
    for name, script in {**SCREENS, **KIOSK_SCREENS}.items():
        once = retold and name not in OWN_WORDS
        for language, size in SIZES_OF[:1] if once else SIZES_OF:
            screen = replace(usual, language=language, size=size)
            with TemporaryDirectory() as folder, closing(played(name, script, screen, Path(folder))) as there:
                for way in SIZES_OF if once else [(language, size)]:
                    if once:
                        tell(there, *way)
                    found[way][name] = drawn(there)
    # These need a hub or a drive, which the gallery has; it lets nothing be cut.
    for language, size in SIZES_OF:
        screen = replace(usual, language=language, size=size)
        for shown in gallery.screens(screen, only={*PREPARED_SCREENS}):
            found[language, size][shown.name] = Drawn("", shown.main_px, [], shown.picture)
    return found


def played(name: str, script: str, screen: ScreenOptions, folder: Path) -> Runtime:
    """A device of people with long names at the end of a script."""
    config = configured(NAMES)
    config = replace(config, screen=screen, kiosk=replace(config.kiosk, pin=PIN))
    runtime = Runtime(config, folder / "journal.sqlite", time_of_day=lambda: NOON)
    if name in KIOSK_SCREENS:
        runtime.app.controller.extension(RobotsTable).thinkers = Robots(waits=True)
        install(runtime, rng=Random(6))
    perform(script, runtime.app.controller)
    return runtime


def drawn(runtime: Runtime) -> Drawn:
    """The page in front of a device."""
    canvas, page = CarefulCanvas(), runtime.app.controller.front
    try:
        page.draw(canvas, runtime.session)
    except ValueError as too_wide:
        canvas.faults.append(str(too_wide))
    largest_px = max(canvas.letters_px, default=0)
    main_px = min(canvas.main_px or largest_px, largest_px)
    return Drawn(page.NAME, main_px, canvas.faults, canvas.image())


def test_no_text_of_a_page_is_cut_and_each_page_is_as_in_its_picture(
    request: pytest.FixtureRequest,
) -> None:
    assert Canvas.strict
    rewriting = request.config.getoption("--rewrite-pictures")
    faults: dict[tuple[str, str], list[str]] = {}
    low: dict[tuple[str, str], int] = {}
    differing: list[str] = []
    for (language, size), shown in screens(retold=not rewriting).items():
        sheet, found = f"{language}-{size}", {name: one.picture for name, one in shown.items()}
        faults |= {(sheet, name): one.faults for name, one in shown.items() if one.faults}
        heights = {name: one.main_px for name, one in shown.items() if one.page in AT_THE_TABLE}
        low |= {(sheet, name): px for name, px in heights.items() if px < LEAST_PX}
        if rewriting:
            golden.rewrite_sheet(sheet, found)
        differing += [f"{sheet}: {told}" for told in golden.sheet_differences(sheet, found)]
    assert faults == {}
    assert low == {}
    assert differing == []


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
