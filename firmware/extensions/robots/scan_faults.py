"""What was wrong with the cards of robots: noted when it is seen, told by number when the deal is over.

While the deal is played, the number would tell what a robot holds, or does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Final

from companion.core.game import KnowsHands
from companion.values import Value

if TYPE_CHECKING:
    from companion.match.match import Match, Step
    from firmware.session.table_notes import TableNotes

_NOTE: Final = "robot_cards"


class ScanFault(Enum):
    """What was wrong with a card; the value is the word of the note."""

    AGAIN = "again"
    """It was scanned for a robot although it had been scanned already."""
    MISSING = "missing"
    """A robot has played it, and it was not in its pile."""
    OF_SOMEBODY = "of somebody"
    """It was scanned for a robot, and somebody else has played it."""


class FaultyCard(Value):
    """A card and what was wrong with it."""

    card: str
    fault: ScanFault


class RobotFaults:
    """The notes of one table; `here` tells the number of the match in play and the match."""

    def __init__(self, notes: TableNotes, here: Callable[[], tuple[int | None, Match | None]]) -> None:
        self._notes, self._here = notes, here

    def note(self, fault: ScanFault, card: str) -> None:
        """Note what is wrong with a card in the deal in progress. Raises `JournalError`."""
        match_id, match = self._here()
        if match is None:
            return
        entry = [match.position.deal, fault.value, card]
        before = self._noted()
        if entry not in before:
            self._notes.remember(_NOTE, {"match": match_id, "cards": [*before, entry]})

    @property
    def of_newest_deal(self) -> tuple[FaultyCard, ...]:
        """What is to be told of the deal that has ended last. What was undone meanwhile is not."""
        match = self._here()[1]
        if match is None or not isinstance(match.game, KnowsHands):
            return ()
        deal, game = len(match.position.score_sheet.deals), match.game
        steps = list(_steps_of(match, deal))
        held = {
            str(event.held) for step in steps for event in step.events if isinstance(event, game.tells_hands)
        }
        # The journal is read last: without hands, as at most tables, a page needs nothing of it.
        if not held or not (noted := self._noted()):
            return ()
        forgotten = any(step.command == game.without_hands() for step in steps)
        found = []
        for of_deal, word, card in noted:
            if of_deal == deal and card in held and (forgotten or ScanFault(word) is ScanFault.AGAIN):
                found.append(FaultyCard(card, ScanFault(word)))
        return tuple(found)

    def _noted(self) -> list[list[object]]:
        kept = self._notes.recall(_NOTE)
        if not isinstance(kept, dict) or kept.get("match") != self._here()[0]:
            return []
        return list(kept["cards"])


def _steps_of(match: Match, deal: int) -> Iterator[Step]:
    """The live steps of a deal, the newest first."""
    at: Match | None = match
    while at is not None and at.before is not None and at.before.position.deal >= deal:
        if at.before.position.deal == deal and at.newest is not None:
            yield at.newest
        at = at.before
