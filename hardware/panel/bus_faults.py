"""What an error of an I2C or SPI bus means, and what to do about it, in words for people."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import Final

from hardware.errors import HardwareError

_PACKAGES: Final = {"spidev": "python3-spidev", "lgpio": "python3-lgpio", "luma": "luma.oled"}


@dataclass(frozen=True, slots=True)
class BusAddress:
    """Where a device is on the Pi: its name for people, its device file and group, and where to look."""

    name: str
    node: str
    group: str
    switch: str  # of raspi-config
    look: str


def i2c_address(port: int, address: int) -> BusAddress:
    """The device at `address` on I2C bus `port`."""
    return BusAddress(
        name=f"0x{address:02X} on I2C bus {port}",
        node=f"/dev/i2c-{port}",
        group="i2c",
        switch="do_i2c",
        look=f"check the wires 3V3, GND, SDA and SCL; list the devices with i2cdetect -y {port}",
    )


def spi_address(port: int, device: int) -> BusAddress:
    """The device at chip select `device` of SPI bus `port`."""
    return BusAddress(
        name=f"SPI {port}.{device}",
        node=f"/dev/spidev{port}.{device}",
        group="spi",
        switch="do_spi",
        look="check the wires 3V3, GND, CLK, MOSI, CE, D/C and RES",
    )


def bus_fault(device: str, seen: Exception, place: BusAddress) -> HardwareError:
    """The fault behind an `OSError`, or behind a library's own error that was raised because of one.

    Luma raises its own error in place of the kernel's, without `from`; Python keeps that one as the context.
    """
    kernel = seen if isinstance(seen, OSError) else seen.__context__
    match kernel.errno if isinstance(kernel, OSError) else None:
        case errno.ENOENT:
            fault = f"{place.node} does not exist"
            check = f"enable it: sudo raspi-config nonint {place.switch} 0"
        case errno.EACCES | errno.EPERM:
            fault = f"no permission to use {place.node}"
            check = f"add the user to its group: sudo usermod -aG {place.group} <user>"
        case errno.EREMOTEIO | errno.EIO | errno.ENXIO:
            fault, check = f"no answer at {place.name}", place.look
        case errno.ETIMEDOUT | errno.EAGAIN | errno.EBUSY:
            fault = f"the bus of {place.name} is stuck or busy"
            check = "check the wires for a short circuit, then switch the device off and on"
        case _:
            fault, check = f"{place.name}: {seen}", f"{place.look}; check the configuration of this device"
    return HardwareError(device, fault, check)


def missing_package(device: str, missing: ImportError) -> HardwareError:
    """The fault behind a failed import, with the command that installs the package."""
    name = (missing.name or "?").partition(".")[0]
    package = _PACKAGES.get(name, name)
    tool = "sudo apt install" if package.startswith("python3-") else "pip install"
    return HardwareError(
        device, f"the Python package {name!r} is not installed", f"install it: {tool} {package}"
    )
