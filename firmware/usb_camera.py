"""Which camera is plugged in."""

from pathlib import Path
from typing import Final, NamedTuple

NODES: Final = Path("/sys/class/video4linux")
"""A folder for each device file of a camera, codec or the like."""


class UsbCamera(NamedTuple):
    """What it calls itself, and its device file."""

    name: str
    device: Path


def usb_camera() -> UsbCamera | None:
    """The first camera that is plugged in; None without one. Reads a few files of the kernel."""
    for node in sorted(NODES.glob("video*"), key=lambda node: (len(node.name), node.name)):
        try:
            index, name = ((node / file).read_text().strip() for file in ("index", "name"))
        except OSError:  # it was unplugged just now
            continue
        # Codecs are on no USB. Of a camera the first node gives pictures, the next one tells about them.
        if index == "0" and (node / "device/subsystem").resolve().name == "usb":
            return UsbCamera(name.partition(":")[0], Path("/dev", node.name))
    return None
