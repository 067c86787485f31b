"""Set-up for tests over the simulated GPIO chip: real gpiozero and real lgpio.py over it."""

from __future__ import annotations

import pytest

from hardware.simulation import gpio_chip


def fresh_chip() -> gpio_chip.GpioChip:
    """The chip of this process with nothing on its lines; skips where this Python has no lgpio.py."""
    chip = gpio_chip.installed()
    pytest.importorskip("gpiozero")
    from hardware.gpio.lgpio_folder import lgpio_folder

    with lgpio_folder():
        pytest.importorskip("lgpio")
    chip.reset()
    return chip
