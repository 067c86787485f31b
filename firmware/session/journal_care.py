"""Looking after the journal while nobody plays, and telling how it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from firmware.journal.errors import JournalError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from firmware.journal.store import Journal
    from firmware.session.upkeep import Upkeep


class JournalCare:
    """What the journal of a table needs now and then, from the first call of `portion` on.

    `in_play` gives the match that is left alone; `keep_matches` is how many matches are kept, 0 for all.
    """

    def __init__(self, journal: Journal, in_play: Callable[[], int | None], keep_matches: int) -> None:
        self._journal, self._in_play, self._keep_matches = journal, in_play, keep_matches
        self._upkeep: Upkeep | None = None

    def tidy(self) -> None:
        """Let the journal shorten its log; called when nothing else is to be done."""
        self._journal.tidy()

    def portion(self, stop: Callable[[], bool]) -> bool:
        """Do a small portion of what the journal needs; whether there is more to do.

        Called when nothing else is to be done; `stop` says that somebody waits.
        """
        if self._upkeep is None:
            from firmware.session.upkeep import Upkeep  # a start does not wait for it

            self._upkeep = Upkeep(self._journal, self._in_play, self._keep_matches, stop)
        return self._upkeep.portion()

    def match_left(self, match_id: int | None) -> None:
        """Note that a match is no longer in play."""
        if match_id is not None and self._upkeep is not None:
            self._upkeep.match_left(match_id)

    def forget(self, badge: int) -> None:
        """Note that a badge was erased."""
        if self._upkeep is not None:
            self._upkeep.forget(badge)

    @property
    def damages(self) -> Mapping[str, str]:
        """What is damaged in earlier matches, as far as they were read since the start, and what to do."""
        return {} if self._upkeep is None else self._upkeep.damages

    def state(self) -> dict[str, Any] | None:
        """How large the journal is and how much of it was checked; None if it cannot be read."""
        try:
            size = self._journal.size()
        except JournalError:
            return None
        upkeep = self._upkeep
        return {
            "matches": size.matches,
            "bytes": size.used_bytes,
            "free_bytes": size.free_bytes,
            "checked": 0 if upkeep is None else upkeep.checked,
            "all_checked": upkeep is not None and upkeep.finished,
            "damaged": len(self.damages),
        }
