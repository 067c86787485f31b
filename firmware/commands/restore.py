"""`nimmt restore`: replace the journal with a backup; the old journal is kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.sentence import count
from firmware.commands.backup import replayed
from firmware.commands.declared import AT_HOME, Command, Example
from firmware.commands.language import spoken
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
    t = spoken(args.config)
    told = count(
        "{journal} now has {count} match with {steps} steps, as in {file}",
        "{journal} now has {count} matches with {steps} steps, as in {file}",
        len(counted),
        journal=str(path),
        steps=sum(counted),
        file=str(args.file),
    )
    print(t.say(told))
    if aside is not None:
        print(t("the old journal is kept as {file}", file=str(aside)))
    return 0


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a file from nimmt backup")


COMMAND = Command(
    help="replace the journal with a backup, and keep the old journal",
    run=run,
    options=_options,
    config=True,
    journal=True,
    epilog="More, with examples: docs/records.md",
    examples=(Example("nimmt restore copy.sqlite", given=AT_HOME),),
)
