"""Simulated buses with simulated panels on them: I2C below the real smbus2, SPI below the real luma.

The two calls by which smbus2 reaches the kernel, open and ioctl, are replaced inside the context of a
`SimulatedI2cBus`; a `SimulatedSpiBus` replaces the C module `spidev`, whether or not the real one is
installed. All that uses them runs as it does on a Raspberry Pi. `Traffic` says how much a bus has carried,
and how long a real one would have taken for that.
"""

from __future__ import annotations

import errno
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Sequence
from operator import add, sub
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Self

import smbus2.smbus2 as library
from msgspec import Struct
from msgspec.structs import astuple

if TYPE_CHECKING:
    from hardware.simulation.panels import SimulatedPanel

_TIMER_SLACK_S: Final = 0.0002  # a sleeping thread wakes up at most so late


class Traffic(Struct, frozen=True):
    """Counters of a bus; the difference of two is what happened in between.

    `bit_times` counts the clock periods: on I2C nine for each byte (the ninth is the acknowledge), one
    for START and one for STOP; on SPI eight for each byte, gaps not counted.
    """

    transfers: int = 0
    bytes_on_wire: int = 0  # with address and control bytes
    bit_times: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(*map(add, astuple(self), astuple(other)))

    def __sub__(self, earlier: Traffic) -> Traffic:
        return Traffic(*map(sub, astuple(self), astuple(earlier)))

    def wire_s(self, bus_hz: float) -> float:
        """How many seconds this takes on a bus with the clock `bus_hz`."""
        return self.bit_times / bus_hz


def i2c_write(byte_count: int) -> Traffic:
    """One I2C write of `byte_count` bytes, the address included."""
    return Traffic(transfers=1, bytes_on_wire=byte_count, bit_times=9 * byte_count + 2)


def spi_write(byte_count: int) -> Traffic:
    return Traffic(transfers=1, bytes_on_wire=byte_count, bit_times=8 * byte_count)


def hold_until(deadline_s: float) -> None:
    """Block until `time.perf_counter()` reaches `deadline_s`, to some ten microseconds.

    Other threads run meanwhile, as they do while the kernel waits for a bus. The last part is polled, because
    a thread that sleeps wakes up late.
    """
    while (left_s := deadline_s - time.perf_counter()) > 0:
        select.select([], [], [], max(0.0, left_s - _TIMER_SLACK_S))


# linux/i2c.h
_M_RD: Final = 0x0001
_FUNC_I2C: Final = 0x0000_0001
_FUNC_SMBUS_EMUL: Final = 0x0EFF_0008


class SimulatedI2cBus:
    """I2C bus `number` with these panels on it, as a context manager.

    `bus_hz` is its clock. With `real_time` a write takes as long as on a real bus with that clock (other
    threads run meanwhile); without, it takes no time. `missing` may be set at any time: then there is no
    device file. Several buses may be entered, one inside the other. Buses with other numbers are those of the
    machine.
    """

    def __init__(
        self, *panels: SimulatedPanel, number: int = 1, bus_hz: int = 100_000, real_time: bool = False
    ) -> None:
        self.missing = False
        self.bus_hz = bus_hz
        self.traffic = Traffic()
        self._panels = {panel.address: panel for panel in panels}
        self._path = f"/dev/i2c-{number}"
        self._real_time = real_time
        self._addressed: dict[int, int] = {}  # open file -> I2C address set by I2C_SLAVE
        self._lock = threading.Lock()  # a bus carries one transfer at a time
        self._real_os: Any = None
        self._real_ioctl: Any = None

    @property
    def open_count(self) -> int:
        """How often the device file is open."""
        return len(self._addressed)

    def __enter__(self) -> Self:
        names = vars(library)
        self._real_os, self._real_ioctl = names["os"], names["ioctl"]
        names["os"], names["ioctl"] = _ReplacedOs(self, self._real_os), self.ioctl
        return self

    def __exit__(self, *_: object) -> None:
        names = vars(library)
        names["os"], names["ioctl"] = self._real_os, self._real_ioctl

    # ------------------------------------------------------------------------- what smbus2 calls

    def open(self, path: str, flags: int) -> int:
        if path != self._path:
            file: int = self._real_os.open(path, flags)
            return file
        if self.missing:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        file = os.open(os.devnull, os.O_RDWR)
        self._addressed[file] = 0
        return file

    def close(self, file: int) -> None:
        if self._addressed.pop(file, None) is None:
            self._real_os.close(file)
        else:
            os.close(file)

    def ioctl(self, file: int, request: int, argument: Any = 0) -> int:  # noqa: ANN401 - ctypes structures
        """The requests of linux/i2c-dev.h that a display needs; `OSError` for the others, as the kernel."""
        if file not in self._addressed:
            answer: int = self._real_ioctl(file, request, argument)
            return answer
        match request:
            case library.I2C_FUNCS:
                argument.value = _FUNC_I2C | _FUNC_SMBUS_EMUL
            case library.I2C_SLAVE | library.I2C_SLAVE_FORCE:
                self._addressed[file] = argument
            case library.I2C_SMBUS:
                self._write(self._addressed[file], _smbus_payload(argument))
            case library.I2C_RDWR:
                for index in range(argument.nmsgs):
                    message = argument.msgs[index]
                    if message.flags & _M_RD:
                        raise OSError(errno.EOPNOTSUPP, "reading is not simulated")
                    self._write(message.addr, bytes(message))
            case _:
                raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        return 0

    # ------------------------------------------------------------------------------------ the wire

    def _write(self, address: int, payload: bytes) -> None:
        began_s = time.perf_counter()
        with self._lock:
            panel = self._panels.get(address)
            acknowledged = None if panel is None else panel.take_i2c(payload)
            if acknowledged is None:
                carried = i2c_write(1)
            else:  # the address, what was acknowledged, and the byte that was not, if any
                carried = i2c_write(1 + min(acknowledged + 1, len(payload)))
            self.traffic += carried
            if self._real_time:
                hold_until(began_s + carried.wire_s(self.bus_hz))
        if acknowledged is None or acknowledged < len(payload):
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))


class _ReplacedOs:
    """Python's os module as smbus2 sees it, with two functions replaced."""

    def __init__(self, bus: SimulatedI2cBus, real: Any) -> None:  # noqa: ANN401 - a module, or another of these
        self._real = real
        self.open = bus.open
        self.close = bus.close

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever os has
        return getattr(self._real, name)


def _smbus_payload(request: Any) -> bytes:  # noqa: ANN401 - i2c_smbus_ioctl_data
    """The bytes after the address that the kernel sends for an SMBus write."""
    if request.read_write == library.I2C_SMBUS_READ:
        raise OSError(errno.EOPNOTSUPP, "reading is not simulated")
    match request.size:
        case library.I2C_SMBUS_QUICK:
            return b""
        case library.I2C_SMBUS_BYTE:
            return bytes((request.command,))
        case library.I2C_SMBUS_BYTE_DATA:
            return bytes((request.command, request.data.contents.byte))
        case library.I2C_SMBUS_I2C_BLOCK_DATA:
            block = request.data.contents.block
            return bytes((request.command, *block[1 : block[0] + 1]))
        case _:
            raise OSError(errno.EOPNOTSUPP, f"SMBus size {request.size} is not simulated")


_BUFFER_BYTES: Final = 4096  # parameter bufsiz of the kernel's spidev, and the limit of the Python module


class SimulatedSpiBus:
    """SPI bus 0 with `panel` on chip select 0, as a context manager.

    `data_line` gives the level of the panel's D/C line: True is data, False is commands. `missing` may be set
    at any time: then there is no device file.
    """

    def __init__(self, panel: SimulatedPanel, *, data_line: Callable[[], bool]) -> None:
        self.missing = False
        self.traffic = Traffic()
        self.open_count = 0
        self._panel = panel
        self._data_line = data_line
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
        if self.missing or (port, device) != (0, 0):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self.open_count += 1

    def write(self, payload: bytes) -> None:
        self._panel.take_spi(payload, data=self._data_line())
        self.traffic += spi_write(len(payload))


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
        self._bus.write(bytes(values))

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._bus.open_count -= 1
