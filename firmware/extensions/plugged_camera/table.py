"""The row of the menu that offers a camera."""

from __future__ import annotations

import sys
from functools import partial
from importlib.util import find_spec
from typing import Final

from companion.text.sentence import Text, say
from companion.values import replace
from firmware.play.table import Extension, Item, Table
from firmware.screens.parts.kinds import Confirm
from firmware.usb_camera import UsbCamera, usb_camera

SETTINGS: Final = {"driver": "v4l2"}


class PluggedCamera(Extension):
    """The row CAMERA, as long as no camera is in use."""

    def menu(self, table: Table) -> tuple[Item, ...]:
        if (camera := usb_camera()) is None:
            return ()
        if lacks := _lacks():
            return ((say("CAMERA"), lambda at: at.explain(*lacks)),)
        from firmware.extensions.camera.config import CameraOptions

        if table.config.section(CameraOptions).driver != "off":
            return ()
        return ((say("CAMERA"), partial(Table.open, page=offer(camera))),)


def offer(camera: UsbCamera) -> Confirm:
    """The page that asks whether a camera is to be used."""
    follows = say("FOUND: {name}. IT READS CARDS WITHOUT LABELS.", name=camera.name)
    return Confirm(say("USE THE CAMERA?"), follows, say("USE IT"), _use)


def _lacks() -> tuple[Text, Text] | None:
    """What is not installed that a camera needs, and how to install it; None where all is there."""
    if "firmware.extensions.camera.table" not in sys.modules:  # since the start
        name, package = "nimmt-camera", "./nimmt-camera_*.deb"
    elif find_spec("cv2") is None:
        name, package = "OpenCV", "python3-opencv"
    else:
        return None
    return say("{name} is not installed", name=name), say("run sudo apt install {name}", name=package)


def _use(table: Table) -> None:
    """Use the camera from now on, and open its menu."""
    from firmware.extensions.camera.config import CameraOptions
    from firmware.extensions.camera.table import CameraTable

    if table.change_settings is not None:
        table.change_settings({"camera": SETTINGS})
    options = replace(table.config.section(CameraOptions), **SETTINGS)
    table.config = replace(table.config, added={**table.config.added, CameraOptions: options})
    part = table.extension(CameraTable)
    part.tick(table)  # it begins
    for _, open_menu in part.menu(table):
        open_menu(table)
