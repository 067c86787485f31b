"""Set-up for tests over the simulated GPIO chip: the real gpiozero and the real gpiod on it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gpiozero import Device

from hardware.simulation import gpio_chip
from tests.patience import comes


def fresh_chip() -> gpio_chip.GpioChip:
    """The chip of this process with nothing on its lines, and no factory of pins yet."""
    chip = gpio_chip.installed()
    if Device.pin_factory is not None:
        Device.pin_factory.close()
        Device.pin_factory = None
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


@contextmanager
def dead_thread_of_edges() -> Iterator[None]:
    """The thread that hands over edges has died meanwhile. To be used while no pin is opened or closed."""
    edges = Device.pin_factory.edges
    living, edges._thread = edges._thread, threading.Thread()
    edges._wake.wake()
    living.join()
    try:
        yield
    finally:
        edges._thread = threading.Thread(target=edges._run, daemon=True)
        edges._thread.start()
