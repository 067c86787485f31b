"""The notes of the journal about phones that may act through the page, and which of them may no longer.

There are two kinds: every paired phone *plays*, and some *host*. The phone of a host may also change what is
the owner's: settings, other phones, a copy of the journal. Somebody at the display has allowed it.

The phones themselves are kept by the program that lets them in, and listed here as far as the display
shows them. Each has the number that the note `NOTE` had when it was paired: a greater one since then ends it,
and so does its id in `ENDED`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from companion.values import Value

if TYPE_CHECKING:
    from firmware.session.table_notes import TableNotes


NOTE: Final = "phones"
"""The key of the note with the number of times that all phones were forgotten."""

LISTED: Final = "phones-listed"
"""The key of the note with the phones that the display lists."""

ENDED: Final = "phones-ended"
"""The key of the note with those that were forgotten one by one, until the program that keeps them knows."""

HOSTS: Final = "phones-hosts"
"""The key of the note with those that host, by id."""

_MOST_HOSTS: Final = 40
"""Of those that were allowed it last; as many phones can be paired."""

MOST_LISTED: Final = 20
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
    """Whose pairing has ended: all before an era, and some by their ids; and who hosts, by id."""

    era: int = 0
    ended: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()


def era(note: object) -> int:
    """How often all phones were forgotten, by the note; 0 where there is none."""
    return note if type(note) is int else 0


def ids_in(note: object) -> tuple[str, ...]:
    """The ids in a note: of those that were forgotten one by one, or that host."""
    return tuple(one for one in note if isinstance(one, str)) if isinstance(note, list) else ()


def read(recall: Callable[[str], object]) -> PhoneNotes:
    """What the notes say; `recall` gives a note by its key."""
    ended, hosts = (frozenset(ids_in(recall(key))) for key in (ENDED, HOSTS))
    return PhoneNotes(era(recall(NOTE)), ended, hosts)


def known(note: object) -> tuple[KnownPhone, ...]:
    """The phones of a list of objects, such as the note; what is none is left out."""
    found = (
        KnownPhone(one["id"], one["name"]).short
        for one in (note if isinstance(note, list) else ())
        if isinstance(one, dict) and isinstance(one.get("id"), str) and isinstance(one.get("name"), str)
    )
    return tuple(islice(found, MOST_LISTED))


def tell(phones: Sequence[KnownPhone], notes: TableNotes) -> None:
    """Note which phones there are, without those forgotten here. Raises `JournalError`."""
    before = frozenset(ids_in(notes.recall(ENDED)))
    _list([phone for phone in phones if phone.id not in before], notes)
    # The page removes what was forgotten, and then tells no more of it.
    still = before & {phone.id for phone in phones}
    if still != before:
        notes.remember(ENDED, sorted(still))


def forget(phone: str, notes: TableNotes) -> None:
    """End the pairing of the one with this id. Raises `JournalError`."""
    notes.remember(ENDED, sorted({*ids_in(notes.recall(ENDED)), phone}))
    _remember_hosts([one for one in ids_in(notes.recall(HOSTS)) if one != phone], notes)
    _list([one for one in known(notes.recall(LISTED)) if one.id != phone], notes)


def forget_all(notes: TableNotes) -> None:
    """End the pairing of every phone, also of those that nobody has told of. Raises `JournalError`."""
    notes.remember(NOTE, era(notes.recall(NOTE)) + 1)
    _remember_hosts([], notes)
    _list([], notes)


def let_host(phone: str, notes: TableNotes) -> None:
    """Make the one with this id the phone of a host. Raises `JournalError`."""
    others = [one for one in ids_in(notes.recall(HOSTS)) if one != phone]
    _remember_hosts([*others, phone][-_MOST_HOSTS:], notes)


def _remember_hosts(hosts: Sequence[str], notes: TableNotes) -> None:
    if tuple(hosts) != ids_in(notes.recall(HOSTS)):
        notes.remember(HOSTS, list(hosts))


def _list(phones: Sequence[KnownPhone], notes: TableNotes) -> None:
    if tuple(phones) != known(notes.recall(LISTED)):
        notes.remember(LISTED, [{"id": phone.id, "name": phone.name} for phone in phones])
