"""What players are called at this table: in the configuration, by themselves, as parts say, as robots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.codes import BADGES
from firmware.history import given_names
from firmware.journal.errors import JournalError
from firmware.session.names import fitting_name, short_name, shown_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from firmware.display.glyphs import Font
    from firmware.journal.store import Journal


class PlayerNames:
    """The names by badge. `configured` are those of the configuration, from badge 1.

    `robots` gives the names of the robots that have the place of a badge at this table, by badge.
    """

    def __init__(
        self,
        configured: tuple[str, ...],
        journal: Journal,
        robots: Callable[[], Mapping[int, str]],
    ) -> None:
        self._configured, self._journal, self._robots = configured, journal, robots
        self._changes: list[Callable[[tuple[str, ...]], tuple[str, ...]]] = []
        self._names: tuple[str, ...] | None = None
        _ = self.all  # read while the journal is open: they are used as long as there is a session

    @property
    def all(self) -> tuple[str, ...]:
        """The names by badge, from badge 1: those given at the table, else those of the configuration."""
        if self._names is None:
            try:
                self._names = given_names.named(self._configured, self._journal.recall(given_names.NOTE))
            except JournalError:
                return self._configured  # asked again the next time
            for change in self._changes:
                self._names = change(self._names)
        return self._names

    def change(self, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
        """From now on use what `change` makes of the names by badge, from badge 1.

        It is asked again after each `read_again`.
        """
        self._changes.append(change)
        self.read_again()
        _ = self.all

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
        given = given_names.given_names(self._journal.recall(given_names.NOTE))
        given.pop(badge, None)
        if name:
            given[badge] = name
        self._journal.remember(given_names.NOTE, given_names.note_of(given))
        self.read_again()

    def read_again(self) -> None:
        """Read the names again before they are used: what they come from has changed."""
        self._names = None

    @property
    def _here(self) -> tuple[str, ...]:
        """The names by badge at this table, where a robot may have the place of a badge."""
        robots = self._robots()
        if not robots:
            return self.all
        names = [*self.all, *[""] * (len(BADGES) - len(self.all))]
        for badge, name in robots.items():
            names[badge - 1] = name
        return tuple(names)
