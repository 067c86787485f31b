"""`nimmt stats`: wins, points and cards taken by badge and game, from the tallies of the matches."""

import argparse
import json

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.commands.declared import AT_HOME, Command, Example
from firmware.commands.stored import OTHERS, complain, opened
from firmware.history.statistics import count_results, in_lines


def run(args: argparse.Namespace) -> int:
    """Print a line for every badge and game, or everything as JSON.

    A match that cannot be read to its end is left out and named; the exit status is then 1.
    """
    left_out: list[CompanionError] = []
    with opened(args) as stored:
        found, t = count_results(stored.results(left_out)), stored.translate
        if (missing := stored.journal.fault_of_count()) is not None:
            left_out.append(CompanionError(missing, OTHERS))
    if args.json:
        print(json.dumps([one.record() for one in found], ensure_ascii=False, indent=2))
    elif found:
        for line in in_lines(found, t):
            print(line)
    elif not left_out:
        print(t("no player with a badge has played yet; to play, type: nimmt run"))
    for bad in left_out:
        complain(t, say("not counted: {fault}", fault=bad.fault_text), bad.fix_text)
    return 1 if left_out else 0


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the numbers as JSON")


COMMAND = Command(
    help="show statistics by badge and game: wins, points and cards taken",
    run=run,
    options=_options,
    config=True,
    journal=True,
    epilog="More, with examples: docs/records.md",
    examples=(Example("nimmt stats", given=AT_HOME),),
)
