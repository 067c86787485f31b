"""A simulated /dev/i2c-N below the real smbus2, with simulated panels on the bus.

The two calls by which smbus2 reaches the kernel, open and ioctl, are replaced inside the context; smbus2 and
all that uses it runs as it does on a Raspberry Pi.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from typing import TYPE_CHECKING, Any, Final, Self

import smbus2.smbus2 as library

from hardware.simulation.traffic import Traffic, hold_until, i2c_write

if TYPE_CHECKING:
    from hardware.simulation.panels import SimulatedPanel

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
        self,
        *panels: SimulatedPanel,
        number: int = 1,
        bus_hz: int = 100_000,
        real_time: bool = False,
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
