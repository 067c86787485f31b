"""The names that people gave to the games whose score they kept, so that they can be chosen again.

They are a note in the journal, the newest first: `["Wizard", "Skat"]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.match.match import Terms

NOTE: Final = "game names"
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
