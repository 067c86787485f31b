"""The names that people gave at the table, to players and to games whose score they kept.

Players have the name that was given to their badge, else that of the configuration.

A name that is given at the table is a note in the journal, `{"3": "Sara"}`. It is what people called somebody
last, so it wins over the configuration, which stays as it is. The names of games are a note as well, the
newest first: `["Wizard", "Skat"]`, so that they can be chosen again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.codes import BADGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.match.match import Terms

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


GAMES_NOTE: Final = "game names"
"""The key of the note in the journal."""

_MOST: Final = 12


def names_in(note: object) -> tuple[str, ...]:
    """The names in a note of the journal; what is no name is left out."""
    return tuple([name for name in note if isinstance(name, str)]) if isinstance(note, list) else ()


def note_with(note: object, terms: Terms) -> list[str] | None:
    """The note after a match with these terms began; None for an empty one."""
    name = terms.options.get("name")
    before = names_in(note)
    if not isinstance(name, str) or not name:
        return list(before) or None
    others = [other for other in before if other.casefold() != name.casefold()]
    return [name, *others][:_MOST]
