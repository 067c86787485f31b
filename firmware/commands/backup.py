"""`nimmt backup` and `nimmt restore`: a verified copy of the whole journal, and the way back."""

import argparse
from pathlib import Path

from companion.text.sentence import count
from firmware.commands.declared import AT_HOME, Command, Example
from firmware.commands.language import spoken
from firmware.commands.stored import place
from firmware.config.configuration import load
from firmware.history import usb_stick
from firmware.history.played_match import replayed
from firmware.journal.copies import back_up, restore


def run_backup(args: argparse.Namespace) -> int:
    """Write the copy and say where it is. Raises `CompanionError`, and leaves no partial file."""
    from firmware.play.runtime import wall  # the help of all commands does not wait for the game

    source = place(args, load(args.config))
    to: Path = usb_stick.newest().folder if args.usb else args.to or Path()
    if to.is_dir():
        to /= f"nimmt-journal-{''.join(letter for letter in wall() if letter.isalnum())}.sqlite"
    counted: list[int] = []
    back_up(source, to, lambda reader: counted.extend(replayed(reader)))
    told = count(
        "{file}: {count} match, {steps} steps, all of them read back and replayed",
        "{file}: {count} matches, {steps} steps, all of them read back and replayed",
        len(counted),
        file=str(to),
        steps=sum(counted),
    )
    print(spoken(args.config).say(told))
    return 0


def run_restore(args: argparse.Namespace) -> int:
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


def _backup_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "to", type=Path, nargs="?", metavar="TO", help="a new file or a folder (default: this folder)"
    )
    parser.add_argument("--usb", action="store_true", help="write to the USB drive that was mounted last")


def _restore_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a file from nimmt backup")


BACKUP = Command(
    help="make a verified copy of the whole journal, even during play",
    run=run_backup,
    options=_backup_options,
    config=True,
    journal=True,
    epilog="More, with examples: docs/records.md",
    examples=(Example("nimmt backup copy.sqlite", given=AT_HOME),),
)

RESTORE = Command(
    help="replace the journal with a backup, and keep the old journal",
    run=run_restore,
    options=_restore_options,
    config=True,
    journal=True,
    epilog="More, with examples: docs/records.md",
    examples=(Example("nimmt restore copy.sqlite", given=AT_HOME),),
)
