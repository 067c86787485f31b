"""Set-up for tests over the simulated GPIO chip: real gpiozero and real lgpio.py over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.simulation import gpio_chip
from tests.patience import comes

if TYPE_CHECKING:
    from collections.abc import Callable


def fresh_chip() -> gpio_chip.GpioChip:
    """The chip of this process with nothing on its lines; skips where this Python has no lgpio.py."""
    chip = gpio_chip.installed()
    pytest.importorskip("gpiozero")
    from hardware.gpio.lgpio_folder import lgpio_folder

    with lgpio_folder():
        pytest.importorskip("lgpio")
    chip.reset()
    return chip


def flutter_until(chip: gpio_chip.GpioChip, gpio: int, seen: Callable[[], bool]) -> bool:
    """Let a wire make noise for so long that something is seen; False if it never is."""

    def seen_or_more() -> bool:
        if seen():
            return True
        chip.noise(gpio, edges=400)  # for 40 ms
        return False

    return comes(seen_or_more, look_s=0.05)
