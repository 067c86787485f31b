"""The OLED driver: real luma, real smbus2 and luma's real spi over a simulated wire."""

import subprocess
import sys
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from hardware.drivers.luma_oled import Oled, Options
from hardware.ports import Light
from hardware.simulation.buses import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel
from tests.examples import examples
from tests.hardware.device_setup import SOON_S, Letters
from tests.hardware.oled_setup import blank, noise, oled_bench, on_glass, same, score_screen

CHIPS = ["ssd1305", "ssd1306", "ssd1309", "ssd1315", "sh1106", "ch1115"]
BUSES = ["i2c", "spi"]


def with_digit(frame: Image.Image, x: int, y: int, value: int) -> Image.Image:
    """The frame with an 8x8 digit's worth of pixels changed."""
    changed = frame.copy()
    changed.paste(Image.frombytes("1", (8, 8), bytes(0x81 + value + row for row in range(8))), (x, y))
    return changed


# ------------------------------------------------------------------------------------ the picture


@pytest.mark.slow
@pytest.mark.parametrize("rotate", [0, 1, 2, 3])
@pytest.mark.parametrize("bus", BUSES)
@pytest.mark.parametrize("chip", CHIPS)
def test_the_picture_on_the_display_is_the_picture_that_was_drawn(chip: str, bus: str, rotate: int) -> None:
    with oled_bench(chip, bus, rotate=rotate) as bench:
        bench.driver.open()
        for seed in (1, 2):
            frame = noise(seed, bench.driver.width_px, bench.driver.height_px)
            bench.driver.show(frame)
            bench.driver.light(Light.FULL)
            assert same(bench.panel.seen(), on_glass(frame, rotate))


touches = st.lists(
    st.tuples(st.integers(0, 120), st.integers(0, 56), st.integers(0, 50)), min_size=1, max_size=12
)


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
@examples(15)
@given(start=st.integers(0, 9), changes=touches)
def test_any_sequence_of_small_changes_ends_in_the_same_picture_as_a_full_frame(
    chip: str, start: int, changes: list[tuple[int, int, int]]
) -> None:
    with oled_bench(chip) as bench:
        bench.driver.open()
        frame = noise(start) if start else blank()
        bench.driver.show(frame)
        for x, y, value in changes:
            frame = with_digit(frame, x, y, value)
            bench.driver.show(frame)
            assert same(bench.panel.held(), frame)


# --------------------------------------------------------------------------------------- the wire


@pytest.mark.parametrize("y", [16, 20])
@pytest.mark.parametrize("bus", BUSES)
@pytest.mark.parametrize("chip", CHIPS)
def test_one_changed_digit_costs_less_than_forty_bytes(chip: str, bus: str, y: int) -> None:
    with oled_bench(chip, bus) as bench:
        bench.driver.open()
        bench.driver.show(blank())
        used = bench.traffic_of_showing(with_digit(blank(), 60, y, 3))
        assert 8 < used.bytes_on_wire < 40


def test_changing_the_brightness_sends_no_picture() -> None:
    with oled_bench(contrast_full=200, contrast_dim=3) as bench:
        bench.driver.open()
        bench.driver.show(noise(1))
        for level, contrast, lit in (
            (Light.FULL, 200, True),
            (Light.DIM, 3, True),
            (Light.OFF, 3, False),
            (Light.FULL, 200, True),
        ):
            before = bench.bus.traffic
            bench.driver.light(level)
            assert (bench.bus.traffic - before).bytes_on_wire < 10
            assert (bench.panel.registers.contrast, bench.panel.lit) == (contrast, lit)
        assert same(bench.panel.seen(), noise(1))


# ------------------------------------------------------------------------------ the port, with its thread


def test_the_last_words_stay_on_the_display_after_the_end() -> None:
    panel = SimulatedPanel("ssd1306")
    with SimulatedI2cBus(panel) as node:
        oled = Oled(Options())
        oled.start(Letters().post)
        oled.draw(score_screen(1))
        assert oled.settle(SOON_S)
        oled.close()
        oled.close()
        assert node.open_count == 0
        assert same(panel.seen(), score_screen(1))


@pytest.mark.parametrize("frame", [Image.new("1", (64, 128)), Image.new("L", (128, 64))])
def test_a_picture_of_the_wrong_size_or_mode_is_refused_at_the_door(frame: Image.Image) -> None:
    with pytest.raises(ValueError, match="mode '1' and 128x64 pixels, not of mode"):
        Oled(Options()).draw(frame)


def test_a_person_without_an_oled_does_not_pay_for_luma() -> None:
    look = (
        "from hardware.registry import driver; driver('display', 'oled'); import sys; "
        "print([name for name in sys.modules if name.startswith(('luma', 'smbus2', 'gpiozero', 'spidev'))])"
    )
    ended = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"


@pytest.mark.parametrize(("chip", "offset"), [("sh1106", 0), ("ch1115", 0), ("sh1106", 4)])
def test_a_panel_may_be_wired_to_any_columns_of_its_chip(chip: str, offset: int) -> None:
    with oled_bench(chip, column_offset=offset) as bench:
        bench.panel.chip = replace(bench.panel.chip, first_column=offset)
        bench.driver.open()
        bench.driver.show(noise(1))
        assert same(bench.panel.held(), noise(1))


@pytest.mark.parametrize(("chip", "pin"), [("ssd1309", 4), ("ssd1306", 17), ("ch1115", 25)])
def test_a_panel_on_i2c_that_waits_for_its_reset_gets_it(
    chip: str, pin: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Device, "pin_factory", MockFactory())
    with oled_bench(chip, pin_reset=pin) as bench:
        answer, line = bench.panel.take_i2c, Device.pin_factory.pin(pin)

        def take(payload: bytes) -> int | None:
            levels = [level for _, level in line.states]
            return answer(payload) if levels[-3:] == [True, False, True] else None

        monkeypatch.setattr(bench.panel, "take_i2c", take)
        bench.driver.open()
        bench.driver.show(noise(1))
        assert same(bench.panel.held(), noise(1))


@pytest.mark.parametrize("wrong", [{"column_offset": 0}, {"pin_dc": 23}, {"bus": "spi", "address": 0x3D}])
def test_an_option_without_effect_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="has no effect with"):
        Options(**wrong)
