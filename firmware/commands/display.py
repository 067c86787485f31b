"""`nimmt display`: one picture on the display while no game runs; systemd units call it."""

import argparse
import os
import sys
from contextlib import suppress
from typing import Any

from firmware.commands.declared import Command, option
from firmware.config.configuration import USUAL, Config, config_store, load, parse
from firmware.config.keys import ConfigError
from firmware.display.status_pictures import Notice, leave
from firmware.session.language import translator
from hardware.ports import DeviceFault, Message
from hardware.registry import driver

PICTURES = ("starting", "stopped", "fault", "back-soon", "restarting", "off", "ended")
"""What it can show; "ended" asks systemd whether it was a fault."""

LIVES_IN_ITS_PROGRAM = frozenset({"terminal", "simulated", "none"})
"""Displays that show nothing after the program has ended."""


def run(args: argparse.Namespace) -> int:
    """Show it. Gives 0 if it is on the display or there is nothing to show, 1 if the display is missing."""
    config = _config(args)
    notice = _meant(args.notice, config)
    if notice is None or config.display.driver in LIVES_IN_ITS_PROGRAM:
        return 0
    said: list[Message] = []
    display: Any = driver("display", config.display.driver)(config.display.options)
    try:
        display.start(said.append)
        shown = leave(notice, display, translator(config))
    finally:
        display.close()
    if not shown:
        faults = [event for event in said if isinstance(event, DeviceFault)]
        fault = faults[-1].fault if faults else "the display took too long"
        print(f"nimmt: the picture could not be shown: {fault}", file=sys.stderr)
        if faults:
            print(f"  fix: {faults[-1].check}", file=sys.stderr)
    return 0 if shown else 1


def _meant(notice: str, config: Config) -> Notice | None:
    """The picture. "ended" asks systemd how the game ended; after a normal end nothing has to be shown."""
    if notice != "ended":
        return Notice(notice)
    if os.environ.get("SERVICE_RESULT", "success") == "success":
        return None
    return Notice.BACK_SOON if config.kiosk.on else Notice.FAULT


def _config(args: argparse.Namespace) -> Config:
    """The configuration, else the last good one, else the usual one. Stores nothing."""
    if args.config is None:
        return load(None)
    for file in (args.config, config_store(os.environ)):
        with suppress(ConfigError):
            return load(file)
    return parse(USUAL, "the default devices")


COMMAND = Command(
    help="show a status picture on the display while no game is running",
    run=run,
    options=(option("notice", choices=PICTURES, help="which picture"),),
    config=True,
    games=False,
    streams=frozenset(),
)
