"""What there is to tell of the match in play beside its score: when it was played, what was remarkable."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from companion.match.match import Match
from firmware.history.best_results import Record
from firmware.history.stored_time import local_time, read_time, shown
from firmware.journal.errors import JournalError
from firmware.journal.rows import MatchEntry
from firmware.journal.store import Journal
from firmware.text.translation import Translator

if TYPE_CHECKING:
    from firmware.history.honours import Honours


class InPlay(Protocol):
    """Where the match in play is found."""

    @property
    def match_id(self) -> int | None:
        """Its number in the journal."""

    @property
    def playing(self) -> Match:
        """The match. Raises `RuntimeError` where there is none."""


class AboutMatch:
    """What the journal and the history tell of the match in play. What is costly is computed once."""

    def __init__(self, journal: Journal, table: InPlay) -> None:
        self._journal, self._table = journal, table
        self._uid: tuple[int | None, str] = (None, "")
        self._honours: tuple[tuple[int | None, int], Honours] | None = None

    def of(self, table: InPlay) -> AboutMatch:
        """The same for the match at another moment, with what was computed already."""
        other = copy(self)
        other._table = table  # noqa: SLF001 - of its own class
        return other

    @property
    def uid(self) -> str:
        """What tells the match from all others, in every copy of the journal; empty if not known."""
        if self._uid[0] != self._table.match_id:
            entry = self._entry()
            if entry is None:  # not stored yet, or it cannot be read now
                return ""
            self._uid = (self._table.match_id, entry.uid)
        return self._uid[1]

    @property
    def begun(self) -> tuple[str, str]:
        """When it began by the clock here: `2026-02-21` and `20:41 UTC+03:30`; both empty if not known."""
        begun = None if (entry := self._entry()) is None else local_time(entry.started_at)
        day, _, time = ("" if begun is None else shown(begun, Translator())).partition(" ")
        return day, time

    @property
    def played_min(self) -> int | None:
        """Whole minutes from its beginning to its newest step; None if not known."""
        entry = self._entry()
        begun = None if entry is None else read_time(entry.started_at)
        newest = None if entry is None or entry.last_at is None else read_time(entry.last_at)
        if begun is None or newest is None or newest < begun:
            return None
        return round((newest - begun).total_seconds() / 60)

    def result_links(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Addresses that create the match that is over in the app BG Stats, from long to short.

        `names` are those of the players by badge, from badge 1.
        """
        from firmware.history import bgstats
        from firmware.history.played_match import played_match

        entry = self._entry()
        if entry is None:
            return ()
        ended = None if entry.last_at is None else read_time(entry.last_at)
        past = replace(played_match(self._table.playing, entry, (), names), ended=ended)
        return bgstats.short_links(past)

    def honours(self) -> Honours:
        """What the match that is over has to tell beside its winner."""
        from firmware.history.honours import honours_of

        match = self._table.playing
        key = (self._table.match_id, match.steps)
        if self._honours is None or self._honours[0] != key:
            self._honours = (key, honours_of(match))
        return self._honours[1]

    def records(self) -> tuple[Record, ...]:
        """What the match that is over means for its players, from the notes of the journal."""
        from firmware.history import best_results

        try:
            note = self._journal.recall(best_results.NOTE)
        except JournalError:
            note = None
        return best_results.records_of(self._table.playing, best_results.read(note))

    def _entry(self) -> MatchEntry | None:
        """What the journal has about the match beside its steps."""
        number = self._table.match_id
        try:
            return None if number is None else self._journal.reader.entry(number)
        except JournalError:
            return None
