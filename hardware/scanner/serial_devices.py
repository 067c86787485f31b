"""Which serial devices of this machine may be a scanner, by the files in /dev and /sys. Nothing is opened.

`serial_ports` goes the other way: from a configured port to the device that is there now.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
