"""Read access to the journal for the commands about matches, also while the device is running."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.core.tally import MatchTally
from companion.text.errors import CompanionError
from companion.text.sentence import COMMA, say
from companion.values import Value
from firmware.commands.language import of_records
from firmware.config.configuration import Config, load
from firmware.history.players import NOTE, Person, named, people_at
from firmware.history.stored_time import read_time
from firmware.journal.errors import DamagedMatch
from firmware.journal.store import Journal, JournalReader, MatchEntry
from firmware.text.translation import Translator

if TYPE_CHECKING:
    import argparse

    from firmware.history.played_match import PlayedMatch

PAUSE: Final = timedelta(hours=6)
"""A pause of this length between two matches ends an evening."""

NEVER_SET: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time was never set: this program did not exist then."""


class OpenJournal(Value, dict=True):
    """A journal that is open for reading, with its configuration."""

    journal: JournalReader
    config: Config
    translate: Translator

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names by badge: those given at the table, else those of the configuration."""
        return named(self.config.table.names, self.journal.recall(NOTE))

    @cached_property
    def title(self) -> Callable[[str], str]:
        """The title of a game in the language of the table; a list asks for the same few again and again."""
        return cache(self.translate.title)

    @cached_property
    def comma(self) -> str:
        """What stands between the parts of a list."""
        return self.translate.say(COMMA)

    def past(self, entry: MatchEntry) -> PlayedMatch:
        """One match of the journal. Raises `CompanionError` where it cannot be read."""
        from firmware.history.played_match import read_match  # lists do without the rules of the games

        return read_match(self.journal, entry, self.names)

    def tally(self, entry: MatchEntry) -> tuple[MatchTally, DamagedMatch | None]:
        """What a match amounts to, and a damage that ends it. Raises `CompanionError`."""
        if entry.tally is not None:
            return entry.tally, None
        from firmware.history.played_match import tally_in  # lists do without the rules of the games

        return tally_in(self.journal, entry)

    def people(self, entry: MatchEntry, tally: MatchTally) -> tuple[Person, ...]:
        """The players of a match that was not replayed."""
        badges = tuple(entry.header.get("badges", ()))
        robots = tuple(entry.header.get("robots", ()))
        return people_at(badges, tally.seats, self.names, robots)

    def chosen(self, number: int | None) -> MatchEntry:
        """The requested match, else the newest. Raises `CompanionError` if there is none."""
        newest = self.journal.latest()
        if newest is None:
            raise CompanionError(say("no match has been played yet"), say("to play one, type: nimmt run"))
        wanted = newest if number is None else number
        if not self.journal.has(wanted):
            known = say("choose a match from 1 to {newest}", newest=newest)
            raise CompanionError(say("there is no match {wanted} in the journal", wanted=wanted), known)
        return self.journal.entry(wanted)

    def evening(self, last: MatchEntry) -> list[MatchEntry]:
        """The match and those before it on the same evening, oldest first."""
        found: list[MatchEntry] = []
        for entry in self.journal.each_match():
            if found and not same_evening(found[-1], entry):
                found = []
            found.append(entry)
            if entry.id == last.id:
                break
        return found


def same_evening(one: MatchEntry, following: MatchEntry) -> bool:
    """Whether two matches that follow each other were played on one evening.

    The clock says so where it was right both times. A clock that was set in between, or set back, says
    nothing about the time that has passed: then it is the same evening. A clock that is never set begins
    again each time the device is switched on: that is another evening.
    """
    ended, began = read_time(one.last_at or one.started_at), read_time(following.started_at)
    if ended is None or began is None or (ended < NEVER_SET) != (began < NEVER_SET):
        return True
    if began < ended:
        return began >= NEVER_SET
    return began - ended < PAUSE


def place(translate: argparse.Namespace, config: Config) -> Path:
    """The path of the journal from the command line or the configuration."""
    named: Path | None = translate.journal
    return named or config.journal.place(os.environ)


@contextmanager
def opened(translate: argparse.Namespace) -> Iterator[OpenJournal]:
    """The journal from the command line or the configuration. Raises `JournalError`."""
    config = load(translate.config)
    with closing(Journal.read(place(translate, config))) as journal:
        yield OpenJournal(journal, config, of_records(translate.config, config, journal))
