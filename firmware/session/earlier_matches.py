"""The matches before the one in play: results to show again, and suspended matches to resume."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from companion.match import log
from companion.match.match import begin
from companion.text.errors import CompanionError
from companion.values import Value
from firmware.history.players import people_in
from firmware.history.stored_time import day_of_year, local_time
from firmware.journal.store import Journal
from firmware.text.translation import Translator

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

    `date` is month and day of its beginning at this place; empty where that is not known.
    """

    id: int
    title: str
    date: str


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
        begun = local_time(entry.started_at)
        at = "" if begun is None else f"{day_of_year(begun, t)} {t.digits(f'{begun:%H:%M}')}"
        found.append(FinishedMatch(entry.id, tally.game, at, places))
    return tuple(found)


def suspended_matches(journal: Journal, numbers: Iterable[int], t: Translator) -> tuple[SuspendedMatch, ...]:
    """The matches with these numbers. A removed or damaged one is left out: it cannot be resumed."""
    found = []
    for number in numbers:
        with suppress(CompanionError):
            entry = journal.reader.entry(number)
            begun = local_time(entry.started_at)
            date = "" if begun is None else day_of_year(begun, t)
            found.append(SuspendedMatch(number, begin(log.read_header(entry.header)).game.title, date))
    return tuple(found)
