"""The notes of the journal about phones that may act through the page, and which of them may no longer.

The phones themselves are kept by the program that lets them in, and listed here as far as the display
shows them. Each has the number that the note `NOTE` had when it was paired: a greater one since then ends it,
and so does its id in `ENDED`.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from companion.values import Value

NOTE: Final = "phones"
"""The key of the note with the number of times that all phones were forgotten."""

LISTED: Final = "phones-listed"
"""The key of the note with the phones that the display lists."""

ENDED: Final = "phones-ended"
"""The key of the note with those that were forgotten one by one, until the program that keeps them knows."""

MOST_LISTED: Final = 20
LONGEST_NAME: Final = 24
LONGEST_ID: Final = 16


class KnownPhone(Value):
    """A paired phone: the word that stands for it, and what its owner calls it."""

    id: str
    name: str


class Ended(Value):
    """Whose pairing has ended: all before an era, and some by their ids."""

    era: int = 0
    ids: frozenset[str] = frozenset()


def era(note: object) -> int:
    """How often all phones were forgotten, by the note; 0 where there is none."""
    return note if type(note) is int else 0


def ended(note: object) -> frozenset[str]:
    """The ids of those that were forgotten one by one, by the note."""
    return frozenset(one for one in note if isinstance(one, str)) if isinstance(note, list) else frozenset()


def known(note: object) -> tuple[KnownPhone, ...]:
    """The phones of a list of objects, such as the note; what is none is left out."""
    found = (
        KnownPhone(one["id"][:LONGEST_ID], one["name"][:LONGEST_NAME])
        for one in (note if isinstance(note, list) else ())
        if isinstance(one, dict) and isinstance(one.get("id"), str) and isinstance(one.get("name"), str)
    )
    return tuple(islice(found, MOST_LISTED))
