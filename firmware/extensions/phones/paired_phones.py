"""The note of the journal about phones that may act through the page, and which of them may no longer.

There are two kinds: every paired phone *plays*, and some *host*. The phone of a host may also change what is
the owner's: settings, other phones, a copy of the journal. Somebody at the display has allowed it.

The phones themselves are kept by the program that lets them in, and listed here as far as the display
shows them. Each has the `era` that the note had when it was paired: a later one ends it, and so does its id
among those that have `ended`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import ValidationError, convert, to_builtins

from companion.core.codec import learned
from companion.values import Value, replace

if TYPE_CHECKING:
    from firmware.session.table_notes import TableNotes

NOTE: Final = "phones"
"""The key of the note."""

_MAX_HOSTS: Final = 40
"""Of those that were allowed it last; as many phones can be paired."""

MAX_LISTED: Final = 20
LONGEST_NAME: Final = 24
LONGEST_ID: Final = 16


class KnownPhone(Value):
    """A paired phone: the word that stands for it, and what its owner calls it."""

    id: str
    name: str

    @property
    def short(self) -> KnownPhone:
        """The same, as long as it may be here."""
        return KnownPhone(self.id[:LONGEST_ID], self.name[:LONGEST_NAME])


class PhoneNotes(Value):
    """What is noted: how often all phones were forgotten, and by their ids those that ended, or host."""

    era: int = 0
    ended: tuple[str, ...] = ()
    """Those that were forgotten one by one, until the program that keeps them knows."""
    hosts: tuple[str, ...] = ()
    listed: tuple[KnownPhone, ...] = ()
    """Those that the display lists."""

    def without(self, phone: str) -> PhoneNotes:
        """The same without a phone among those that host, or are listed."""
        listed = tuple(known for known in self.listed if known.id != phone)
        return replace(self, hosts=tuple(host for host in self.hosts if host != phone), listed=listed)


def read(recall: Callable[[str], object]) -> PhoneNotes:
    """What is noted; `recall` gives a note by its key."""
    try:
        return convert(recall(NOTE) or {}, learned(PhoneNotes))
    except ValidationError:
        return PhoneNotes()


def update_list(phones: Sequence[KnownPhone], notes: TableNotes) -> None:
    """Note which phones there are, without those forgotten here. Raises `JournalError`."""
    before = read(notes.recall)
    listed = tuple(phone for phone in phones if phone.id not in before.ended)[:MAX_LISTED]
    # The page removes what was forgotten, and then no longer sends it.
    ended = tuple(sorted({phone.id for phone in phones}.intersection(before.ended)))
    _write(replace(before, listed=listed, ended=ended), notes)


def forget(phone: str, notes: TableNotes) -> None:
    """End the pairing of the one with this id. Raises `JournalError`."""
    left = read(notes.recall).without(phone)
    _write(replace(left, ended=tuple(sorted({*left.ended, phone}))), notes)


def forget_all(notes: TableNotes) -> None:
    """End the pairing of every phone, also of those that are not listed. Raises `JournalError`."""
    before = read(notes.recall)
    _write(replace(before, era=before.era + 1, hosts=(), listed=()), notes)


def let_host(phone: str, notes: TableNotes) -> None:
    """Make the one with this id the phone of a host. Raises `JournalError`."""
    before = read(notes.recall)
    others = before.without(phone).hosts
    _write(replace(before, hosts=(*others, phone)[-_MAX_HOSTS:]), notes)


def _write(after: PhoneNotes, notes: TableNotes) -> None:
    if after != read(notes.recall):
        notes.remember(NOTE, to_builtins(after))
