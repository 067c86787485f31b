"""Facts about matches: the one in play, beside its score, and those that are over or suspended."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from companion.match import log
from companion.match.match import Match, begin
from companion.text.errors import CompanionError
from companion.values import Value
from firmware.history import results
from firmware.history.players import people_in
from firmware.history.results import BadgeRecord, Honours
from firmware.history.stored_time import day, day_of_year, local_time, minutes_of, shown
from firmware.journal.errors import JournalError
from firmware.journal.rows import MatchEntry
from firmware.journal.store import Journal
from firmware.session.state import StateStore
from firmware.text.translation import Translator

if TYPE_CHECKING:
    from datetime import datetime


class AboutMatch:
    """What the journal and the history tell of the match in play. What is costly is computed once."""

    def __init__(self, journal: Journal, kept: StateStore) -> None:
        self._journal, self._kept = journal, kept
        self._uid: tuple[int | None, str] = (None, "")
        self._honours: tuple[tuple[int | None, int], Honours] | None = None

    @property
    def uid(self) -> str:
        """What tells the match from all others, in every copy of the journal; empty if not known."""
        if self._uid[0] != self._kept.state.match_id:
            entry = self._entry()
            if entry is None:  # not stored yet, or it cannot be read now
                return ""
            self._uid = (self._kept.state.match_id, entry.uid)
        return self._uid[1]

    @property
    def begun(self) -> tuple[str, str]:
        """When it began by the clock here: `2026-02-21` and `20:41 UTC+03:30`; both empty if not known."""
        begun = self._begun()
        date, _, time = ("" if begun is None else shown(begun, Translator())).partition(" ")
        return date, time

    def date(self, t: Translator) -> str:
        """The day on which it began here, as the reader writes it; empty if not known."""
        begun = self._begun()
        return "" if begun is None else day(begun, t)

    @property
    def played_min(self) -> int | None:
        """Whole minutes that were played up to its newest step; None if not known."""
        entry = self._entry()
        if entry is None:
            return None
        try:
            return minutes_of((entry.started_at, *self._journal.reader.times(entry.id)))
        except JournalError:
            return None

    def honours(self) -> Honours:
        """What the match that is over has to tell beside its winner."""
        match = self._playing
        key = (self._kept.state.match_id, match.steps)
        if self._honours is None or self._honours[0] != key:
            self._honours = (key, results.honours_of(match))
        return self._honours[1]

    def records(self) -> tuple[BadgeRecord, ...]:
        """What the match that is over means for its players, from the notes of the journal."""
        try:
            note = self._journal.recall(results.BEST_NOTE)
        except JournalError:
            note = None
        return results.records_of(self._playing, results.read_best(note))

    @property
    def _playing(self) -> Match:
        match = self._kept.state.match
        if match is None:
            raise RuntimeError("no match is in progress")
        return match

    def _begun(self) -> datetime | None:
        entry = self._entry()
        return None if entry is None else local_time(entry.started_at)

    def _entry(self) -> MatchEntry | None:
        number = self._kept.state.match_id
        try:
            return None if number is None else self._journal.reader.entry(number)
        except JournalError:
            return None


NEWEST_RESULTS: Final = 20
"""Finished matches whose results the display can show again; `nimmt matches` lists all."""


class FinishedMatch(Value):
    """The result of a match that is over: its number, the title of the game, when it began.

    `at` is month, day and time at this place. `places` are the standings, best first: rank, total, and the
    badges of the player or team, 0 for one who was erased.
    """

    id: int
    title: str
    at: str
    places: tuple[tuple[int, int, tuple[int, ...]], ...]


class SuspendedMatch(Value):
    """A match that was left before it was over: its number in the journal, its game by name.

    `at` is month, day and time of its beginning at this place; empty where that is not known. `deal` is the
    number of the deal in progress, `badges` those of the players, by seat.
    """

    id: int
    title: str
    at: str
    deal: int
    badges: tuple[int, ...]


def finished_matches(journal: Journal, t: Translator) -> tuple[FinishedMatch, ...]:
    """The results of the newest matches that are over, the last one first. Raises `JournalError`."""
    found = []
    for entry in reversed(list(journal.reader.each_match(NEWEST_RESULTS))):
        tally = entry.tally
        if tally is None or not tally.over:
            continue
        people = people_in(entry.header, tally.seats)
        places = tuple(
            (place.rank, place.total, tuple(people[seat].badge for seat in place.seats))
            for place in tally.places
        )
        found.append(FinishedMatch(entry.id, tally.game, _begun(entry, t), places))
    return tuple(found)


def _begun(entry: MatchEntry, t: Translator) -> str:
    """Month, day and time of the beginning at this place; empty where that is not known."""
    begun = local_time(entry.started_at)
    return "" if begun is None else f"{day_of_year(begun, t)} {t.digits(f'{begun:%H:%M}')}"


def suspended_matches(journal: Journal, numbers: Iterable[int], t: Translator) -> tuple[SuspendedMatch, ...]:
    """The matches with these numbers. A removed or damaged one is left out: it cannot be resumed."""
    found = []
    for number in numbers:
        with suppress(CompanionError):
            entry = journal.reader.entry(number)
            match = begin(log.read_header(entry.header))
            tally = entry.tally
            people = people_in(entry.header, match.terms.seats if tally is None else tally.seats)
            badges, deal = tuple(person.badge for person in people), 1 if tally is None else tally.deal
            found.append(SuspendedMatch(number, match.game.title, _begun(entry, t), deal, badges))
    return tuple(found)
