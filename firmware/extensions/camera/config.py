"""The section `[camera]`: a camera over the table that reads the faces of the cards."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

from companion.values import Value
from firmware.config.configuration import Config
from hardware.options import option

DRIVERS: Final = ("off", "v4l2", "libcamera")
SIZES: Final = ("640x480", "1280x720", "1280x960", "1920x1080")


class CameraOptions(Value):
    """A camera over the table, beside any scanner; see [camera.md](camera.md)."""

    driver: Annotated[
        str,
        option("the camera: off, one on USB (v4l2), or a Raspberry Pi camera (libcamera)", among=DRIVERS),
    ] = "off"
    device: Annotated[
        str,
        option("which one: its device file, or with libcamera its number; empty: the first", in_file=True),
    ] = ""
    size: Annotated[str, option("width and height of its pictures in pixels", among=SIZES)] = "1280x960"

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        wide, _, high = self.size.partition("x")
        return int(wide), int(high)


def deck_folder(config: Config, environ: Mapping[str, str]) -> Path:
    """Where the decks of this box lie: beside its journal."""
    return config.journal.place(environ).with_name("decks")
