"""`nimmt stats`: wins, points and cards taken by badge and game, from the tallies of the matches."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.core.tally import MatchTally
from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.commands.declared import AT_HOME, Command, Example
from firmware.commands.stored import OpenJournal, opened
from firmware.history.players import Person
from firmware.history.statistics import count_results, in_lines

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Print a line for every badge and game, or everything as JSON.

    A match that cannot be read to its end is left out and named; the exit status is then 1.
    """
    left_out: list[CompanionError] = []
    with opened(args) as stored:
        found, t = count_results(_results(stored, left_out)), stored.translate
    if args.json:
        print(json.dumps([one.record() for one in found], ensure_ascii=False, indent=2))
    elif found:
        for line in in_lines(found, t):
            print(line)
    elif not left_out:
        print(t("no player with a badge has played yet; to play, type: nimmt run"))
    for bad in left_out:
        said = t("not counted: {fault}", fault=bad.fault_text)
        print(f"nimmt: {said}\n  {t.say(bad.fix_text)}", file=sys.stderr)
    return 1 if left_out else 0


def _results(
    stored: OpenJournal, left_out: list[CompanionError]
) -> Iterator[tuple[tuple[Person, ...], MatchTally]]:
    for entry in stored.journal.each_match():
        try:
            tally, damage = stored.tally(entry)
        except CompanionError as bad:
            left_out.append(bad)
            continue
        if damage is None:
            yield stored.people(entry, tally), tally
        else:
            left_out.append(damage)
    if (missing := stored.journal.fault_of_count()) is not None:
        left_out.append(CompanionError(missing, say("a backup may have the others: nimmt restore")))


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
