"""A simulated /dev/spidevB.D below the real luma spi, with a simulated panel on it.

It replaces the C module `spidev` inside the context, whether or not the real one is installed.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Final, Self

from hardware.simulation.traffic import Traffic, hold_until, spi_write

if TYPE_CHECKING:
    from hardware.simulation.panels import SimulatedPanel

_BUFFER_BYTES: Final = 4096  # parameter bufsiz of the kernel's spidev, and the limit of the Python module


class SimulatedSpiBus:
    """SPI bus `port` with `panel` on chip select `device`, as a context manager.

    `data_line` gives the level of the panel's D/C line: True is data, False is commands. With `real_time` a
    write takes as long as on a real bus with the clock that the driver has set. `missing` may be set at any
    time: then there is no device file.
    """

    def __init__(
        self,
        panel: SimulatedPanel,
        *,
        data_line: Callable[[], bool],
        port: int = 0,
        device: int = 0,
        real_time: bool = False,
    ) -> None:
        self.missing = False
        self.traffic = Traffic()
        self.open_count = 0
        self._panel = panel
        self._data_line = data_line
        self._place = (port, device)
        self._real_time = real_time
        self._before: ModuleType | None = None

    def __enter__(self) -> Self:
        self._before = sys.modules.get("spidev")
        module = ModuleType("spidev")
        vars(module)["SpiDev"] = lambda: SpiDev(self)
        sys.modules["spidev"] = module
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is None:
            del sys.modules["spidev"]
        else:
            sys.modules["spidev"] = self._before

    def open(self, port: int, device: int) -> None:
        """Open the device file; `FileNotFoundError` if it is not this one."""
        if self.missing or (port, device) != self._place:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self.open_count += 1

    def write(self, payload: bytes, clock_hz: int) -> None:
        began_s = time.perf_counter()
        carried = spi_write(len(payload))
        self._panel.take_spi(payload, data=self._data_line())
        self.traffic += carried
        if self._real_time:
            hold_until(began_s + carried.wire_s(clock_hz))


class SpiDev:
    """The part of `spidev.SpiDev` that writes."""

    def __init__(self, bus: SimulatedSpiBus) -> None:
        self.max_speed_hz = 500_000
        self.mode = 0
        self._bus = bus
        self._is_open = False

    def open(self, port: int, device: int) -> None:
        self._bus.open(port, device)
        self._is_open = True

    def writebytes(self, values: Sequence[int]) -> None:
        """Write up to 4096 bytes; `OverflowError` above that, as the C module."""
        if not self._is_open:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if len(values) > _BUFFER_BYTES:
            raise OverflowError(f"Argument list size exceeds {_BUFFER_BYTES} bytes.")
        self._bus.write(bytes(values), self.max_speed_hz)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._bus.open_count -= 1
