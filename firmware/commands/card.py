"""`nimmt card`: what a box that was flashed as an image does at its start; its units call it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.text import say
from firmware.card import faults, settings
from firmware.update import slots

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Do it; gives 0, also for files with faults: the display tells them. Raises `CompanionError`."""
    return _settings(args.boot or slots.BOOT, args.root or Path("/"))


def _settings(boot: Path, root: Path) -> int:
    try:
        found = settings.apply(boot, root)
        faults.keep(found, root / faults.FILE.relative_to("/"))
    except OSError as error:
        raise CompanionError(
            say("the settings of the card cannot be applied: {error}", error=error), say("run it as root")
        ) from error
    for name, bad in found:
        print(f"{name}: {bad.fault}\n  {bad.fix}", file=sys.stderr)
    return 0
