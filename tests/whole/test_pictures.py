"""Every screen, drawn by the panel's real driver and read back from the panel's memory, against its picture.

The stored pictures are in tests/pictures. To make them again, after a look at what has changed:
python -m pytest tests/whole/test_pictures.py --rewrite-pictures
"""

from pathlib import Path

import pytest
from PIL.Image import Image

from firmware.scripted.gallery import KIOSK_SCREENS, PREPARED_SCREENS, SCREENS, DrawnScreen
from firmware.scripted.scripts import NAMED_SCREENS
from hardware.ports import Light
from tests.hardware.oled_setup import Bench, oled_bench, same
from tests.whole import golden

NAMES = [*SCREENS, *NAMED_SCREENS, *KIOSK_SCREENS, *PREPARED_SCREENS, "device-away"]
A_FEW = ("start", "between-turns", "collecting-ten", "row-taken", "all-cards", "standings", "menu")
FRAME_BYTES = 128 * 64 // 8


@pytest.fixture(scope="module")
def screens(drawn_screens: tuple[DrawnScreen, ...]) -> dict[str, Image]:
    """What the device draws, by the name of the screen."""
    return {shown.name: shown.picture for shown in drawn_screens}


def glass_showing(bench: Bench, picture: Image) -> Image:
    bench.driver.show(picture)
    bench.driver.light(Light.FULL)
    return bench.panel.seen()


def test_every_screen_is_on_the_display_as_in_its_picture(
    screens: dict[str, Image], request: pytest.FixtureRequest
) -> None:
    with oled_bench() as bench:
        bench.driver.open()
        seen = {name: glass_showing(bench, picture) for name, picture in screens.items()}
    if request.config.getoption("--rewrite-pictures"):
        for name in golden.stored_names():
            (golden.STORED / f"{name}.png").unlink()
        for name, picture in seen.items():
            golden.rewrite(name, picture)
    assert set(seen) == set(NAMES) == golden.stored_names()
    assert len({picture.tobytes() for picture in seen.values()}) == len(seen)
    assert [told for name in NAMES if (told := golden.difference(name, seen[name]))] == []


@pytest.mark.parametrize("wired", [("sh1106", "i2c"), ("ssd1306", "spi"), ("ssd1309", "i2c")])
def test_another_panel_shows_the_same_pictures(wired: tuple[str, str], screens: dict[str, Image]) -> None:
    chip, bus = wired
    for name in A_FEW:
        with oled_bench(chip, bus) as bench:
            bench.driver.open()
            seen = glass_showing(bench, screens[name])
            assert not (told := golden.difference(name, seen)), f"{chip} on {bus}: {told}"


@pytest.mark.parametrize("wired", [("ssd1306", "i2c"), ("sh1106", "spi")])
def test_going_from_screen_to_screen_leaves_nothing_of_the_one_before(
    wired: tuple[str, str], screens: dict[str, Image]
) -> None:
    with oled_bench(*wired) as bench:
        bench.driver.open()
        glass_showing(bench, screens["start"])
        before = bench.bus.traffic
        for name, picture in reversed(screens.items()):
            assert same(glass_showing(bench, picture), picture), name
        sent = (bench.bus.traffic - before).bytes_on_wire
        assert sent < len(screens) * FRAME_BYTES, "whole frames were sent, this tells nothing about parts"


def test_a_picture_that_differs_is_told_by_name_and_pixels_and_can_be_looked_at(
    screens: dict[str, Image], tmp_path: Path
) -> None:
    stored, found = tmp_path / "stored", tmp_path / "found"
    stored.mkdir()
    picture = screens["between-turns"]
    golden.rewrite("home", picture, stored)
    assert golden.difference("home", picture, stored=stored, found=found) == ""
    changed = picture.copy()
    for x_px in (0, 64, 127):
        changed.putpixel((x_px, 63), 0 if changed.getpixel((x_px, 63)) else 255)
    told = golden.difference("home", changed, stored=stored, found=found)
    assert told.startswith("home differs in 3 pixels")
    assert str(found) in told
    assert {file.name for file in found.iterdir()} == {"home-new.png", "home-difference.png"}
    assert "has no picture" in golden.difference("missing", picture, stored=stored, found=found)
