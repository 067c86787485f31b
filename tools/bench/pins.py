"""The pins of a box in this process: a simulated chip under the real gpiozero; nothing is measured here."""

from __future__ import annotations

import sys
from pathlib import Path

from hardware.simulation import gpio_chip


def simulated_pins() -> gpio_chip.GpioChip:
    """The chip of this process. To be called before anything imports lgpio."""
    # Where Python has no wheel of lgpio, `make test` has laid its lgpio.py here.
    place = str(Path(sys.prefix) / "simulated-lgpio")
    if place not in sys.path:
        sys.path.append(place)
    return gpio_chip.installed()
