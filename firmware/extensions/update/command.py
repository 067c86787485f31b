"""`nimmt update`: write a new version beside the one that runs, confirm it, or say which slot holds what."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.bounded_file import read_json
from firmware.card import faults
from firmware.commands.declared import Command, flag, path
from firmware.extensions.update import at_table, install, last_update, update_file
from firmware.extensions.update.last_update import LastUpdate, state
from firmware.extensions.update.on_drive import FoundUpdate, newest
from firmware.extensions.update.update_file import UpdateFile
from firmware.flashed.slots import SLOTS, BootPartition
from firmware.service import status
from firmware.text.os_errors import reason_of

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Do it; 0 done, 1 the trial has failed. Raises `CompanionError`."""
    card = BootPartition()
    if args.status:
        print_status(card, as_json=args.json)
        return 0
    if args.confirm:
        return confirm(card)
    if args.wanted:
        return write_wanted(card)
    install.target(card)  # before anything is read
    path = args.file.resolve() if args.file else on_drive(newest())
    with update_file.opened(path) as file:
        write(update_file.read(file), card, _percent_printer(), older=args.older)
    print("it is tried at the next start, and confirmed after two minutes without problems")
    print("start it now: sudo reboot")
    return 0


def on_drive(found: FoundUpdate | None) -> Path:
    """The newest update on a USB drive, which is told. Raises `CompanionError`."""
    if found is None:
        raise CompanionError(
            "no USB drive is plugged in", "plug one in, or give a file: sudo nimmt update FILE"
        )
    if found.of > 1:
        print(f"{found.of} updates were found, and the newest is taken")
    print(f"version {found.version}: {found.path}")
    return found.path


def write(
    update: UpdateFile,
    card: BootPartition,
    report: Callable[[int], None],
    kept: Path = last_update.FILE,
    *,
    older: bool,
) -> None:
    """Check an update and write it, with `older` also one that is older than what runs. Raises as `run`."""
    version = update.manifest.version
    if (runs := card.newer_than(version)) and not older:
        fault = say("version {version} is older than the running {runs}", version=version, runs=runs)
        raise CompanionError(fault, say("to install it anyway: sudo nimmt update --older FILE"))
    try:
        slot = install.install(update, card, report)
        seen = status.of_this_machine(os.environ)
        troubles = () if seen is None else tuple(sorted(last_update.troubles(seen.said)))
        with suppress(OSError):  # then they count: the version before is started again
            last_update.save(LastUpdate(slot, version, troubles), kept)
    except OSError as error:
        fault = say("the update cannot be written: {error}", error=reason_of(error))
        raise CompanionError(
            fault, say("run it as root: sudo nimmt update FILE; if that does not help, use another SD card")
        ) from error


def write_wanted(
    card: BootPartition,
    request: Path = at_table.REQUEST,
    progress: Path = at_table.PROGRESS,
    keys: Path = update_file.KEYS,
    kept: Path = last_update.FILE,
) -> int:
    """Write the update that somebody has chosen on the display, and tell the display how far it is."""
    requested = read_json(request, tuple[str, str], follow=False)  # it is in a folder of the game's user
    at_table.write_progress(progress, 0)
    request.unlink(missing_ok=True)
    if requested is None:
        return 0
    path, version = requested
    try:
        report = partial(at_table.write_progress, progress)
        with update_file.opened(Path(path)) as file:
            update = update_file.read(file, keys)
            write(update, card, report, kept, older=update.manifest.version == version)
    except CompanionError as error:
        faults.keep([("update", error)], progress)
        print(f"{error.fault}\n  {error.fix}", file=sys.stderr)  # for the log of the unit
        return 1
    return 0


def confirm(card: BootPartition) -> int:
    """Wait until the version on trial is well, and confirm it; 1 if it does not become well."""
    if not card.on_trial:
        print("nothing is on trial")
        return 0
    update = last_update.load()
    well = last_update.watch(
        partial(status.seen, status.OF_THE_SERVICE),
        () if update is None else update.troubles,
        time.monotonic,
        threading.Event().wait,
        lambda line: print(line, flush=True),
    )
    if not well:
        print("it did not run cleanly for two minutes: the next start uses the previous version")
        return 1
    try:
        print(f"slot {last_update.confirm_slot(card)} is confirmed")
        last_update.FILE.unlink(missing_ok=True)
    except OSError as error:
        raise CompanionError(f"the version cannot be confirmed: {error}", "run it as root") from error
    return 0


def print_status(card: BootPartition, *, as_json: bool, kept: Path = last_update.FILE) -> None:
    """Say which slot holds what, and whether an update went back. Raises `CompanionError`."""
    held = state(card)
    back = last_update.went_back(card, kept)
    if as_json:
        print(json.dumps({**held, "went_back": None if back is None else back.fault}, indent=2))
        return
    for slot in SLOTS:
        marks = {
            "runs": slot == held["running"],
            "confirmed": slot == held["confirmed"],
            "on trial": slot == held["running"] and held["on_trial"],
            "tried at the next start": slot == held["next_start_tries"],
        }
        shown = ", ".join(mark for mark, is_so in marks.items() if is_so)
        version = held["versions"][slot] or "nothing that could be started"
        print(f"slot {slot}: {version}" + (f" ({shown})" if shown else ""))
    if back is not None:
        print(f"{back.fault}\n  {back.fix}")


def _percent_printer() -> Callable[[int], None]:
    """Prints per cent in a terminal, each ten of them once."""
    printed: set[int] = set()

    def report(percent: int) -> None:
        if percent // 10 not in printed:
            printed.add(percent // 10)
            print(f"{percent}%", flush=True)

    return report


COMMAND = Command(
    help="install a new version on a box that was flashed as an image",
    run=run,
    options=(
        path(
            "file",
            nargs="?",
            help="the update, such as nimmt-1.1.0-arm64.update; without it the newest one on a USB drive",
        ),
        flag("--older", help="install it even if it is older than the running version"),
        flag("--status", help="say which slot runs, and what the slots hold"),
        flag("--json", help="with --status: print it as JSON"),
        flag(
            "--confirm",
            help="wait until the version on trial has run for two minutes without problems, and keep it",
        ),
        flag("--wanted", help="install the version chosen on the display (run by systemd)"),
    ),
    games=False,
)
