"""What was wrong with the cards of robots: noted when it is seen, told by number when the deal is over.

While the deal is played, the number would tell what a robot holds, or does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from companion.core.game import KnowsHands
from companion.values import Value

if TYPE_CHECKING:
    from companion.match.match import Match, Step
    from firmware.session.session import Session

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


def note(fault: ScanFault, card: str, session: Session) -> None:
    """Note what is wrong with a card in the deal in progress. Raises `JournalError`."""
    if session.match is None:
        return
    entry = [session.match.position.deal, fault.value, card]
    before = _noted(session)
    if entry not in before:
        session.notes.remember(_NOTE, {"match": session.match_id, "cards": [*before, entry]})


def of_newest_deal(session: Session) -> tuple[FaultyCard, ...]:
    """What is to be told of the deal that has ended last. What was undone meanwhile is not."""
    match = session.match
    if match is None or not isinstance(match.game, KnowsHands) or not (noted := _noted(session)):
        return ()
    deal, game = len(match.position.score_sheet.deals), match.game
    steps = list(_steps_of(match, deal))
    held = {str(event.held) for step in steps for event in step.events if isinstance(event, game.tells_hands)}
    forgotten = any(step.command == game.without_hands() for step in steps)
    return tuple(
        FaultyCard(card, ScanFault(word))
        for of_deal, word, card in noted
        if of_deal == deal and card in held and (forgotten or ScanFault(word) is ScanFault.AGAIN)
    )


def _noted(session: Session) -> list[Any]:
    kept = session.notes.recall(_NOTE)
    if not isinstance(kept, dict) or kept.get("match") != session.match_id:
        return []
    return list(kept["cards"])


def _steps_of(match: Match, deal: int) -> Iterator[Step]:
    """The live steps of a deal, the newest first."""
    at: Match | None = match
    while at is not None and at.before is not None and at.before.position.deal >= deal:
        if at.before.position.deal == deal and at.newest is not None:
            yield at.newest
        at = at.before
