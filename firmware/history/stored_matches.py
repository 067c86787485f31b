"""The matches of a journal with the names of their players, and the files that are made of them.

Lists and statistics only need tallies: they do without the rules of the games, which take a while to import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from companion.core.tally import MatchTally
from companion.text.errors import CompanionError
from companion.text.sentence import COMMA
from companion.values import Value
from firmware.history.players import NOTE, Person, named, people_in
from firmware.history.portions import Portions, done
from firmware.history.stored_time import read_time
from firmware.journal.errors import DamagedMatch
from firmware.journal.reader import JournalReader
from firmware.journal.rows import MatchEntry
from firmware.text.translation import Translator

if TYPE_CHECKING:
    from firmware.history.played_match import PlayedMatch

PAUSE: Final = timedelta(hours=6)
"""A pause of this length between two matches ends an evening."""

_LOOKED_AT: Final = 20
"""How many of the newest matches are searched for one with a finished deal."""

NEVER_SET: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time was never set: this program did not exist then."""


class MatchHistory(Value, dict=True):
    """A journal that is open for reading, with the names in the configuration and the language of its reader.

    One thread uses it. Methods raise `JournalError`, and `CompanionError` for a match that cannot be read.
    """

    journal: JournalReader
    configured: Sequence[str]
    translate: Translator

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names by badge: those given at the table, else those of the configuration."""
        return named(self.configured, self.journal.recall(NOTE))

    @cached_property
    def title(self) -> Callable[[str], str]:
        """The title of a game in the language; a list asks for the same few again and again."""
        return cache(self.translate.title)

    @cached_property
    def comma(self) -> str:
        """What stands between the parts of a list."""
        return self.translate.say(COMMA)

    def past(self, entry: MatchEntry) -> PlayedMatch:
        """One match, read back up to a damage in it."""
        return done(self.past_in_portions(entry))

    def past_in_portions(self, entry: MatchEntry) -> Portions[PlayedMatch]:
        """The same in portions."""
        from firmware.history.played_match import read_in_portions  # see above

        return read_in_portions(self.journal, entry, self.names)

    def tally(self, entry: MatchEntry) -> tuple[MatchTally, DamagedMatch | None]:
        """What a match amounts to, also where it was stored without a tally; and a damage that ends it."""
        if entry.tally is not None:
            return entry.tally, None
        from companion.match.tally import tally_of  # see above

        past = self.past(entry)
        return tally_of(past.match), past.damage

    def people(self, entry: MatchEntry, tally: MatchTally) -> tuple[Person, ...]:
        """The players of a match that was not replayed."""
        return people_in(entry.header, tally.seats, self.names)

    def results(self, left_out: list[CompanionError]) -> Iterator[tuple[tuple[Person, ...], MatchTally]]:
        """The players and the tally of each match that can be read to its end; `left_out` gets the others."""
        for entry in self.journal.each_match():
            try:
                tally, damage = self.tally(entry)
                if damage is not None:
                    raise damage
            except CompanionError as bad:
                left_out.append(bad)
            else:
                yield self.people(entry, tally), tally

    def chosen(self, number: int | None) -> MatchEntry:
        """The requested match, else the newest with a finished deal; there must be one.

        Where none has a finished deal it is the newest with a step, if there is one.
        """
        newest = self.journal.latest()
        if newest is None:
            raise CompanionError("no match has been played yet", "to play one, type: nimmt run")
        wanted = self._newest_to_show(newest) if number is None else number
        if not self.journal.has(wanted):
            fault = f"there is no match {wanted} in the journal"
            raise CompanionError(fault, f"choose a match from 1 to {newest}")
        return self.journal.entry(wanted)

    def _newest_to_show(self, newest: int) -> int:
        entries = [entry for entry in self.journal.each_match(_LOOKED_AT) if entry.steps or entry.fault][::-1]
        scored = (entry.id for entry in entries if entry.tally is None or any(entry.tally.points))
        return next(scored, entries[0].id if entries else newest)

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


def same_evening(earlier: MatchEntry, following: MatchEntry) -> bool:
    """Whether two matches that follow each other were played on one evening.

    The clock says so where it was right both times. A clock that was set in between, or set back, says
    nothing about the time that has passed: then it is the same evening. A clock that is never set begins
    again each time the device is switched on: that is another evening.
    """
    ended, began = read_time(earlier.last_at or earlier.started_at), read_time(following.started_at)
    if ended is None or began is None or (ended < NEVER_SET) != (began < NEVER_SET):
        return True
    if began < ended:
        return began >= NEVER_SET
    return began - ended < PAUSE


class MatchExport(Value):
    """Matches for a file, oldest first; `damages` are those that were met in them so far, by match.

    It is gone through as often as a file needs it. `several` matches were asked for: what needs a winner
    leaves out those that have none.
    """

    stored: MatchHistory
    numbers: Sequence[int]
    damages: dict[int, DamagedMatch]
    several: bool = False

    @property
    def entries(self) -> Iterator[MatchEntry]:
        """The lines of the matches in the journal, one after the other."""
        for number in self.numbers:
            try:
                yield self.stored.journal.entry(number)
            except DamagedMatch as bad:
                self.damages[number] = bad

    def __iter__(self) -> Iterator[PlayedMatch]:
        for entry in self.entries:
            past = self.stored.past(entry)
            if past.damage is not None:
                self.damages[entry.id] = past.damage
            yield past

    def finished(self) -> Iterator[PlayedMatch]:
        """Of several matches only the finished ones; a single match as it is."""
        return (past for past in self if past.winners or not self.several)
