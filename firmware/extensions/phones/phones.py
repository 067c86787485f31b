"""The phones that may act through the page: who they are as far as the table knows, and who was forgotten.

The page keeps them and lets them in; it tells the table which there are. The display can end the pairing of
one or of all: that is noted in the journal, where the page looks before it lets a phone act, also if it was
not running when somebody did so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.extensions.phones import paired_phones

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.extensions.phones.paired_phones import KnownPhone
    from firmware.session.table_notes import TableNotes


class Phones:
    """The paired phones of a table. What writes raises `JournalError`, with nothing changed."""

    def __init__(self, notes: TableNotes) -> None:
        self._notes = notes
        self.known = paired_phones.known(notes.recall(paired_phones.LISTED))
        """The phones that may act, as the page told last."""
        self.fingerprint = ""
        """SHA-256 of the certificate of the page, in 64 hexadecimal digits; empty where none is known."""

    def tell(self, phones: Sequence[KnownPhone], fingerprint: str | None = None) -> None:
        """Note which phones there are, without those forgotten here; None: nothing new of the page."""
        if fingerprint is not None:
            self.fingerprint = fingerprint
        before = self._ended()
        self._list([phone for phone in phones if phone.id not in before])
        # The page removes what was forgotten, and then tells no more of it.
        still = before & {phone.id for phone in phones}
        if still != before:
            self._notes.remember(paired_phones.ENDED, sorted(still))

    def forget(self, phone: str) -> None:
        """End the pairing of the one with this id."""
        self._notes.remember(paired_phones.ENDED, sorted(self._ended() | {phone}))
        self._list([one for one in self.known if one.id != phone])

    def forget_all(self) -> None:
        """End the pairing of every phone, also of those that nobody has told of."""
        era = paired_phones.era(self._notes.recall(paired_phones.NOTE))
        self._notes.remember(paired_phones.NOTE, era + 1)
        self._list([])

    def _ended(self) -> frozenset[str]:
        return paired_phones.ended(self._notes.recall(paired_phones.ENDED))

    def _list(self, phones: Sequence[KnownPhone]) -> None:
        if tuple(phones) != self.known:
            noted = [{"id": phone.id, "name": phone.name} for phone in phones]
            self._notes.remember(paired_phones.LISTED, noted)
            self.known = tuple(phones)
