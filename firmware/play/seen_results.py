"""Which results of the match in play people have seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.session.session import MOST_SUSPENDED

if TYPE_CHECKING:
    from firmware.session.session import Session


class SeenResults:
    """What people have seen in the matches of a session. What they acknowledged is stored nowhere.

    A result has a name, such as `Result.RULING`, and the number of the step that led to it: a step that is
    made after an undo has another number and is shown again.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._seen: dict[int | None, tuple[int, set[tuple[str, int]]]] = {}

    def has(self, result: str, step: int) -> bool:
        """Whether people have seen this result of a step.

        Of a match that was read back from the journal, all that people have played past counts as seen: else
        an UNDO would show an old ruling as if it were new.
        """
        past, seen = self._here
        return step < past or (result, step) in seen

    def note(self, result: str, step: int) -> None:
        """Note that people have seen what a step led to."""
        self._here[1].add((result, step))

    @property
    def _here(self) -> tuple[int, set[tuple[str, int]]]:
        """Of the match in play: the step up to which all counts as seen, and what was acknowledged."""
        match_id = self._session.match_id
        if match_id not in self._seen:
            self._seen[match_id] = (self._session.played_past, set())
            if len(self._seen) > 1 + MOST_SUSPENDED:  # a device runs for months
                del self._seen[next(iter(self._seen))]
        return self._seen[match_id]
