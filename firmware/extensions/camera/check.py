"""What `nimmt doctor` says of the camera: whether it gives pictures, and which decks it knows."""

from __future__ import annotations

import os
from functools import partial

from companion.core import games
from firmware.commands.doctor import Finding
from firmware.config.configuration import Config
from firmware.extensions.camera.config import CameraOptions, deck_folder
from firmware.service import status
from hardware.errors import HardwareError


def findings(config: Config) -> list[Finding]:
    """The camera that is configured, which gives one picture, and the decks of the box."""
    options = config.section(CameraOptions)
    if options.driver == "off":
        return []
    # A doctor without a camera to look at imports none of it.
    from firmware.extensions.camera import deck_files
    from firmware.extensions.camera.camera import Camera
    from firmware.extensions.camera.capture import DEVICE
    from firmware.extensions.camera.cards_in_play import different

    folder = deck_folder(config, os.environ)
    found = partial(
        Finding, device=DEVICE, driver=options.driver, link="docs/camera.md#if-something-is-wrong"
    )
    reported = []
    if status.of_this_machine(os.environ) is None:  # else the service uses it, and tells its faults itself
        try:
            reported.append(found(ok=True, says=Camera(options, folder).check()))
        except HardwareError as bad:
            reported.append(found(ok=False, says=bad.fault, fix=bad.check))
    decks = [deck for deck in deck_files.headers(folder) if deck.game in games.GAMES]
    if not decks:
        reported.append(found(ok=False, says="no deck has been taught yet", fix="run nimmt teach"))
    if options.deck and options.deck not in {deck.name for deck in decks}:
        says = f"there is no deck {options.deck}"
        reported.append(found(ok=False, says=says, fix="nimmt teach --list names the decks"))
    for deck in decks:
        taught = f"{len(deck.cards)} of {len(different(deck.game, deck.box))}"
        says = f"the deck {deck.name} has {taught} cards of {games.module(deck.game).TITLE}"
        reported.append(found(ok=True, says=says))
    return reported
