"""The simulated GPIO chip under the real `gpiod` package.

gpiod is a C module, `gpiod._ext`, and Python classes on top of it. `installed` puts a Python `_ext` in the
place of the C one *before* gpiod is imported. So the pins run over the real classes: chips, requests, line
settings, edge events. The chip beneath is the one that lgpio can be put on, with the same methods for tests.

Its behaviour is that of libgpiod 2.3 and of the kernel's gpiolib-cdev.c:
- a line that another request or program holds gives EBUSY;
- a request keeps as many edges as its buffer holds, 16 where nothing else is asked for, and drops the oldest;
- with a debounce time an edge whose level does not stay is not reported.
"""

from __future__ import annotations

import errno
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from hardware.simulation import gpio_chip
from hardware.simulation.gpio_chip import GpioChip

if TYPE_CHECKING:
    from gpiod.chip_info import ChipInfo
    from gpiod.edge_event import EdgeEvent

PATH: Final = "/dev/gpiochip0"
LABEL: Final = "pinctrl-bcm2711"

_CONSTANTS: Final = {
    "BIAS_AS_IS": 1,
    "BIAS_UNKNOWN": 2,
    "BIAS_DISABLED": 3,
    "BIAS_PULL_UP": 4,
    "BIAS_PULL_DOWN": 5,
    "CLOCK_MONOTONIC": 1,
    "CLOCK_REALTIME": 2,
    "CLOCK_HTE": 3,
    "DIRECTION_AS_IS": 1,
    "DIRECTION_INPUT": 2,
    "DIRECTION_OUTPUT": 3,
    "DRIVE_PUSH_PULL": 1,
    "DRIVE_OPEN_DRAIN": 2,
    "DRIVE_OPEN_SOURCE": 3,
    "EDGE_NONE": 1,
    "EDGE_RISING": 2,
    "EDGE_FALLING": 3,
    "EDGE_BOTH": 4,
    "EDGE_EVENT_TYPE_RISING": 1,
    "EDGE_EVENT_TYPE_FALLING": 2,
    "INFO_EVENT_TYPE_LINE_REQUESTED": 1,
    "INFO_EVENT_TYPE_LINE_RELEASED": 2,
    "INFO_EVENT_TYPE_LINE_CONFIG_CHANGED": 3,
    "VALUE_INACTIVE": 0,
    "VALUE_ACTIVE": 1,
}
"""The numbers of gpiod 2.5."""

_EDGES: Final = {1: 0, 2: 1, 3: 2, 4: 3}
"""Which edges the chip reports, by `EDGE_...`: a bit for rising and one for falling."""
_PULLS: Final = {
    3: gpio_chip.NO_PULL,
    4: gpio_chip.PULL_UP,
    5: gpio_chip.PULL_DOWN,
}
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

    @property
    def num_lines(self) -> int:
        return len(self.offsets)

    def reconfigure_lines(self, config: _LineConfig) -> None:
        for offset, settings in config.lines.items():
            wanted = settings.fields
            output = wanted["direction"] == _CONSTANTS["DIRECTION_OUTPUT"]
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
        from gpiod.line import Value

        values[:] = [Value(self._chip.read(offset)) for offset in offsets]

    def set_values(self, values: dict[int, Any]) -> None:
        for offset, value in values.items():
            self._chip.write(offset, value.value)

    def read_edge_events(self, max_events: int | None) -> list[EdgeEvent]:
        from gpiod.edge_event import EdgeEvent

        with self._chip.news:
            taken, self._edges = self._edges[:max_events], self._edges[max_events or len(self._edges) :]
            if not self._edges:
                os.eventfd_read(self.fd)
        kinds = (_CONSTANTS["EDGE_EVENT_TYPE_FALLING"], _CONSTANTS["EDGE_EVENT_TYPE_RISING"])
        events = []
        for at_ns, offset, level in taken:
            self._count += 1
            events.append(EdgeEvent(kinds[level], at_ns, offset, self._count, self._count))
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
            from gpiod.chip_info import ChipInfo

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


def installed(revision: int = gpio_chip.PI_5) -> GpioChip:
    """The chip of this process, with gpiod on it. Raises `RuntimeError` where the real gpiod is loaded."""
    chip = gpio_chip.installed(revision)
    if "gpiod._ext" not in sys.modules:
        if "gpiod" in sys.modules:
            raise RuntimeError("gpiod is loaded over the real chip; simulate in a process of its own")
        module = ModuleType("gpiod._ext", "gpiod's C part, simulated")
        vars(module).update(
            _CONSTANTS,
            api_version="2.3",
            LineSettings=_LineSettings,
            LineConfig=_LineConfig,
            Request=_Request,
            Chip=_chip_class(chip),
            is_gpiochip_device=lambda path: path == PATH and chip.working,
        )
        sys.modules["gpiod._ext"] = module
    return chip
