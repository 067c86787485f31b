"""`python -m tools.bench.simulated_box WORDS`: `nimmt WORDS`, over simulated wires.

Chip, bus and panel are simulated in this process; the real gpiod, luma, smbus2 and pyserial run on
them. The scanner's line is the caller's. A line on standard output says that the panel is on: then
its memory contains the first picture. Nothing is imported that a box does not need: memory is measured.
"""

import os
import sys
import threading
from typing import Final

from hardware.simulation import gpio_chip
from hardware.simulation.buses import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel

LIT: Final = b"lit\n"
BUS_HZ: Final = 400_000
"""That of a panel in fast mode."""


def main() -> int:
    gpio_chip.installed()  # before the program imports a driver
    from firmware.cli.main import main as nimmt

    panel = SimulatedPanel("ssd1306")
    with SimulatedI2cBus(panel, bus_hz=BUS_HZ, real_time=True):
        threading.Thread(target=_tell_when_lit, args=(panel,), daemon=True).start()
        return nimmt(sys.argv[1:])


def _tell_when_lit(panel: SimulatedPanel) -> None:
    again = threading.Event()
    while not panel.lit:
        again.wait(0.001)
    os.write(1, LIT)  # not by a buffer: at the end of the program somebody may hold its lock


if __name__ == "__main__":
    sys.exit(main())
