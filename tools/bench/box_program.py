"""`nimmt` in a box that is made of simulated wires: a program of its own, started by `box_run`.

The real gpiozero, lgpio.py, luma, smbus2 and pyserial run; the chip, the bus and the panel beneath them are
simulated in this process. The scanner's line is the caller's. A line on standard output tells that the panel
has been switched on, which happens when its first picture is in its memory.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Final

from hardware.simulation.i2c_node import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel
from tools.bench.pins import simulated_pins

LIT: Final = "lit"
_LOOK_S: Final = 0.001


def main(words: list[str]) -> int:
    """Run `nimmt` with these words."""
    simulated_pins()
    from firmware.cli.main import main as nimmt

    panel = SimulatedPanel("ssd1306")
    with SimulatedI2cBus(panel, bus_hz=400_000, real_time=True):
        threading.Thread(target=_tell_when_lit, args=(panel,), daemon=True).start()
        return nimmt(words)


def _tell_when_lit(panel: SimulatedPanel) -> None:
    again = threading.Event()
    while not panel.lit:
        again.wait(_LOOK_S)
    os.write(1, f"{LIT}\n".encode())  # not by a buffer: at the end of the program somebody may hold its lock


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
