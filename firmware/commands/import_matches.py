"""`nimmt import`: import matches from an exported file into the journal."""

import argparse
from pathlib import Path

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.commands.declared import AT_HOME, Command, Example
from firmware.commands.stored import opened_to_write
from firmware.config.configuration import load
from firmware.history.exported import matches_in, text_of
from firmware.history.stored_matches import StoredMatches
from firmware.history.story import headline, outcome
from firmware.text.translation import Translator


def run(args: argparse.Namespace) -> int:
    """Read the whole file, replay every match, then save all of them at once; or report why not."""
    text = text_of(args.file)
    try:
        matches = matches_in(text)
    except CompanionError as bad:
        raise CompanionError(
            say("{file} was not imported: {fault}", file=args.file, fault=bad.fault_text), bad.fix_text
        ) from bad
    config = load(args.config)
    translate = Translator(config.screen.language, config.screen.digits)
    with opened_to_write(args, config) as journal:
        stored = StoredMatches(journal.reader, config.table.names, translate)
        for number in journal.import_matches(matches):
            past = stored.past(journal.reader.entry(number))
            print(f"{headline(past, translate)}, {outcome(past, translate)}")
    return 0


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="JSON lines from nimmt export, with one or more matches")


COMMAND = Command(
    help="import matches from exported JSON lines into the journal",
    run=run,
    options=_options,
    config=True,
    journal=True,
    epilog="More, with examples: docs/records.md",
    examples=(Example("nimmt import other-table.jsonl", given=AT_HOME),),
)
