"""Set-up for tests over the simulated GPIO chip: real gpiozero over the real lgpio.py or the real gpiod."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from hardware.simulation import gpio_chip, gpiod_chip
from tests.patience import comes


def fresh_chip() -> gpio_chip.GpioChip:
    """The chip of this process with nothing on its lines; skips where this Python has no lgpio.py."""
    chip = gpio_chip.installed()
    pytest.importorskip("gpiozero")
    from hardware.gpio.pin_factory import lgpio_folder

    with lgpio_folder():
        pytest.importorskip("lgpio")
    chip.reset()
    return chip


@contextmanager
def fresh_gpiod_chip() -> Iterator[gpio_chip.GpioChip]:
    """The chip of this process with nothing on its lines, and gpiozero over gpiod meanwhile."""
    chip = gpiod_chip.installed()
    from gpiozero import Device
    from gpiozero.pins.local import LocalPiFactory

    from hardware.gpio.gpiod_pins import GpiodFactory

    chip.reset()
    # What lgpio has claimed in this process stays claimed, and gpiozero keeps its pins for all factories.
    lines, pins, factory = dict(chip.lines), dict(LocalPiFactory.pins), Device.pin_factory
    chip.lines.clear()
    LocalPiFactory.pins.clear()
    Device.pin_factory = GpiodFactory()
    try:
        yield chip
    finally:
        Device.pin_factory.close()
        Device.pin_factory = factory
        LocalPiFactory.pins.update(pins)
        chip.lines.clear()
        chip.lines.update(lines)


def flutter_until(chip: gpio_chip.GpioChip, gpio: int, seen: Callable[[], bool]) -> bool:
    """Let a wire make noise for so long that something is seen; False if it never is."""

    def seen_or_more() -> bool:
        if seen():
            return True
        chip.noise(gpio, edges=400)  # for 40 ms
        return False

    return comes(seen_or_more, look_s=0.05)


@contextmanager
def dead_thread_of_edges() -> Iterator[None]:
    """The thread with which lgpio hands over edges has died meanwhile."""
    import lgpio

    living, dead = lgpio._notify_thread, threading.Thread(target=lambda: None)
    dead.start()
    dead.join()
    lgpio._notify_thread = dead
    try:
        yield
    finally:
        lgpio._notify_thread = living
