"""Which results of the match in play people have seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.screens.parts.base import Result
from firmware.session.session import MOST_SUSPENDED

if TYPE_CHECKING:
    from firmware.session.session import Session


class SeenResults:
    """What people have seen in the matches of a session. What they acknowledged is stored nowhere."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._seen: dict[int | None, set[tuple[Result, int]]] = {}

    @property
    def here(self) -> set[tuple[Result, int]]:
        """What was seen in the match in play, with the number of the step that led to it.

        Of a match that was read back from the journal, all that people have played past counts as seen: else
        an UNDO would show an old ruling as if it were new.
        """
        match_id = self._session.match_id
        if match_id not in self._seen:
            past = range(self._session.played_past)
            self._seen[match_id] = {(result, number) for result in Result for number in past}
            if len(self._seen) > 1 + MOST_SUSPENDED:  # a device runs for months
                del self._seen[next(iter(self._seen))]
        return self._seen[match_id]

    def note(self, result: Result, step: int) -> None:
        """Note that people have seen what a step led to."""
        self.here.add((result, step))
