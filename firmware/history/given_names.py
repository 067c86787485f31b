"""The names of the players by badge: those given at the table, else those of the configuration.

A name that is given at the table is a note in the journal, `{"3": "Sara"}`. It is what people called somebody
last, so it wins over the configuration, which stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.codes import BADGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOTE: Final = "names"
"""The key of the note in the journal."""

LONGEST: Final = 24
"""Characters of a name that is given at the table."""


def given_names(note: object) -> dict[int, str]:
    """The names in a note of the journal, by badge; what is no name is left out."""
    if not isinstance(note, dict):
        return {}
    return {
        badge: name
        for badge in BADGES
        if isinstance(name := note.get(str(badge)), str) and name.strip() and len(name) <= LONGEST
    }


def note_of(given: Mapping[int, str]) -> dict[str, str] | None:
    """The note that holds these names; None for none."""
    return {str(badge): given[badge] for badge in sorted(given)} or None


def named(configured: Sequence[str], note: object) -> tuple[str, ...]:
    """The names of the badges 1, 2, ... up to the last badge that has one; P3 for one between without."""
    given = given_names(note)
    last = max(len(configured), *given, 0)
    return tuple(
        given.get(badge) or (configured[badge - 1] if badge <= len(configured) else f"P{badge}")
        for badge in range(1, last + 1)
    )
