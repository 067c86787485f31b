"""The journal that a command is about: where it is, opened for reading, also while the device is running."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from companion.text.sentence import Text, say
from firmware.commands.language import of_records
from firmware.config.configuration import Config, load
from firmware.history.stored_matches import StoredMatches
from firmware.journal.store import Journal
from firmware.text.translation import Translator


def place(args: argparse.Namespace, config: Config) -> Path:
    """The path of the journal from the command line or the configuration."""
    named: Path | None = args.journal
    return named or config.journal.place(os.environ)


@contextmanager
def opened(args: argparse.Namespace) -> Iterator[StoredMatches]:
    """The journal from the command line or the configuration. Raises `JournalError`."""
    config = load(args.config)
    with closing(Journal.read(place(args, config))) as journal:
        yield StoredMatches(journal, config.table.names, of_records(args.config, config, journal))


@contextmanager
def opened_to_write(args: argparse.Namespace, config: Config) -> Iterator[Journal]:
    """The same for writing; the device must not be running. Raises `JournalError`."""
    # A list of matches waits for neither of them.
    from firmware.flashed.slots import BootPartition
    from firmware.play.runtime import wall

    journal, _ = Journal.open(place(args, config), wall=wall, on_trial=BootPartition().on_trial)
    with closing(journal):
        yield journal


OTHERS: Final = say("a backup may have the others: nimmt restore")
"""What to do where matches are missing."""


def complain(t: Translator, fault: Text, fix: Text) -> None:
    """Say on the error stream what is wrong and what to do."""
    print(f"nimmt: {t.say(fault)}\n  {t.say(fix)}", file=sys.stderr)
