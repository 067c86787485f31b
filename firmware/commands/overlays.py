"""`nimmt overlays`: which buses the configured devices lack; `--write` switches them on."""

import argparse
from contextlib import nullcontext

from companion.text.errors import CompanionError
from firmware.commands.declared import Command, flag, path
from firmware.config.configuration import load
from firmware.flashed.slots import BootPartition
from firmware.service import overlays
from firmware.service.overlays import PLACE, DeviceTree


def run(args: argparse.Namespace) -> int:
    """Say what is missing; gives 0 if nothing is. With `--write`, add it. Raises `CompanionError`."""
    file = args.boot or overlays.found()
    tree = DeviceTree(args.tree or PLACE)
    needs = overlays.wanted(load(args.config))
    if file is None:
        print("this machine has no config.txt: it is not a Raspberry Pi, or /boot is not mounted")
        return 0
    parameters = tree.has_parameters
    try:
        found = overlays.states(needs, overlays.text_of(file), tree)
        for need, state in found:
            mark = "ok" if state is overlays.State.ON else "!!"
            off = (
                " (it is in the file, but not on: restart the machine)"
                if state is overlays.State.RESTART
                else ""
            )
            print(f"{mark}  {need.line(parameters=parameters):34} {need.why}{off}")
        lacking = [need for need, state in found if state is overlays.State.MISSING]
        if not lacking:
            return 0 if all(state is overlays.State.ON for _, state in found) else 1
        if not args.write:
            print(f"to add what is missing to {file}: sudo nimmt overlays --write")
            return 1
        card = BootPartition()
        with card.writable() if file.is_relative_to(card.boot) else nullcontext():
            backup = overlays.add(lacking, file, parameters=parameters)
    except (OSError, UnicodeDecodeError) as error:
        raise CompanionError(
            f"{file} cannot be changed: {error}", "run it as root: sudo nimmt overlays --write"
        ) from error
    print(f"written to {file}; the old file was saved as {backup}. Reboot to apply the change.")
    return 0


COMMAND = Command(
    help="show what is missing in the Raspberry Pi's config.txt for the configured devices",
    run=run,
    options=(
        flag("--write", help="add what is missing (as root)"),
        path("--tree", metavar="FOLDER", help="the device tree of the kernel"),
        path("--boot", help="use this config.txt instead"),
    ),
    config=True,
    games=False,
)
