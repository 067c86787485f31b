"""The simulated controllers and buses against the data sheets, by hand-written bytes and the real smbus2."""

import sys

import pytest
from PIL import Image

from hardware.simulation.buses import SimulatedSpiBus, Traffic
from hardware.simulation.panels import SimulatedPanel
from tests.hardware.oled_setup import same

NORMAL = (0xA1, 0xC8, 0x8D, 0x14, 0xAF)  # columns and rows as the modules are mounted, charge pump, on
CLEAN = bytes(128 * 8)


def commands(panel: SimulatedPanel, *codes: int) -> None:
    panel.take_i2c(bytes((0x00, *codes)))


def data(panel: SimulatedPanel, cells: bytes) -> None:
    panel.take_i2c(b"\x40" + cells)


def cleaned(chip: str = "ssd1306") -> SimulatedPanel:
    """A panel that is on and black."""
    panel = SimulatedPanel(chip)
    if chip == "sh1106":
        commands(panel, 0xA1, 0xC8, 0xAF)
        for page in range(8):
            commands(panel, 0xB0 | page, 0x00, 0x10)
            data(panel, bytes(132))
        commands(panel, 0xB0)
    else:
        commands(panel, *NORMAL, 0x20, 0x00, 0x21, 0, 127, 0x22, 0, 7)
        data(panel, CLEAN)
    return panel


@pytest.fixture
def panel() -> SimulatedPanel:
    return cleaned()


def lit_pixels(picture: Image.Image) -> set[tuple[int, int]]:
    pixels = picture.tobytes("raw", "1")
    return {(x, y) for y in range(64) for x in range(128) if pixels[y * 16 + x // 8] & 0x80 >> x % 8}


def test_a_panel_that_was_just_plugged_in_is_dark_and_holds_noise() -> None:
    panel = SimulatedPanel("ssd1306")
    assert lit_pixels(panel.seen()) == set()
    assert 2000 < len(lit_pixels(panel.held())) < 6000
    before = panel.held()
    panel.plug()
    assert not same(before, panel.held())


def test_an_ssd1306_stays_dark_until_its_charge_pump_runs() -> None:
    panel = SimulatedPanel("ssd1306")
    commands(panel, 0xAF)
    assert not panel.lit
    commands(panel, 0x8D, 0x14)
    assert panel.lit


@pytest.mark.parametrize(
    ("codes", "cells", "lit"),
    [
        ((), b"\x81\x02", {(0, 0), (0, 7), (1, 1)}),
        ((0x20, 0x02, 0xB3, 0x0E, 0x17), b"\x01\x01\x01", {(126, 24), (127, 24), (0, 24)}),
        (  # the fifth begins again at the first cell
            (0x20, 0x00, 0x21, 10, 11, 0x22, 6, 7),
            b"\x01\x02\x04\x08\x80",
            {(10, 55), (11, 49), (10, 58), (11, 59)},
        ),
        ((0xA0, 0xC0), b"\x01", {(127, 63)}),
    ],
    ids=["a byte is eight pixels downward", "a page", "row by row", "not remapped"],
)
def test_each_way_of_addressing_lights_its_pixels(
    panel: SimulatedPanel, codes: tuple[int, ...], cells: bytes, lit: set[tuple[int, int]]
) -> None:
    commands(panel, *codes)
    data(panel, cells)
    assert lit_pixels(panel.seen()) == lit


def test_an_sh1106_shows_its_memory_from_column_two() -> None:
    panel = cleaned("sh1106")
    commands(panel, 0xB1, 0x00, 0x10)
    data(panel, b"\x01\x01\x01\x02")
    assert lit_pixels(panel.seen()) == {(0, 8), (1, 9)}


# --------------------------------------------------------------------------------- the buses


def test_the_level_of_the_data_line_tells_commands_from_data_on_spi() -> None:
    panel, level = cleaned(), [False]
    before = sys.modules.get("spidev")
    with SimulatedSpiBus(panel, data_line=lambda: level[0]) as node:
        import spidev

        wire = spidev.SpiDev()
        wire.open(0, 0)
        wire.writebytes([0x81, 0x42])
        level[0] = True
        wire.writebytes([0x81])
        wire.close()
        assert node.traffic == Traffic(transfers=2, bytes_on_wire=3, bit_times=24)
        assert node.open_count == 0
        with pytest.raises(FileNotFoundError):
            wire.open(0, 1)
        with pytest.raises(OSError, match="Bad file"):
            wire.writebytes([0])
    assert panel.registers.contrast == 0x42
    assert lit_pixels(panel.seen()) == {(0, 0), (0, 7)}
    assert sys.modules.get("spidev") is before
