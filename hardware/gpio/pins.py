"""Pins of the header by libgpiod: inputs whose edges are heard, and outputs.

They use the kernel's character device (uAPI v2, Linux 5.10 and newer) by the Python package `gpiod`, which
the makers of libgpiod keep. Each pin is one request: so a pin that another program holds costs one key and
not the others, and a closed pin is free again.
"""

import select
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import gpiod
from gpiod.line import Bias, Direction, Edge, Value

from hardware.background import WakePipe

HEADER_CHIPS: Final = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""Labels of the chips whose lines are the header's: Raspberry Pi 0 to 3, 4, and 5. The number of the chip
differs between kernels: on a Raspberry Pi 5 the header was gpiochip4 and is gpiochip0."""

EVENT_BUFFER: Final = 256
"""Edges that the kernel keeps for a pin until they are read; with more it drops the oldest."""

_CHIPS: Final = 16
_CONSUMER: Final = "nimmt-companion"
_ORDER_NS: Final = 500_000
"""For so long an edge waits for older ones of other pins, so that all are told in the order of the kernel's
stamps: the contacts of a knob are two pins."""
_RISING: Final = gpiod.EdgeEvent.Type.RISING_EDGE

Told = Callable[[int, bool], None]
"""Is told of an edge: its time, monotonic and in nanoseconds, and whether the level is high after it."""


def header_chip() -> str:
    """The path of the chip with the pins of the header. Raises `OSError` where there is no chip at all."""
    paths = [path for path in (f"/dev/gpiochip{n}" for n in range(_CHIPS)) if gpiod.is_gpiochip_device(path)]
    for path in paths:
        with gpiod.Chip(path) as chip:
            if chip.get_info().label in HEADER_CHIPS:
                return path
    if not paths:
        raise OSError("there is no /dev/gpiochip on this machine")
    return paths[0]


class InputPin:
    """A pin that is read. The thread of an `EdgeReader` may use it beside another one.

    Raises `OSError`, EBUSY if another program has the pin.
    """

    def __init__(self, chip: str, number: int, *, pull_up: bool, debounce_s: float = 0.0) -> None:
        self._number = number
        self._settings = gpiod.LineSettings(
            direction=Direction.INPUT,
            bias=Bias.PULL_UP if pull_up else Bias.PULL_DOWN,
            debounce_period=timedelta(seconds=debounce_s),
        )
        # A request must not be used by two threads at once (gpiod.LineRequest).
        self._lock = threading.Lock()
        self._request = gpiod.request_lines(chip, {number: self._settings}, _CONSUMER, EVENT_BUFFER)

    @property
    def descriptor(self) -> int:
        """Readable while there are edges to read."""
        return self._request.fd

    def high(self) -> bool:
        with self._lock:
            return self._request.get_value(self._number) is Value.ACTIVE

    def watch(self, edge: Edge) -> None:
        """Have the chip look for these edges, or for none."""
        with self._lock:
            self._settings.edge_detection = edge
            self._request.reconfigure_lines({self._number: self._settings})

    def read_edges(self) -> list[tuple[int, bool]]:
        """The edges that have come, as `Told` is told of them."""
        with self._lock:
            if not self._request or not self._request.wait_edge_events(0):
                return []
            events = self._request.read_edge_events(EVENT_BUFFER)
        return [(event.timestamp_ns, event.event_type is _RISING) for event in events]

    def close(self) -> None:
        """Free it. Once."""
        with self._lock:
            self._request.release()


class OutputPin:
    """A pin that is written, for one thread. It begins with a level, without another one before.

    Raises `OSError`, EBUSY if another program has the pin.
    """

    def __init__(self, chip: str, number: int, *, high: bool) -> None:
        self._number = number
        settings = gpiod.LineSettings(direction=Direction.OUTPUT, output_value=_level(high=high))
        self._request = gpiod.request_lines(chip, {number: settings}, _CONSUMER)

    def write(self, *, high: bool) -> None:
        self._request.set_value(self._number, _level(high=high))

    def close(self) -> None:
        """Free it. Once."""
        self._request.release()


def _level(*, high: bool) -> Value:
    return Value.ACTIVE if high else Value.INACTIVE


class EdgeReader:
    """A thread that waits for the edges of several pins, and tells of all in the order of their times."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pins: dict[int, tuple[InputPin, Told]] = {}  # by descriptor
        self._wake = WakePipe()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="gpio-edges", daemon=True)
        self._thread.start()

    def alive(self) -> bool:
        """Whether edges are heard."""
        return self._thread.is_alive()

    def add(self, pin: InputPin, told: Told) -> None:
        """Listen to a pin. `told` is called in the thread of this reader, and must not raise."""
        with self._lock:
            self._pins[pin.descriptor] = pin, told
        pin.watch(Edge.BOTH)
        self._wake.wake()

    def remove(self, pin: InputPin) -> None:
        with self._lock:
            self._pins.pop(pin.descriptor, None)
        pin.watch(Edge.NONE)
        self._wake.wake()

    def close(self) -> None:
        """End the thread; the pins are still open. Once, and from another thread."""
        self._closing = True
        self._wake.wake()
        self._thread.join()
        self._wake.close()

    def _run(self) -> None:
        waiting: list[tuple[int, bool, Told]] = []
        while not self._closing:
            with self._lock:
                pins = dict(self._pins)
            poll = select.poll()
            for descriptor in (self._wake.file, *pins):
                poll.register(descriptor, select.POLLIN)
            ready = [descriptor for descriptor, _ in poll.poll(_ORDER_NS / 1e6 if waiting else None)]
            if self._wake.file in ready:
                self._wake.drain()
            # Taken before reading: what is older than this by the window has arrived, from whichever pin.
            now_ns = time.monotonic_ns()
            for descriptor in ready:
                if descriptor in pins:
                    pin, told = pins[descriptor]
                    waiting += [(at_ns, high, told) for at_ns, high in pin.read_edges()]
            waiting.sort(key=lambda edge: edge[0])
            while waiting and waiting[0][0] <= now_ns - _ORDER_NS:
                at_ns, high, told = waiting.pop(0)
                told(at_ns, high)
