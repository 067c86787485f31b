"""`nimmt backup`: a verified copy of the whole journal, even during play."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from companion.match import log
from companion.match.tally import tally_of
from companion.text.errors import CompanionError, InvalidRecord
from companion.text.sentence import count, say
from companion.values import replace
from firmware.commands.declared import AT_HOME, Command, Example
from firmware.commands.language import spoken
from firmware.commands.stored import place
from firmware.config.configuration import load
from firmware.history import usb_stick
from firmware.journal.copies import back_up
from firmware.journal.store import JournalReader

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
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


def replayed(reader: JournalReader) -> list[int]:
    """The number of steps of every match, after replaying each. Raises `CompanionError`."""
    steps = []
    for entry in reader.each_match():
        if entry.fault is not None:
            reader.entry(entry.id)  # raises
        try:
            match = log.replay(chain([entry.header], reader.steps(entry.id)))
        except InvalidRecord as bad:
            raise InvalidRecord(
                say("match {id} cannot be replayed: {fault}", id=entry.id, fault=bad.fault_text), bad.fix_text
            ) from bad
        steps.append(match.steps)
        # Before version 4 of the journal, a row whose new owner became known turns later was not counted.
        if entry.tally is not None and replace(entry.tally, taken=()) != replace(tally_of(match), taken=()):
            raise CompanionError(
                say("the summary of match {id} is not what its steps amount to", id=entry.id),
                say("its steps are right: nimmt export; send the match to the makers: nimmt support"),
            )
    if (missing := reader.fault_of_count()) is not None:
        raise CompanionError(
            missing, say("use an older backup; what is left can be exported: nimmt export --all")
        )
    return steps


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "to", type=Path, nargs="?", metavar="TO", help="a new file or a folder (default: this folder)"
    )
    parser.add_argument("--usb", action="store_true", help="write to the USB drive that was mounted last")


COMMAND = Command(
    help="make a verified copy of the whole journal, even during play",
    run=run,
    options=_options,
    config=True,
    journal=True,
    epilog="More, with examples: docs/records.md",
    examples=(Example("nimmt backup copy.sqlite", given=AT_HOME),),
)
