"""Luma's own device, which sends every picture whole, on a simulated bus: what ours is compared with."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hardware.simulation.i2c_node import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel
from tools.bench.wired import BUS_HZ

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PIL.Image import Image


@contextmanager
def stock_luma(*, real_time: bool) -> Iterator[tuple[SimulatedI2cBus, Callable[[Image], None]]]:
    """A bus, and luma's `display()` for its panel; `real_time`: it blocks for as long as the wire needs."""
    from luma.core.interface.serial import i2c
    from luma.oled.device import ssd1306

    panel = SimulatedPanel("ssd1306")
    with SimulatedI2cBus(panel, bus_hz=BUS_HZ, real_time=real_time) as bus:
        device: Any = ssd1306(i2c(port=1, address=panel.address))
        device.persist = (
            True  # else luma wipes the display when the program ends, and the bus is gone by then
        )
        yield bus, device.display
