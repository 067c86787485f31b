"""The simulated GPIO chip under the real `gpiod` package.

gpiod is a C module, `gpiod._ext`, and Python classes on top of it. `installed` replaces what of the C module
opens a chip. So the pins run over the real classes: chips, requests, line settings, edge events. The chip
beneath is the one that lgpio can be put on, with the same methods for tests.

Its behaviour is that of libgpiod 2.3 and of the kernel's gpiolib-cdev.c:
- a line that another request or program holds gives EBUSY;
- a request keeps as many edges as its buffer holds, 16 where nothing else is asked for, and drops the oldest;
- with a debounce time an edge whose level does not stay is not reported.
"""

import errno
import os
from typing import Any, Final

from gpiod import _ext
from gpiod.chip_info import ChipInfo
from gpiod.edge_event import EdgeEvent
from gpiod.line import Bias, Direction, Edge, Value

from hardware.simulation import gpio_chip
from hardware.simulation.gpio_chip import GpioChip

PATH: Final = "/dev/gpiochip0"
LABEL: Final = "pinctrl-bcm2711"

_PULLS: Final = {
    Bias.DISABLED.value: gpio_chip.NO_PULL,
    Bias.PULL_UP.value: gpio_chip.PULL_UP,
    Bias.PULL_DOWN.value: gpio_chip.PULL_DOWN,
}
_EDGES: Final = {Edge.NONE.value: 0, Edge.RISING.value: 1, Edge.FALLING.value: 2, Edge.BOTH.value: 3}
"""Which edges the chip reports: a bit for rising and one for falling."""
_EVENTS: Final = (EdgeEvent.Type.FALLING_EDGE.value, EdgeEvent.Type.RISING_EDGE.value)
"""By the level after the edge."""
_KERNEL_BUFFER: Final = 16


class _LineSettings:
    def __init__(self, **fields: int) -> None:
        self.fields = fields


class _LineConfig:
    def __init__(self) -> None:
        self.lines: dict[int, _LineSettings] = {}

    def add_line_settings(self, offsets: list[int], settings: _LineSettings) -> None:
        self.lines.update(dict.fromkeys(offsets, settings))


class _Request:
    chip_name = "gpiochip0"

    def __init__(self, chip: GpioChip, config: _LineConfig, buffer_size: int | None) -> None:
        self._chip = chip
        self._handle = next(chip.handles)
        self._room = (buffer_size or _KERNEL_BUFFER) * len(config.lines)
        self._edges: list[tuple[int, int, int]] = []
        self._count = 0
        self.offsets = list(config.lines)
        self.fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        try:
            self.reconfigure_lines(config)
        except OSError:
            os.close(self.fd)
            raise

    def reconfigure_lines(self, config: _LineConfig) -> None:
        for offset, settings in config.lines.items():
            wanted = settings.fields
            output = wanted["direction"] == Direction.OUTPUT.value
            fault = self._chip.claim(
                offset,
                self._handle,
                flags=_PULLS.get(wanted["bias"], 0),
                output=output,
                edges=_EDGES[wanted["edge_detection"]],
                debounce_ns=wanted["debounce_period"] * 1000,
                report=self._report,
            )
            if fault:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
            if output:
                self._chip.write(offset, wanted["output_value"])

    def release(self) -> None:
        for offset in self.offsets:
            self._chip.free(offset)
        os.close(self.fd)

    def get_values(self, offsets: list[int], values: list[Any]) -> None:
        values[:] = [Value(self._chip.read(offset)) for offset in offsets]

    def set_values(self, values: dict[int, Any]) -> None:
        for offset, value in values.items():
            self._chip.write(offset, value.value)

    def read_edge_events(self, max_events: int | None) -> list[EdgeEvent]:
        with self._chip.news:
            taken, self._edges = self._edges[:max_events], self._edges[max_events or len(self._edges) :]
            if not self._edges:
                os.eventfd_read(self.fd)
        events = []
        for at_ns, offset, level in taken:
            self._count += 1
            events.append(EdgeEvent(_EVENTS[level], at_ns, offset, self._count, self._count))
        return events

    def _report(self, at_ns: int, offset: int, level: int) -> None:
        with self._chip.news:
            self._edges = [*self._edges, (at_ns, offset, level)][-self._room :]
            os.eventfd_write(self.fd, 1)


def _chip_class(chip: GpioChip) -> type:
    class Chip:
        def __init__(self, path: str) -> None:
            if path != PATH or not chip.working:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
            self.path, self.fd = path, -1

        def get_info(self) -> ChipInfo:
            return ChipInfo("gpiochip0", LABEL, chip.line_count)

        def get_line_name(self, offset: int) -> str:
            return f"GPIO{offset}"

        def request_lines(
            self, config: _LineConfig, _consumer: str | None, buffer_size: int | None
        ) -> _Request:
            return _Request(chip, config, buffer_size)

        def close(self) -> None:
            """The requests stay, as in the kernel."""

    return Chip


def installed() -> GpioChip:
    """The chip of this process, with gpiod on it."""
    chip = gpio_chip.installed()
    vars(_ext).update(
        LineSettings=_LineSettings,
        LineConfig=_LineConfig,
        Chip=_chip_class(chip),
        is_gpiochip_device=lambda path: path == PATH and chip.working,
    )
    return chip
