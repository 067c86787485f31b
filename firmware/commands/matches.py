"""`nimmt matches`: a line for each of the newest matches in the journal, or for every match."""

import argparse
import sys
from typing import Final

from companion.core.tally import MatchTally
from companion.text.errors import CompanionError
from firmware.commands.declared import AT_HOME, Command, Example
from firmware.commands.stored import OTHERS, complain, opened
from firmware.history.stored_matches import StoredMatches
from firmware.history.stored_time import read_time, shown
from firmware.journal.rows import MatchEntry

NEWEST: Final = 20
"""So many matches are listed without --all: what a terminal shows at once."""


def run(args: argparse.Namespace) -> int:
    """Print the matches, oldest first; a match that cannot be read says so in its line."""
    shown = 0
    with opened(args) as stored:
        for entry in stored.journal.each_match(None if args.all else NEWEST):
            shown += 1
            print(_said(stored, entry))
        there, missing = stored.journal.counted(), stored.journal.fault_of_count()
        t = stored.translate
    if not args.all and there > shown:
        sys.stdout.flush()  # the lines come first, also where both streams are one file
        print(
            t(
                "the newest {count} of {all} matches; to list all, type: nimmt matches --all",
                count=shown,
                all=there,
            ),
            file=sys.stderr,
        )
    if missing is not None:
        complain(t, missing, OTHERS)
        return 1
    if not shown:
        print(t("no matches yet; to play one, type: nimmt run"))
    return 0


def _said(stored: StoredMatches, entry: MatchEntry) -> str:
    try:
        tally, damage = stored.tally(entry)
    except CompanionError as bad:
        return f"{entry.id:4}  {entry.started_at[:16]:20}  {stored.translate.say(bad.fault_text)}"
    told = f"  ({stored.translate.say(damage.fault_text)})" if damage else ""
    return _line(stored, entry, tally) + told


def _line(stored: StoredMatches, entry: MatchEntry, tally: MatchTally) -> str:
    begun = read_time(entry.started_at)
    when = shown(begun, stored.translate) if begun else "?"
    names = [person.name for person in stored.people(entry, tally)]
    t, totals = stored.translate, []
    for place in tally.places:
        of = " + ".join([names[seat] for seat in place.seats])
        totals.append(f"{of} {t.number(place.total)}{'*' if place.rank == 1 and tally.winners else ''}")
    state = "" if tally.winners else "  " + t("(not finished, deal {deal})", deal=tally.deal)
    return f"{entry.id:4}  {when:20}  {stored.title(tally.game):10}  {stored.comma.join(totals)}{state}"


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="every match (default: the newest 20)")


COMMAND = Command(
    help="list the newest matches in the journal; * marks the winner",
    run=run,
    options=_options,
    config=True,
    journal=True,
    epilog="More, with examples: docs/records.md",
    examples=(Example("nimmt matches", given=AT_HOME),),
)
