"""Whether the cards of a turn are scanned in seat order: as configured, until people choose otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from firmware.session.table_notes import TableNotes

_NOTE: Final = "seat_order"


class SeatOrder:
    """The choice of a table, kept in the journal. It counts until the configuration says something else."""

    def __init__(self, notes: TableNotes, configured: bool) -> None:  # noqa: FBT001 - it is what it is about
        self._notes, self._configured = notes, configured
        kept = notes.recall(_NOTE)
        self._on = configured
        if isinstance(kept, dict) and kept.get("configured") is configured:
            self._on = kept.get("chosen") is True

    @property
    def on(self) -> bool:
        """Whether each card is taken for that of the next player in seat order."""
        return self._on

    def change(self) -> None:
        """Choose the other one. Raises `JournalError`, with nothing changed."""
        self._notes.remember(_NOTE, {"configured": self._configured, "chosen": not self._on})
        self._on = not self._on
