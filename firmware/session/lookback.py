"""Looking back in a match: how many steps ago the table looked so, or a card was played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.game import KnowsHands

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from companion.match.match import Match


def ends_of(match: Match) -> tuple[str, ...]:
    """The last card of every stack on the table."""
    return tuple(stack.cards[-1] for stack in match.board.stacks if stack.cards)


def steps_to_ends(match: Match, ends: tuple[str, ...]) -> int | None:
    """How many steps ago the stacks ended with these cards; None if they never did."""
    steps, earlier = 0, match
    while earlier.before is not None:
        if ends_of(earlier) == ends:
            return steps
        steps, earlier = steps + 1, earlier.before
    return None


def steps_to_card(match: Match, card: str) -> int | None:
    """How many steps to undo until a card of this deal was not played yet; None if it never was."""
    steps, earlier = 1, match
    while earlier.newest is not None and earlier.before is not None:
        if earlier.position.deal != match.position.deal:
            return None
        if str(getattr(earlier.newest.command, "card", "")) == card:
            return steps
        steps, earlier = steps + 1, earlier.before
    return None


def steps_to_no_hand(match: Match, seat: Seat) -> int:
    """How many steps to undo until no card of the hand of a seat is known in this deal; 0 if none is."""
    steps, earlier = 0, match
    while (
        earlier.before is not None and _hand(earlier, seat) and earlier.position.deal == match.position.deal
    ):
        steps, earlier = steps + 1, earlier.before
    return steps


def _hand(match: Match, seat: Seat) -> tuple[str, ...]:
    return match.game.hand(match.position.table, seat) if isinstance(match.game, KnowsHands) else ()
