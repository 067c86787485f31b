"""The pins of the header, by libgpiod: inputs with their edges, and outputs.

`gpiod`, the Python package that the makers of libgpiod keep, uses the kernel's character device (uAPI v2,
Linux 5.10 and newer). It is imported when a pin is claimed, so nobody pays for it who has none.

Each pin is one request. So a pin that another program holds costs one key and not the others, and a closed
pin is free again. One thread at a time may use a pin.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from hardware.errors import HardwareError, sentence

HEADER_CHIPS: Final = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""Labels of the chips whose lines are the header's: Raspberry Pi 0 to 3, 4, and 5. The number of the chip
differs between kernels: on a Raspberry Pi 5 the header was gpiochip4 and is gpiochip0."""

EVENT_BUFFER: Final = 256
"""Edges that the kernel keeps for a pin until they are read; with more it drops the oldest."""

_CHIPS: Final = 16


def header_chip(device: str) -> str:
    """The path of the chip with the pins of the header. Raises `HardwareError` of `device`."""
    try:
        import gpiod

        paths = [
            path for path in (f"/dev/gpiochip{n}" for n in range(_CHIPS)) if gpiod.is_gpiochip_device(path)
        ]
        for path in paths:
            with gpiod.Chip(path) as chip:
                if chip.get_info().label in HEADER_CHIPS:
                    return path
    except ImportError as missing:
        raise HardwareError(
            device,
            sentence("the Python package {name} is not installed", name=repr(missing.name)),
            sentence("install it: {tool} {package}", tool="pip install", package="gpiod"),
        ) from missing
    except OSError as seen:
        raise _no_access(device, seen) from seen
    if not paths:
        raise _no_access(device, "there is no /dev/gpiochip on this machine")
    return paths[0]


def _no_access(device: str, seen: object) -> HardwareError:
    return HardwareError(
        device,
        sentence("no access to GPIO pins: {seen}", seen=seen),
        sentence("run as a member of the group gpio on a Raspberry Pi, and check that /dev/gpiochip0 exists"),
    )


class InputPin:
    """A pin with a contact to ground (`pull_up`) or to 3.3 V, claimed for this process until `close`.

    The kernel keeps its edges from the start. A level that lasts less than `debounce_s` makes none. Raises
    `OSError` (EBUSY) if another program has the pin.
    """

    def __init__(self, chip: str, number: int, *, pull_up: bool, debounce_s: float = 0.0) -> None:
        from gpiod import LineSettings
        from gpiod.line import Bias, Direction, Edge

        self._number = number
        self._pull_up = pull_up
        self._settings = LineSettings(
            direction=Direction.INPUT,
            bias=Bias.PULL_UP if pull_up else Bias.PULL_DOWN,
            edge_detection=Edge.BOTH,
            debounce_period=timedelta(seconds=debounce_s),
        )
        self._request = _claimed(chip, number, self._settings)

    @property
    def file(self) -> int:
        """A descriptor that can be read while an edge waits."""
        return int(self._request.fd)

    def has_edge(self) -> bool:
        return bool(self._request.wait_edge_events(0))

    def closed(self) -> bool:
        """Whether the contact is closed now; one system call."""
        return bool(self._request.get_value(self._number).value) != self._pull_up

    def edges(self) -> list[tuple[int, bool]]:
        """The edges that wait: when in nanoseconds of the monotonic clock, and whether the contact closed."""
        if not self.has_edge():
            return []
        events = self._request.read_edge_events(EVENT_BUFFER)
        return [
            (one.timestamp_ns, (one.event_type is one.Type.RISING_EDGE) != self._pull_up) for one in events
        ]

    def listen(self, *, wanted: bool) -> None:
        """Whether the chip looks for edges at all."""
        from gpiod.line import Edge

        edges = Edge.BOTH if wanted else Edge.NONE
        if self._settings.edge_detection is not edges:
            self._settings.edge_detection = edges
            self._request.reconfigure_lines({self._number: self._settings})

    def close(self) -> None:
        self._request.release()


class OutputPin:
    """An output that begins with a level, without another one before. Raises as `InputPin` does."""

    def __init__(self, chip: str, number: int, *, high: bool) -> None:
        from gpiod import LineSettings
        from gpiod.line import Bias, Direction, Value

        self._number = number
        self._levels = (Value.INACTIVE, Value.ACTIVE)
        first = self._levels[high]
        settings = LineSettings(direction=Direction.OUTPUT, bias=Bias.DISABLED, output_value=first)
        self._request = _claimed(chip, number, settings)

    def write(self, *, high: bool) -> None:
        self._request.set_value(self._number, self._levels[high])

    def close(self) -> None:
        self._request.release()


def _claimed(chip: str, number: int, settings: Any) -> Any:  # noqa: ANN401 - gpiod's, which is imported on demand
    from gpiod import request_lines

    return request_lines(chip, {number: settings}, "nimmt-companion", EVENT_BUFFER)
