"""Set-up for display tests: a simulated panel on a simulated bus, and pictures to send to it."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from PIL import Image, ImageDraw

from hardware.drivers.luma_oled import LumaPanel, Options
from hardware.simulation.buses import SimulatedI2cBus, SimulatedSpiBus, Traffic
from hardware.simulation.panels import SimulatedPanel

Bus = SimulatedI2cBus | SimulatedSpiBus


@dataclass
class Bench:
    panel: SimulatedPanel
    bus: Bus
    options: Options
    driver: LumaPanel

    def traffic_of_showing(self, frame: Image.Image) -> Traffic:
        before = self.bus.traffic
        self.driver.show(frame)
        return self.bus.traffic - before


@contextmanager
def oled_bench(chip: str = "ssd1306", bus: str = "i2c", **options: Any) -> Iterator[Bench]:
    """A panel with controller `chip`, plugged in, and a driver that was configured for it, not yet opened."""
    panel = SimulatedPanel(options.pop("panel", chip), address=options.pop("panel_address", 0x3C))
    chosen = Options(chip=chip, bus=bus, **options)
    driver = LumaPanel(chosen)
    if bus == "i2c":
        with SimulatedI2cBus(panel) as node:
            yield Bench(panel, node, chosen, driver)
        driver.close()
    else:
        before, pins = Device.pin_factory, MockFactory()
        Device.pin_factory = pins
        try:
            with SimulatedSpiBus(panel, data_line=lambda: bool(pins.pin(chosen.pin_dc).state)) as spi:
                yield Bench(panel, spi, chosen, driver)
        finally:
            driver.close()
            pins.reset()
            Device.pin_factory = before
    assert panel.complaints == []


def noise(seed: int, width_px: int = 128, height_px: int = 64) -> Image.Image:
    """A picture that is equal to no other."""
    return Image.frombytes(
        "1", (width_px, height_px), random.Random(seed).randbytes(width_px * height_px // 8)
    )


def blank() -> Image.Image:
    return Image.new("1", (128, 64))


def score_screen(*points: int) -> Image.Image:
    """Something like a screen of the game: a title, a line, and rows of numbers."""
    picture = blank()
    draw = ImageDraw.Draw(picture)
    draw.text((0, 0), "Deal 2  turn 7", fill=1)
    draw.line((0, 12, 127, 12), fill=1)
    for row, number in enumerate(points):
        draw.text((64 * (row % 2), 16 + 12 * (row // 2)), f"P{row + 1} {number:3}", fill=1)
    return picture


def on_glass(frame: Image.Image, rotate: int) -> Image.Image:
    """What the 128x64 display must show for a frame that is turned by `rotate` quarters clockwise."""
    turns = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_90}
    return frame.transpose(turns[rotate]) if rotate else frame


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.size == other.size and one.mode == other.mode and one.tobytes() == other.tobytes()
