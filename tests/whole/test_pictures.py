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
from tests.hardware.oled_setup import oled_bench
from tests.whole import golden

NAMES = [*SCREENS, *NAMED_SCREENS, *KIOSK_SCREENS, *PREPARED_SCREENS, "device-away"]


def test_every_screen_is_on_the_display_as_in_its_picture(
    screens: dict[str, Image], request: pytest.FixtureRequest
) -> None:
    seen = {}
    with oled_bench() as bench:
        bench.driver.open()
        for name, picture in screens.items():
            bench.driver.show(picture)
            bench.driver.light(Light.FULL)
            seen[name] = bench.panel.seen()
    if request.config.getoption("--rewrite-pictures"):
        golden.rewrite_sheet("screens", seen, golden.STORED)
    assert set(seen) == set(NAMES)
    assert len({picture.tobytes() for picture in seen.values()}) == len(seen)
    assert golden.sheet_differences("screens", seen, stored=golden.STORED) == []
