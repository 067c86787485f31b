"""Drivers of somebody else: what it takes to write one, and how the program finds it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL.Image import Image

from firmware.config.configuration import parse
from firmware.config.keys import ConfigError
from hardware import registry
from hardware.panel.display import Panel, PanelDisplay
from hardware.ports import Display, Light
from tests.hardware.device_setup import SOON_S, Letters
from tests.hardware.oled_setup import noise


class Sheet(Panel):
    """The whole of a display driver: five methods."""

    width_px, height_px = 64, 32

    def __init__(self) -> None:
        self.is_open = False
        self.pictures: list[Image] = []
        self.level = Light.OFF

    def open(self) -> None:
        self.is_open = True

    def show(self, frame: Image) -> None:
        self.pictures.append(frame)

    def light(self, level: Light) -> None:
        self.level = level

    def refresh(self) -> None:
        self.open()

    def close(self) -> None:
        self.is_open = False


def test_a_panel_of_five_methods_is_a_whole_display() -> None:
    sheet, letters = Sheet(), Letters()
    display: Display = PanelDisplay(sheet)
    assert (display.width_px, display.height_px) == (64, 32)
    assert display.check() == "a panel of 64x32 pixels opens"
    display.start(letters.post)
    display.draw(noise(1, 64, 32))
    display.light(Light.DIM)
    assert display.settle(SOON_S)
    assert sheet.pictures[-1].tobytes() == noise(1, 64, 32).tobytes()
    assert sheet.level is Light.DIM
    with pytest.raises(ValueError, match="64x32"):
        display.draw(noise(1))
    display.close()
    assert not sheet.is_open
    assert letters.drain() == []


PACKAGE = """
from typing import Annotated
from msgspec import Struct
from hardware.options import option
from hardware.panel.display import PanelDisplay
from tests.hardware.test_foreign_drivers import Sheet

class SheetDisplay(PanelDisplay):
    class Options(Struct, frozen=True):
        colour: Annotated[str, option("the colour of the sheet")] = "white"

    def __init__(self, options):
        super().__init__(Sheet())
        self.options = options
"""


@pytest.fixture
def other_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with a driver, installed beside us."""
    (tmp_path / "sheets.py").write_text(PACKAGE, encoding="utf-8")
    info = tmp_path / "sheets-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sheets\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[nimmt.drivers]\ndisplay.sheet = sheets:SheetDisplay\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    registry._installed.cache_clear()
    yield
    registry._installed.cache_clear()


@pytest.mark.usefixtures("other_package")
def test_a_driver_of_another_package_is_found_configured_and_used() -> None:
    config = parse('[display]\ndriver = "sheet"\ncolour = "red"\n', "the file of the test")
    made = registry.driver("display", config.display.driver)(config.display.options)
    assert made.options.colour == "red"
    made.start(Letters().post)
    made.draw(noise(1, 64, 32))
    assert made.settle(SOON_S)
    made.close()


@pytest.mark.usefixtures("other_package")
def test_a_driver_serves_the_port_that_it_is_installed_for() -> None:
    with pytest.raises(ConfigError, match="sheet"):
        parse('[scanner]\ndriver = "sheet"\n', "the file of the test")
