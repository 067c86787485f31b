"""What a table notes in the journal beside its matches: which is open, who has joined, what was left.

After a restart everything is read from here. A match itself is never a note: it is replayed from its steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.match.match import Terms
from firmware.history import given_names
from firmware.journal.errors import JournalError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.journal.store import Journal

OPEN: Final = "open"
"""The number of the match in play."""

JOINING: Final = "joining"
GROUP: Final = "group"
SUSPENDED: Final = "away"
RESULT: Final = "result"
"""The number of the finished match that was left last."""

_ORDER: Final = "order"


class TableNotes:
    """The notes of a table. What is asked for while a page is drawn is None where it cannot be read.

    Then nothing can be refused; a journal that does not work is reported where something is written. What
    writes raises `JournalError`, with nothing changed.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def recall(self, what: str) -> object:
        """What the journal has noted; None where it cannot be read."""
        try:
            return self._journal.recall(what)
        except JournalError:
            return None

    def remember(self, what: str, value: object) -> None:
        """Note a JSON value; None for none."""
        self._journal.remember(what, value)

    # who plays next

    def remember_joining(self, game: str, badges: tuple[int, ...], robots: tuple[str, ...] = ()) -> None:
        """Keep who has joined, so that a power cut before the first card costs nothing."""
        joining: dict[str, object] = {"game": game, "badges": list(badges)}
        self.remember(JOINING, {**joining, "robots": list(robots)} if robots else joining)

    def joining(self) -> tuple[str, tuple[int, ...]]:
        """The game and the badges that had joined when the device went off; empty if nobody had.

        Raises `JournalError`.
        """
        kept = self._journal.recall(JOINING)
        return (kept["game"], tuple(kept["badges"])) if isinstance(kept, dict) else ("", ())

    def joining_robots(self) -> tuple[str, ...]:
        """The robots among those that have joined, as in `Terms.robots`."""
        kept = self.recall(JOINING)
        return tuple(kept.get("robots", ())) if isinstance(kept, dict) else ()

    def group(self) -> Terms | None:
        """The terms of the newest match; None before the first, and where the journal cannot be read."""
        group = self.recall(GROUP)
        if not isinstance(group, dict):
            return None
        badges = tuple(group["badges"])
        robots = tuple(group.get("robots", ()))
        return Terms(group["game"], len(badges), group["options"], badges=badges, robots=robots)

    @property
    def game_names(self) -> tuple[str, ...]:
        """The names that people gave to games whose score they kept, the newest first."""
        return given_names.names_in(self.recall(given_names.GAMES_NOTE))

    # matches that were left

    def suspended(self, in_play: int | None) -> list[int]:
        """The numbers of the suspended matches without the one in play, the last one first."""
        kept = self.recall(SUSPENDED)
        return [number for number in kept if number != in_play] if isinstance(kept, list) else []

    def remember_suspended(self, numbers: Iterable[int]) -> None:
        """Note which matches are suspended, and that none is in play."""
        self.remember(SUSPENDED, list(numbers))
        self.remember(OPEN, None)

    def result_before(self, in_play: int | None) -> int | None:
        """The finished match that was left last; None if it is gone."""
        number = self.recall(RESULT)
        if type(number) is not int or number == in_play:
            return None
        try:
            return number if self._journal.has(number) else None
        except JournalError:
            return None

    # the standings

    @property
    def by_seat(self) -> bool:
        """Whether the standings are in the order of the seats, not of the ranks."""
        return self.recall(_ORDER) == "seat"

    def toggle_order(self) -> None:
        """Show the standings in the other order from now on."""
        self.remember(_ORDER, None if self.by_seat else "seat")
