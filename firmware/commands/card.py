"""`nimmt card`: what a box that was flashed as an image does at its start; its units call it."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from firmware.bounded_file import keep, publish, read_bounded
from firmware.card import faults, light, settings, text_files
from firmware.commands.declared import Command, option, path
from firmware.flashed.slots import BOOT, BootPartition
from firmware.service import status
from firmware.service.clock import SAVED, Clock, take

if TYPE_CHECKING:
    from firmware.card.first_start import FirstStart

USUAL = '\n[display]\ndriver = "oled"\n'
"""For a box whose panel nobody could read: the most common one, until the next start."""

NEW_CARD = Path("run/table/new-card")
"""A pipe that the initrd makes for a new card. A unit that waits for the first picture reads it."""


def run(args: argparse.Namespace) -> int:
    """Do it; gives 0, also for files with faults: the display tells them. Raises `CompanionError`."""
    card, root = BootPartition(args.boot or BOOT), args.root or Path("/")
    try:
        if args.what == "light":
            return _light()
        if args.what == "first-start":
            from firmware.card.first_start import FirstStart  # it brings all drivers along
            from firmware.setup.machine import System

            return first_start(card, root, FirstStart(System(), log=partial(asks, root)))
        if args.what == "clock":
            return _clock(root)
        if args.what == "keep":
            return keep_settings(card, root)
        return _settings(card, root)
    except OSError as error:
        raise CompanionError(
            f"the settings of the card cannot be applied: {error}", "run it as root"
        ) from error


def _settings(card: BootPartition, root: Path) -> int:
    of_files, of_parts = settings.apply(card.boot, root), faults.of_parts(card, root)
    found = [*((f"configuration/{name}", bad) for name, bad in of_files), *of_parts]
    faults.keep(found, root / faults.FILE.relative_to("/"))
    for name, bad in (*of_files, *of_parts):
        print(f"{name}: {bad.fault}\n  {bad.fix}", file=sys.stderr)
    return 0


def keep_settings(card: BootPartition, root: Path) -> int:
    """Write a configuration that was changed while the box runs to the card; the one before stays beside it.

    Gives 1 for one that the game could not use, which is left out. Raises `OSError`.
    """
    try:
        content = settings.for_the_card(card.boot, root)
    except CompanionError as bad:
        print(f"{bad.fault}\n  {bad.fix}", file=sys.stderr)
        return 1
    if content is None:
        return 0
    on_card = card.boot / settings.CONFIGURATION
    with card.writable():
        if on_card.exists():
            shutil.copyfile(on_card, on_card.with_name(f"{on_card.name}.previous"))
        keep(content, on_card)
    print("the card has the new configuration")
    return 0


def asks(root: Path, where: str) -> None:
    """Print on which panel the question is shown, and tell the unit that waits for the first picture."""
    print(where, flush=True)
    with suppress(OSError):  # it is no new card, or the unit has ended
        os.close(os.open(root / NEW_CARD, os.O_WRONLY | os.O_NONBLOCK))


def first_start(card: BootPartition, root: Path, trying: FirstStart) -> int:
    """Find the panel if the configuration names none, and write it there and on the card."""
    from firmware.card.first_start import names_a_display

    installed = root / settings.INSTALLED
    text = read_bounded(installed, text_files.LARGEST_BYTES, follow=False).decode(errors="replace")
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return 0  # the game tells what is wrong with it
    if names_a_display(said):
        return 0
    scanner = said.get("scanner")
    found = trying.find(scanner if isinstance(scanner, dict) else {})
    if found is None:
        asks(root, "no panel was answered for" if trying.tried else "no panel answers")
        publish(f"{text.rstrip()}\n{USUAL}".encode(), installed)
        return 0
    print(f"found: {found.board.name if found.board else dict(found.panel)}")
    publish(found.added_to(text).encode(), installed)
    on_card = card.boot / settings.CONFIGURATION
    with card.writable():
        own = (text_files.read_text(on_card) or b"").decode(errors="replace")
        keep(found.added_to(own).encode(), on_card)
    return 0


def _clock(root: Path) -> int:
    print(take(Clock(), root / SAVED, lambda at_s: time.clock_settime(time.CLOCK_REALTIME, at_s)))
    return 0


def _light() -> int:
    if not light.LIGHT.exists():
        print("this machine has no activity light")
        return 0
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    _blink(light.BoardLed(), stop.is_set, stop.wait)
    return 0


def _blink(lit: light.BoardLed, stopped: Callable[[], bool], wait: Callable[[float], object]) -> None:
    try:
        while not stopped():
            seen = status.seen(status.OF_THE_SERVICE)
            lit.blink(light.code_of(None if seen is None else seen.said), wait)
    finally:
        lit.give_back()


COMMAND = Command(
    help="what a flashed box does at its start; systemd calls it",
    run=run,
    options=(
        option(
            "what",
            choices=("settings", "keep", "first-start", "light", "clock"),
            help="settings: apply the files on the card's first partition; keep: write a changed "
            "configuration to the card; first-start: find the panel if none is named; light: blink what is "
            "wrong; clock: set the clock to the time that a phone has offered",
        ),
        path("--boot", metavar="FOLDER", help="the first partition (/boot/nimmt)"),
        path("--root", metavar="FOLDER", help="the root of the system (/)"),
    ),
    games=False,
)
