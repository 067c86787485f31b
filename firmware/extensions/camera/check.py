"""What `nimmt doctor` says of the camera: whether it gives pictures, and knows a deck."""

from __future__ import annotations

import os
from functools import partial

from firmware.commands.doctor import Finding
from firmware.config.configuration import Config
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.config import CameraOptions, deck_folder
from firmware.service import status
from hardware.errors import HardwareError


def findings(config: Config) -> list[Finding]:
    """The camera that is configured, which gives one picture, and its decks."""
    options = config.section(CameraOptions)
    # The service that runs uses the camera, and tells its faults itself.
    if options.driver == "off" or status.of_this_machine(os.environ) is not None:
        return []
    # A doctor without a camera to look at imports none of it.
    from firmware.extensions.camera.camera import Camera
    from firmware.extensions.camera.capture import DEVICE

    folder = deck_folder(config, os.environ)
    link = "docs/camera.md#if-something-is-wrong"
    found = partial(Finding, device=DEVICE, driver=options.driver, link=link)
    try:
        seen = found(ok=True, says=Camera(options, folder).check())
    except HardwareError as bad:
        seen = found(ok=False, says=bad.fault, fix=bad.check)
    if deck_files.names(folder):
        return [seen]
    fix, link = "choose CAMERA in the menu, then TEACH A DECK", "docs/camera.md#teach-a-deck"
    return [seen, found(ok=True, says="no deck has been taught yet", fix=fix, link=link)]
