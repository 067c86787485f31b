"""Set-up for tests over the simulated GPIO chip: the real gpiod on it."""

from collections.abc import Callable

from hardware.simulation import gpio_chip
from tests.patience import comes


def fresh_chip() -> gpio_chip.GpioChip:
    """The chip of this process with nothing on its lines."""
    chip = gpio_chip.installed()
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
