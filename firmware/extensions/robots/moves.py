"""What robots do in games in which one player moves after the other: read from the match, kept nowhere.

So the display can show a move of a robot until people have made it for the robot, also after a power cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ask import AskKind, Wait
from companion.core.cards import Seat
from companion.core.game import KnowsHands
from companion.core.score_sheet import DealScored
from companion.text.errors import CompanionError
from companion.values import Value

if TYPE_CHECKING:
    from companion.core.board import PlacedCard
    from companion.match.match import Match


class RobotMove(Value):
    """What a robot has just done: its seat, and what happened, in order."""

    seat: Seat
    lines: tuple[PlacedCard, ...]


def on_turn(match: Match | None) -> Seat | None:
    """The robot that alone decides the open question, where players move one after the other."""
    asks = match.asks if match is not None and any(match.terms.robots) else ()
    if (
        match is None
        or not asks
        or asks[0].wait is not Wait.ONE
        or len(asks[0].seats) != 1
        or match.board.revealed
    ):
        return None
    seat = asks[0].seats[0]
    return seat if seat in _deciding(match) else None


def in_race(match: Match | None) -> tuple[Seat, ...]:
    """The robots that may answer first now, in the order in which they are asked."""
    if (
        match is None
        or not any(match.terms.robots)
        or not match.asks
        or match.asks[0].kind is not AskKind.RACE
    ):
        return ()
    deciding = _deciding(match)
    return tuple(seat for seat in match.asks[0].seats if seat in deciding)


def newest_move(match: Match) -> RobotMove | None:
    """What a robot has done since somebody else has; None where the newest step is no robot's."""
    if not any(match.terms.robots):
        return None
    seat: Seat | None = None
    lines: tuple[PlacedCard, ...] = ()
    at = match
    while (mover := _mover(at)) is not None and seat in (None, mover):
        seat = mover
        board = at.game.board(at.position.finished) if _ends_deal(at) else at.board
        if board.newest != lines[: len(board.newest)]:  # a move in several steps is told as a whole
            lines = (*board.newest, *lines)
        if at.before is None:
            break
        at = at.before
    return RobotMove(seat, lines) if seat is not None and lines else None


def chosen_player(match: Match) -> Seat | None:
    """Whom the newest step has named, where it answered the question for a player."""
    before, step = match.before, match.newest
    if before is None or step is None or not before.asks or before.asks[0].kind is not AskKind.WHOM:
        return None
    ask = before.asks[0]
    for text in ask.choices:
        if before.game.read(ask, ask.seats[0], text) == step.command:
            return Seat(int(text))
    return None


def _deciding(match: Match) -> tuple[Seat, ...]:
    """The robots whose hands are known, where the open question is a decision."""
    game, table = match.game, match.position.table
    if not isinstance(game, KnowsHands) or not game.decides(table):
        return ()
    robots = (seat for seat in match.players if match.terms.robots[seat : seat + 1] not in ((), ("",)))
    return tuple(seat for seat in robots if game.hand(table, seat))


def _mover(at: Match) -> Seat | None:
    """The robot that made the newest step; None where it was somebody else, or a correction."""
    before, step = at.before, at.newest
    if before is None or step is None or step.command is None:
        return None
    alone = on_turn(before)
    seats = in_race(before) if alone is None else (alone,)
    return next((seat for seat in seats if _is_answer(before, seat, step.command)), None)


def _is_answer(before: Match, seat: Seat, command: object) -> bool:
    game, table = before.game, before.position.table
    cards = game.hand(table, seat) if isinstance(game, KnowsHands) else ()
    for ask in before.asks:
        for text in ask.choices or cards:
            try:
                if game.read(ask, seat, text) == command:
                    return True
            except CompanionError:  # no answer to this question
                continue
    return False


def _ends_deal(at: Match) -> bool:
    step = at.newest
    return step is not None and bool(step.events) and isinstance(step.events[-1], DealScored)
