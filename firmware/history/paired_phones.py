"""The note of the journal that ends the pairing of phones.

The phones themselves are listed by the program that lets them in. Each of them has the number that this note
had when it was paired; a greater one since then ends it.
"""

from __future__ import annotations

from typing import Final

NOTE: Final = "phones"
"""The key of the note in the journal."""


def era(note: object) -> int:
    """How often all phones were forgotten, by the note; 0 where there is none."""
    return note if type(note) is int else 0
