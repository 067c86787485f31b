"""What players are called at this table: in the configuration, by themselves, as parts say, as robots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from companion.core.codes import BADGES
from companion.text.sentence import Text, say
from firmware.display.glyphs import ELLIPSIS, SMALL, Font
from firmware.history import players
from firmware.journal.writes import Note

if TYPE_CHECKING:
    from firmware.session.state import StateStore


_COLUMN_PX = 6


@lru_cache(maxsize=8)
def shown_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names by badge number, from badge 1, in capitals and without characters that have no picture.

    A name of which nothing is left is P1, P2 by its badge, and so is one that would look like an earlier one.
    """
    shown: list[str] = []
    for badge, name in enumerate(names, start=1):
        lacking = SMALL.lacks(name)
        left = " ".join("".join(" " if char in lacking else char for char in name).upper().split())
        drawn = [SMALL.spelled(other) for other in shown]
        empty = not any(map(str.isalnum, left))
        shown.append(f"P{badge}" if empty or SMALL.spelled(left) in drawn else left)
    return tuple(shown)


def short_name(names: tuple[str, ...], badge: int, columns: int) -> str:
    """A name of `shown_names` in so many columns of SMALL; see `fitting_name`."""
    return fitting_name(names, badge, columns * _COLUMN_PX - SMALL.gap_px, SMALL)


@lru_cache(maxsize=512)
def fitting_name(names: tuple[str, ...], badge: int, width_px: int, font: Font) -> str:
    """A name of `shown_names` in so many pixels of a font; P and the number for a badge without a name.

    A longer one ends in …, and then in the badge number where another name becomes the same.
    """
    shown = shown_names(names)
    if badge > len(shown):
        return f"P{badge}"
    name, others = shown[badge - 1], (*shown[: badge - 1], *shown[badge:])
    short = font.fit(name, width_px)
    if short and short not in [font.fit(other, width_px) for other in others]:
        return short
    ends = (f"{name[:end].rstrip()}{ELLIPSIS}{badge}" for end in range(len(name), 0, -1))
    return next((text for text in ends if font.width_px(text) <= width_px), f"P{badge}")


def not_drawn(names: tuple[str, ...]) -> list[Text]:
    """A sentence for each name that the display shows in another way, with the letters that it lacks."""
    said = []
    for badge, (name, shown) in enumerate(zip(names, shown_names(names), strict=True), start=1):
        lacking = SMALL.lacks(name)
        if lacking:
            said.append(
                say(
                    "the display has no picture of {letters} in the name {name}; it shows {shown}",
                    letters=tuple(f"{char} (U+{ord(char):04X})" for char in lacking),
                    name=name,
                    shown=shown,
                )
            )
        elif shown == f"P{badge}" != name.upper():
            said.append(
                say(
                    "on the display the name {name} looks like an earlier one; it shows {shown}",
                    name=name,
                    shown=shown,
                )
            )
    return said


Renaming = Callable[[tuple[str, ...], Mapping[str, object]], tuple[str, ...]]
"""What an optional part makes of the names by badge, from badge 1, given the notes of the journal."""


class HasRobots(Protocol):
    """Where the players sit."""

    @property
    def renaming(self) -> tuple[Renaming, ...]:
        """What optional parts make of the names."""

    def robots_here(self) -> dict[int, str]:
        """The names of the robots that have the place of a badge at this table, by badge."""


class PlayerNames:
    """The names by badge. `configured` are those of the configuration, from badge 1."""

    def __init__(self, kept: StateStore, configured: tuple[str, ...], table: HasRobots) -> None:
        self._kept, self._configured, self._table = kept, configured, table
        self._found: tuple[Mapping[str, object], tuple[str, ...]] | None = None

    @property
    def all(self) -> tuple[str, ...]:
        """The names by badge, from badge 1: those given at the table, else those of the configuration."""
        notes = self._kept.state.notes
        if self._found is None or self._found[0] is not notes:
            names = players.named(self._configured, notes.get(players.NOTE))
            for renamed in self._table.renaming:
                names = renamed(names, notes)
            self._found = (notes, names)
        return self._found[1]

    def of(self, badge: int) -> str:
        """The name that belongs to a badge, in capitals; P1 to P10 where there is none to draw."""
        shown = shown_names(self._here)
        return shown[badge - 1] if badge <= len(shown) else f"P{badge}"

    def short(self, badge: int, columns: int) -> str:
        """The name that belongs to a badge in at most so many columns of SMALL, unlike any other name."""
        return short_name(self._here, badge, columns)

    def fitting(self, badge: int, width_px: int, font: Font) -> str:
        """The name that belongs to a badge in so many pixels of a font, unlike any other name in them."""
        return fitting_name(self._here, badge, width_px, font)

    def is_configured(self, badge: int) -> bool:
        """Whether the configuration has a name for a badge."""
        return badge <= len(self._configured)

    def is_free(self, badge: int, name: str) -> bool:
        """Whether the display can tell this name of a badge from those of all others."""
        others = [self.of(one) for one in BADGES if one != badge]
        return shown_names((*others, name))[-1] != f"P{len(BADGES)}"

    def give(self, badge: int, name: str) -> None:
        """Call a badge by a name from now on; an empty one gives it back to the configuration.

        Raises `JournalError` with nothing changed.
        """
        given = players.given_names(self._kept.state.notes.get(players.NOTE))
        given.pop(badge, None)
        if name:
            given[badge] = name
        self._kept.store(Note(players.NOTE, players.note_of(given)))

    @property
    def _here(self) -> tuple[str, ...]:
        """The names by badge at this table, where a robot may have the place of a badge."""
        robots = self._table.robots_here()
        if not robots:
            return self.all
        names = [*self.all, *[""] * (len(BADGES) - len(self.all))]
        for badge, name in robots.items():
            names[badge - 1] = name
        return tuple(names)
