"""Stored matches: the journal that a command is about, also while the device plays; lists and statistics.

`nimmt matches` has a line for each match, `nimmt stats` adds up their tallies by badge and game. Neither
needs the rules of a game.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from firmware.commands.declared import about_records, flag, option, whole
from firmware.commands.language import spoken
from firmware.config.configuration import Config, load
from firmware.history.players import CONFIGURED_NOTE
from firmware.history.statistics import count_results, in_lines
from firmware.history.stored_matches import MatchHistory
from firmware.history.stored_time import read_time, shown
from firmware.journal.rows import MatchEntry
from firmware.journal.store import Journal


def place(args: argparse.Namespace, config: Config) -> Path:
    """The path of the journal from the command line or the configuration."""
    named: Path | None = args.journal
    return named or config.journal.place(os.environ)


@contextmanager
def opened(args: argparse.Namespace) -> Iterator[MatchHistory]:
    """The journal from the command line or the configuration. Raises `JournalError`."""
    config = load(args.config)
    with closing(Journal.read(place(args, config))) as journal:
        t = spoken(config, args.config, journal.recall)
        named = journal.recall(CONFIGURED_NOTE)
        if isinstance(named, int) and len(config.table.names) < named:
            complain("names in the configuration of the table are not known here", _ADD_IT)
        yield MatchHistory(journal, config.table.names, t)


_ADD_IT: Final = "give that configuration as well: --config FILE"


def chosen(stored: MatchHistory, number: int | None) -> MatchEntry:
    """The match that a command is about; it is said where that is not the newest one that was played."""
    entry = stored.chosen(number)
    if number is None and (newest := stored.journal.latest()) is not None and newest != entry.id:
        newer = stored.journal.entry(newest)
        if newer.steps:
            complain(
                f"match {newest} has no finished deal yet: this is match {entry.id}",
                f"to see the newest one, give its number: {newest}",
            )
    return entry


OTHERS: Final = "a backup may have the others: nimmt restore"
"""What to do where matches are missing."""


CHOSEN: Final = option("match", type=whole, nargs="?", help="default: the newest with a finished deal")
"""The match that a command is about: see `chosen`."""


def complain(fault: str, fix: str) -> None:
    """Say on the error stream what is wrong and what to do."""
    print(f"nimmt: {fault}\n  {fix}", file=sys.stderr)


NEWEST: Final = 20
"""So many matches are listed without --all: what a terminal shows at once."""


def run_matches(args: argparse.Namespace) -> int:
    """Print the matches, oldest first; a match that cannot be read says so in its line."""
    shown = empty = 0
    with opened(args) as stored:
        for entry in stored.journal.each_match(None if args.all else NEWEST):
            if not entry.steps and entry.fault is None:
                empty += 1  # it was begun, and nothing was played
                continue
            shown += 1
            print(_line(stored, entry))
        there, missing = stored.journal.counted(), stored.journal.fault_of_count()
    if not args.all and there > shown + empty:
        sys.stdout.flush()  # the lines come first, also where both streams are one file
        newest = f"the newest {shown} of {there} matches"
        print(f"{newest}; to list all, type: nimmt matches --all", file=sys.stderr)
    if missing is not None:
        complain(missing, OTHERS)
        return 1
    if not shown:
        print("no matches yet; to play one, type: nimmt run")
    return 0


def _line(stored: MatchHistory, entry: MatchEntry) -> str:
    try:
        tally, damage = stored.tally(entry)
    except CompanionError as bad:
        return f"{entry.id:4}  {entry.started_at[:16]:20}  {bad.fault}"
    begun, t, totals = read_time(entry.started_at), stored.translate, []
    when = shown(begun, t) if begun else "?"
    names = [person.called(t) for person in stored.people(entry, tally)]
    for place in tally.places:
        of = " + ".join([names[seat] for seat in place.seats])
        totals.append(f"{of} {t.number(place.total)}{'*' if place.rank == 1 and tally.winners else ''}")
    state = "" if tally.winners else "  " + t("(not finished, deal {deal})", deal=tally.deal)
    told = f"  ({damage.fault})" if damage else ""
    return f"{entry.id:4}  {when:20}  {stored.title(tally.game):10}  {stored.comma.join(totals)}{state}{told}"


MATCHES = about_records(
    help="list the newest matches in the journal; * marks the winner",
    run=run_matches,
    options=(flag("--all", help="every match (default: the newest 20)"),),
)


def run_stats(args: argparse.Namespace) -> int:
    """Print a line for every badge and game, or everything as JSON.

    A match that cannot be read to its end is left out and named; the exit status is then 1.
    """
    left_out: list[CompanionError] = []
    with opened(args) as stored:
        found, t = count_results(stored.results(left_out)), stored.translate
        if (missing := stored.journal.fault_of_count()) is not None:
            left_out.append(CompanionError(missing, OTHERS))
    if args.json:
        print(json.dumps([statistics.record() for statistics in found], ensure_ascii=False, indent=2))
    elif found:
        for line in in_lines(found, t):
            print(line)
    elif not left_out:
        print("no player with a badge has played yet; to play, type: nimmt run")
    for bad in left_out:
        complain(f"not counted: {bad.fault}", bad.fix)
    return 1 if left_out else 0


STATS = about_records(
    help="show statistics by badge and game: wins, points and cards taken",
    run=run_stats,
    options=(flag("--json", help="the numbers as JSON"),),
)
