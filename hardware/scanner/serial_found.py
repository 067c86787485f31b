"""Which serial devices a machine has that may be a scanner, by its files alone; nothing is opened here.

`serial_places` goes the other way: from a configured port to the device that is there now.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TTYS: Final = ("ttyACM*", "ttyUSB*", "ttyAMA0")
"""USB-CDC, an adapter, and the pins of the header. Other ports of a computer are no place for a scanner."""


@dataclass(frozen=True, slots=True)
class SerialFound:
    """A serial device: `port` is what a configuration should say, `says` what people call it."""

    port: str
    says: str


def serial_devices(root: Path) -> list[SerialFound]:
    """The serial devices of the machine whose file system begins at `root`, each once.

    A device is named by what stays when its plug was pulled: our link, its link in by-id, its USB id; at last
    by its file.
    """
    found: list[SerialFound] = []
    seen: set[Path] = set()
    for place, says in _places(root):
        device = place.resolve()
        if device.exists() and device not in seen:
            seen.add(device)
            usb = "" if place.parent != root / "dev" else _usb_id(root, place.name)
            found.append(SerialFound(f"usb:{usb}" if usb else str(place), f"{says}, {usb}" if usb else says))
    return found


def _places(root: Path) -> Iterator[tuple[Path, str]]:
    yield root / "dev/nimmt-scanner", "the link of the udev rule"
    for link in sorted((root / "dev/serial/by-id").glob("*")):
        yield link, link.name.removeprefix("usb-")
    for pattern in _TTYS:
        for tty in sorted((root / "dev").glob(pattern)):
            yield tty, "the pins of the header" if tty.name == "ttyAMA0" else tty.name


def _usb_id(root: Path, name: str) -> str:
    """Its ids as `lsusb` prints them; empty where it is not on USB. The kernel keeps them above the tty."""
    above = (root / "sys/class/tty" / name / "device").resolve()
    for folder in (above, *above.parents[:3]):
        with suppress(OSError):
            ids = [(folder / one).read_text(encoding="ascii").strip() for one in ("idVendor", "idProduct")]
            return ":".join(ids)
    return ""
