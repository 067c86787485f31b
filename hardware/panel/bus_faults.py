"""What an error of an I2C or SPI bus means, and what to do about it, in words for people."""

import errno
from typing import Final

from msgspec import Struct

from hardware.errors import HardwareError, Sentence, sentence

_PACKAGES: Final = {"spidev": "python3-spidev", "lgpio": "python3-lgpio", "luma": "luma.oled"}


class BusAddress(Struct, frozen=True):
    """Where a device is on the Pi: its name for people, its device file and group, and where to look."""

    name: str
    node: str
    group: str
    switch: str  # of raspi-config
    look: Sentence


def i2c_address(port: int, address: int) -> BusAddress:
    return BusAddress(
        name=f"0x{address:02X} on I2C bus {port}",
        node=f"/dev/i2c-{port}",
        group="i2c",
        switch="do_i2c",
        look=sentence(
            "check the wires 3V3, GND, SDA and SCL; list the devices with i2cdetect -y {port}", port=port
        ),
    )


def spi_address(port: int, device: int) -> BusAddress:
    """The device at chip select `device` of SPI bus `port`."""
    return BusAddress(
        name=f"SPI {port}.{device}",
        node=f"/dev/spidev{port}.{device}",
        group="spi",
        switch="do_spi",
        look=sentence("check the wires 3V3, GND, CLK, MOSI, CE, D/C and RES"),
    )


def bus_fault(device: str, seen: Exception, place: BusAddress) -> HardwareError:
    """The fault behind an `OSError`, or behind a library's own error that was raised because of one.

    Luma raises its own error in place of the kernel's, without `from`; Python keeps that one as the context.
    """
    kernel = seen if isinstance(seen, OSError) else seen.__context__
    match kernel.errno if isinstance(kernel, OSError) else None:
        case errno.ENOENT:
            fault = sentence("{node} does not exist", node=place.node)
            check = sentence("enable it: sudo raspi-config nonint {switch} 0", switch=place.switch)
        case errno.EACCES | errno.EPERM:
            fault = sentence("no permission to use {node}", node=place.node)
            check = sentence("add the user to its group: sudo usermod -aG {group} <user>", group=place.group)
        case errno.EREMOTEIO | errno.EIO | errno.ENXIO:
            fault, check = sentence("no answer at {name}", name=place.name), place.look
        case errno.ETIMEDOUT | errno.EAGAIN | errno.EBUSY:
            fault = sentence("the bus of {name} is stuck or busy", name=place.name)
            check = sentence("check the wires for a short circuit, then switch the device off and on")
        case _:
            fault, check = (
                sentence("{name}: {seen}", name=place.name, seen=seen),
                sentence("{look}; check the configuration of this device", look=place.look),
            )
    return HardwareError(device, fault, check)


def missing_package(device: str, missing: ImportError) -> HardwareError:
    """The fault behind a failed import, with the command that installs the package."""
    name = (missing.name or "?").partition(".")[0]
    package = _PACKAGES.get(name, name)
    tool = "sudo apt install" if package.startswith("python3-") else "pip install"
    return HardwareError(
        device,
        sentence("the Python package {name} is not installed", name=repr(name)),
        sentence("install it: {tool} {package}", tool=tool, package=package),
    )
