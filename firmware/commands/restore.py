"""`nimmt restore`: replace the journal with a backup; the old journal is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.commands.backup import replayed
from firmware.commands.stored import place
from firmware.config.configuration import load
from firmware.journal.copies import restore

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Restore. Raises `CompanionError` while the device is running, and for an invalid file."""
    path = place(args, load(args.config))
    counted: list[int] = []
    aside = restore(path, args.file, lambda reader: counted.extend(replayed(reader)))
    matches = "1 match" if len(counted) == 1 else f"{len(counted)} matches"
    print(f"{path} now has {matches} with {sum(counted)} steps, as in {args.file}")
    if aside is not None:
        print(f"the old journal is kept as {aside}")
    return 0
