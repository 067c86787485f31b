"""The robots that sit at this table: who they are, what they hold, and what they have thought.

Their level stands in the header of the match, their cards in its steps, and their chance follows from the
number that every match in a journal has: so after a power cut they play the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar, TypeGuard

from companion.core.ask import Answer, AskKind, Wait
from companion.core.board import PlacedCard
from companion.core.cards import Seat
from companion.core.score_sheet import DealScored
from companion.match.match import Match
from companion.robots.levels import Decision, Level
from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value
from firmware.extensions.robots.thinking import Robots
from firmware.play.table import Extension, Table
from firmware.session.session import Session
from hardware.ports import ExtensionMessage


class RobotSeats(Extension):
    """Who thinks for the robots of a table. Until `start` they think in the thread that asks."""

    DEALS: ClassVar[bool] = True

    def __init__(self) -> None:
        self.thinkers = Robots()
        """Who thinks for them."""
        self.may_answer = False
        """Whether people have told the robots to answer, that may still think."""

    def start(self, post: Callable[[ExtensionMessage], None]) -> None:
        self.thinkers.start(post)

    def close(self) -> None:
        self.thinkers.close()

    def play(self, table: Table) -> None:
        """Let the robots that are asked answer, as soon as they have thought."""
        self.may_answer = True
        table.update(unstored=None)  # people want it to be tried once more
        self.tick(table)
        if self.may_answer:
            table.say(say("ROBOT THINKING"))

    def answers(self, session: Session) -> tuple[list[Answer], bool]:
        """What the robots that are asked have answered so far, and whether one of them still thinks."""
        match, found, thinks = session.playing, list[Answer](), False
        for seat, level in enumerate(match.terms.robots):
            if not level or seat not in match.asks[0].seats:
                continue
            seed = zlib.crc32(f"{session.about.uid}/{seat}".encode())
            held = hand(match, Seat(seat))
            busy, answer = self.thinkers.answer(Decision(match, Seat(seat), held, Level(level), seed))
            thinks = thinks or busy
            found += [] if answer is None else [answer]
        return found, thinks


def robots_asked(match: Match | None) -> TypeGuard[Match]:
    """Whether this is a match with an open question in which robots play."""
    return match is not None and bool(match.asks) and any(match.terms.robots)


def to_play(session: Session) -> tuple[Seat, ...]:
    """The robots whose cards of this turn are still to be shown, where all play together."""
    match = session.match
    if not robots_asked(match):
        return ()
    ask = match.asks[0]
    if ask.kind is not AskKind.PLAY or ask.wait is not Wait.ALL:
        return ()
    return tuple(seat for seat in ask.seats if session.is_robot(seat) and hand(match, seat))


def hand(match: Match, seat: Seat) -> tuple[str, ...]:
    """The cards that a robot can still play; nobody may see them."""
    return match.game.hand(match.position.table, seat)


def holds(session: Session, card: str) -> bool:
    """Whether a card that somebody plays now is one of a robot that does not play it."""
    match = session.match
    if not robots_asked(match) or match.asks[0].kind not in (AskKind.PLAY, AskKind.RACE, AskKind.TURN_UP):
        return False
    own = on_turn(match)
    seats = to_play(session) if match.asks[0].wait is Wait.ALL else match.players
    return any(card in hand(match, seat) for seat in seats if seat != own and session.is_robot(seat))


class RobotMove(Value):
    """What a robot has just done: its seat, and what happened, in order."""

    seat: Seat
    lines: tuple[PlacedCard, ...]


def on_turn(match: Match | None) -> Seat | None:
    """The robot that alone decides the open question, where players move one after the other."""
    if not robots_asked(match):
        return None
    ask = match.asks[0]
    alone = ask.wait is Wait.ONE and len(ask.seats) == 1 and not match.board.revealed
    return ask.seats[0] if alone and ask.seats[0] in _deciding(match) else None


def in_race(match: Match | None) -> tuple[Seat, ...]:
    """The robots that may answer first now, in the order in which they are asked."""
    if not robots_asked(match) or match.asks[0].kind is not AskKind.RACE:
        return ()
    deciding = _deciding(match)
    return tuple(seat for seat in match.asks[0].seats if seat in deciding)


def newest_move(match: Match) -> RobotMove | None:
    """What a robot has done since somebody else has; None where the newest step is no robot's."""
    seat: Seat | None = None
    lines: tuple[PlacedCard, ...] = ()
    at: Match | None = match
    while at is not None and (mover := _last_to_move(at)) is not None and seat in (None, mover):
        seat = mover
        ended = at.newest is not None and isinstance(at.newest.events[-1], DealScored)
        newest = at.game.board(at.position.finished if ended else at.position.table).newest
        if newest != lines[: len(newest)]:  # a move in several steps is told as a whole
            lines = (*newest, *lines)
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
    if not game.decides(table):
        return ()
    robots = {Seat(seat) for seat, level in enumerate(match.terms.robots) if level}
    return tuple(seat for seat in match.players if seat in robots and game.hand(table, seat))


def _last_to_move(at: Match) -> Seat | None:
    """The robot that made the newest step; None where it was somebody else, or a correction."""
    before, step = at.before, at.newest
    if before is None or step is None or step.command is None:
        return None
    alone = on_turn(before)
    seats = in_race(before) if alone is None else (alone,)
    return next((seat for seat in seats if _is_answer(before, seat, step.command)), None)


def _is_answer(before: Match, seat: Seat, command: object) -> bool:
    for ask in before.asks:
        for text in ask.choices or hand(before, seat):
            with suppress(CompanionError):  # no answer to this question
                if before.game.read(ask, seat, text) == command:
                    return True
    return False
