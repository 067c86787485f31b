"""Which serial device a configured port means: a path, a USB id, or the only one there is.

A USB scanner that speaks serial (USB-CDC) is /dev/ttyACM0 today and /dev/ttyACM1 after its plug was pulled.
So a port is best a stable link, of our udev rule or in /dev/serial/by-id. Where there is no link,
`usb:VID:PID` finds the device by the ids that `lsusb` prints, and `auto` takes the only one. Nothing is
opened here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from hardware.errors import HardwareError, sentence
from hardware.options import option

if TYPE_CHECKING:
    from serial.tools.list_ports_common import ListPortInfo

_TTYS: Final = ("ttyACM*", "ttyUSB*", "ttyAMA0")
"""USB-CDC, an adapter, and the pins of the header. Scanners are not on the other ports of a computer."""


class SerialDevice(Struct, frozen=True):
    """A serial device: `port` is the value for the configuration, `says` a description for people."""

    port: str
    says: str


def serial_devices(root: Path) -> list[SerialDevice]:
    """The serial devices of the machine whose file system begins at `root`, each once.

    `port` is what stays the same after the plug was pulled: our link, else its link in by-id, else its USB
    id, else its file.
    """
    found: list[SerialDevice] = []
    seen: set[Path] = set()
    for place, says in _places(root):
        device = place.resolve()
        if device.exists() and device not in seen:
            seen.add(device)
            usb = "" if place.parent != root / "dev" else _usb_id(root, place.name)
            found.append(SerialDevice(f"usb:{usb}" if usb else str(place), f"{says}, {usb}" if usb else says))
    return found


def _places(root: Path) -> Iterator[tuple[Path, str]]:
    yield root / "dev/nimmt-scanner", "the link of the udev rule"
    for link in sorted((root / "dev/serial/by-id").glob("*")):
        yield link, link.name.removeprefix("usb-")
    for pattern in _TTYS:
        for tty in sorted((root / "dev").glob(pattern)):
            yield tty, "the pins of the header" if tty.name == "ttyAMA0" else tty.name


def _usb_id(root: Path, name: str) -> str:
    """Its ids as `lsusb` prints them, from a folder above that of the tty; empty where it is not on USB."""
    above = (root / "sys/class/tty" / name / "device").resolve()
    for folder in (above, *above.parents[:3]):
        with suppress(OSError):
            ids = [(folder / one).read_text(encoding="ascii").strip() for one in ("idVendor", "idProduct")]
            return ":".join(ids)
    return ""


AUTO: Final = "auto"
LINK: Final = "/dev/nimmt-scanner"
"""The link that the udev rule creates."""

_USB: Final = re.compile(r"usb:([0-9a-f]{4}):([0-9a-f]{4})", re.IGNORECASE)
_DEVICE: Final = "scanner"


PORT: Final = option(
    "the device file, preferably the stable link of the udev rule or of /dev/serial/by-id; "
    "usb:<vendor>:<product> finds a USB id as printed by lsusb; auto uses the link of the udev rule, "
    "or the only USB serial device"
)
"""The field `port` of a driver."""


def check_port(port: str) -> None:
    """Raise `ValueError` for a text that names no port."""
    if not port:
        raise ValueError(sentence("port is empty"))
    # pyserial takes URLs as well: some call other machines, one writes files.
    if not port.startswith("/") and port != AUTO and not port.lower().startswith("usb:"):
        raise ValueError(
            sentence("port {port} is not a device file, usb:<vendor>:<product> or auto", port=repr(port))
        )
    if os.path.isdir(port) or os.path.isfile(port):  # noqa: PTH112, PTH113 - they raise nothing, for any name
        raise ValueError(sentence("port {port} is a file or a folder, not a device", port=repr(port)))
    if port.lower().startswith("usb:") and not _USB.fullmatch(port):
        raise ValueError(
            sentence(
                "port {port} is not a USB id of the form usb:<vendor>:<product>, such as usb:6666:7777",
                port=repr(port),
            )
        )


def device_file(port: str, comports: Callable[[], Iterable[ListPortInfo]], link: str = LINK) -> str:
    """The device file that `port` means at this moment; `comports` is that of pyserial.

    Raises `HardwareError` where there is no such device, or several that `auto` may mean.
    """
    if match := _USB.fullmatch(port):
        wanted = tuple(int(part, 16) for part in match.groups())
        found = [one for one in comports() if (one.vid, one.pid) == wanted]
        if not found:
            raise HardwareError(_DEVICE, *absent(port))
        return min(one.device for one in found)
    if port.lower() != AUTO:
        return port
    if Path(link).exists():
        return link
    found = [one for one in comports() if one.vid is not None]
    if len(found) == 1:
        return found[0].device
    if not found:
        raise HardwareError(_DEVICE, *absent(port))
    raise HardwareError(
        _DEVICE,
        sentence(
            "{found} USB serial devices are plugged in: {devices}",
            found=len(found),
            devices=", ".join(
                sorted(f"usb:{one.vid:04x}:{one.pid:04x} ({one.description})" for one in found)
            ),
        ),
        sentence("set port under [scanner] to one of them"),
    )


def absent(port: str) -> tuple[str, str]:
    """The fault and what to check, for people, where there is no device at `port`."""
    if port.lower() == AUTO:
        check = sentence(
            "plug it in, and set it to USB serial; a scanner that acts as a keyboard needs the driver hid"
        )
        return sentence("no USB serial device is plugged in"), check
    if _USB.fullmatch(port):
        check = sentence("plug it in, and set it to USB serial, not to keyboard; `lsusb` shows the ids")
        return sentence("no USB serial device {usb} is plugged in", usb=port[4:].lower()), check
    return sentence("no scanner at {port}", port=port), sentence(
        "plug it in, or set port under [scanner] if it has another one"
    )
