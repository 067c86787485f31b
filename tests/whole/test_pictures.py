"""Every screen, drawn by the panel's real driver and read back from the panel's memory, against its picture.

They are stored in one sheet, tests/pictures/screens.png. To make it again, after a look at what changed:
python -m pytest tests/whole/test_pictures.py --rewrite-pictures
"""

import pytest
from PIL.Image import Image

from hardware.ports import Light
from tests.gallery.parts import PREPARED_SCREENS
from tests.gallery.pictures import KIOSK_SCREENS, SCREENS
from tests.gallery.scripts import NAMED_SCREENS
from tests.hardware.oled_setup import Bench, oled_bench, same
from tests.whole import golden

NAMES = [*SCREENS, *NAMED_SCREENS, *KIOSK_SCREENS, *PREPARED_SCREENS, "device-away"]
A_FEW = ("start", "between-turns", "collecting-ten", "row-taken", "all-cards", "standings", "menu")
FRAME_BYTES = 128 * 64 // 8


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
        golden.rewrite_sheet("screens", seen, golden.STORED)
    assert set(seen) == set(NAMES)
    assert len({picture.tobytes() for picture in seen.values()}) == len(seen)
    assert golden.sheet_differences("screens", seen, stored=golden.STORED) == []


@pytest.mark.parametrize("wired", [("sh1106", "i2c"), ("ssd1306", "spi"), ("ssd1309", "i2c")])
def test_another_panel_shows_the_same_pictures(wired: tuple[str, str], screens: dict[str, Image]) -> None:
    chip, bus = wired
    for name in A_FEW:
        with oled_bench(chip, bus) as bench:
            bench.driver.open()
            assert same(glass_showing(bench, screens[name]), screens[name]), f"{name}: {chip} on {bus}"


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
