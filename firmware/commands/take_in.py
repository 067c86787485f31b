"""`nimmt import`: take matches from an exported file into the journal."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from firmware.build import wall
from firmware.commands.stored import place
from firmware.config import load
from firmware.journal import Journal
from firmware.records.exported import text_of
from firmware.records.log_lines import kept_in
from firmware.records.past import recalled
from firmware.records.story_text import headline, outcome

if TYPE_CHECKING:
    import argparse


def run(words: argparse.Namespace) -> int:
    """Read the file whole, replay every match of it, then save them all at once; or say why not."""
    text = text_of(words.file)
    try:
        matches = kept_in(text)
    except CompanionError as bad:
        raise CompanionError(f"{words.file} was not imported: {bad.fault}", bad.fix) from bad
    config = load(words.config)
    journal, _ = Journal.open(place(words, config), wall=wall)
    with closing(journal):
        numbers = journal.take_in(matches)
        for entry in journal.matches():
            if entry.id in numbers:
                past = recalled(journal, entry, config.table.names)
                print(f"{headline(past)}, {outcome(past)}")
    return 0
