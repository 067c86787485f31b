"""What every robot for 6 nimmt! can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from companion.robots.six.seen import Seen


class SixPlayer(Protocol):
    """A player of 6 nimmt!, which knows only what it is given with each question."""

    def card(self, seen: Seen) -> int:
        """The card to play: one of `seen.hand`."""

    def row(self, seen: Seen) -> int:
        """The row to take, from 0, for the own card, the lowest of `seen.shown`, which fits nowhere."""
