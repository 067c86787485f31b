"""Cards that were scanned while a question about the turn before was open: they begin the next turn.

They are noted in the journal, so that a power cut before the question is answered loses none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.session.table_notes import TableNotes

_NOTE: Final = "kept"


class KeptCards:
    """The kept cards of the match in play; a match that is suspended keeps its own."""

    def __init__(self, notes: TableNotes, match_id: Callable[[], int | None]) -> None:
        self._notes, self._match_id = notes, match_id
        self._kept: dict[str, tuple[str, ...]] | None = None

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards, in the order in which they were scanned."""
        return self._all().get(str(self._match_id()), ())

    def keep(self, card: str) -> None:
        """Keep one more card. Raises `JournalError` with nothing changed."""
        self._note((*self.cards, card))

    def remove(self, card: str) -> None:
        """Forget a card: it was played, or is taken back. Raises `JournalError` with nothing changed."""
        self._note(tuple(one for one in self.cards if one != card))

    def clear(self) -> None:
        """Forget all cards. Raises `JournalError` with nothing changed."""
        self._note(())

    def _note(self, cards: tuple[str, ...]) -> None:
        match = str(self._match_id())
        others = {number: kept for number, kept in self._all().items() if number != match}
        kept = {**others, match: cards} if cards else others
        self._notes.remember(_NOTE, {number: list(one) for number, one in kept.items()} or None)
        self._kept = kept

    def _all(self) -> dict[str, tuple[str, ...]]:
        """All of them by the number of their match; read from the journal once."""
        if self._kept is None:
            noted = self._notes.recall(_NOTE)
            found = noted.items() if isinstance(noted, dict) else ()
            self._kept = {str(number): tuple(map(str, cards)) for number, cards in found}
        return self._kept
