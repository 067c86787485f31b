"""The robots that sit at this table: who they are, what they hold, and what they have thought.

Their level stands in the header of the match, their cards in its steps, and their chance follows from the
number that every match in a journal has: so after a power cut they play the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import Answer, AskKind, Wait
from companion.core.cards import Seat
from companion.core.game import KnowsHands
from firmware.extensions.robots.moves import on_turn
from firmware.extensions.robots.thinking import RobotPlayer, Robots
from firmware.play.extension import Extension, extended
from firmware.screens.parts.base import Controller
from hardware.ports import ExtensionMessage

if TYPE_CHECKING:
    from companion.match.match import Match
    from firmware.session.session import Session


class RobotSeats(Extension):
    """Who thinks for the robots of a table. Until `start` they think in the thread that asks."""

    DEALS: ClassVar[bool] = True

    def __init__(self) -> None:
        self.thinkers = Robots(waits=True)
        """Who thinks for them."""
        self.may_answer = False
        """Whether people have told the robots to answer, that may still think."""

    def start(self, post: Callable[[ExtensionMessage], None]) -> None:
        """Let them think in a thread of their own from now on."""
        self.thinkers = Robots()
        self.thinkers.start(post)

    def close(self) -> None:
        self.thinkers.close()

    def play(self, controller: Controller) -> None:
        """Let the robots that are asked answer, as soon as they have thought."""
        table = extended(controller)
        self.may_answer = True
        table.try_again()
        self.tick(table)
        if self.may_answer:
            table.say(table.session.translate("ROBOT THINKS ..."))

    def answers(self, session: Session) -> tuple[list[Answer], bool]:
        """What the robots that are asked have answered so far, and whether one of them still thinks."""
        match, found, thinks = session.playing, [], False
        for robot in asked(session):
            held = hand(match, robot.seat)
            answer = self.thinkers.answer(match, robot, held)
            thinks = thinks or self.thinkers.thinks(match, robot, held)
            if answer is not None:
                found.append(answer)
        return found, thinks


def asked(session: Session) -> tuple[RobotPlayer, ...]:
    """The robots of the match in play that may answer the open question."""
    match = session.match
    if match is None or not match.asks or not any(match.terms.robots):
        return ()
    return tuple(
        RobotPlayer(Seat(seat), level, zlib.crc32(f"{session.about.uid}/{seat}".encode()))
        for seat, level in enumerate(match.terms.robots)
        if level and seat in match.asks[0].seats
    )


def to_play(session: Session) -> tuple[Seat, ...]:
    """The robots whose cards of this turn are still to be shown, where all play together."""
    match = session.match
    ask = match.asks[0] if match is not None and match.asks else None
    if match is None or ask is None or ask.kind is not AskKind.PLAY or ask.wait is not Wait.ALL:
        return ()
    return tuple(seat for seat in ask.seats if session.is_robot(seat) and hand(match, seat))


def hand(match: Match, seat: Seat) -> tuple[str, ...]:
    """The cards that a robot can still play; nobody may see them."""
    return match.game.hand(match.position.table, seat) if isinstance(match.game, KnowsHands) else ()


def holds(session: Session, card: str) -> bool:
    """Whether a card that somebody plays now is one of a robot that does not play it."""
    match = session.match
    if match is None or not match.asks or not any(match.terms.robots):
        return False
    ask, own = match.asks[0], on_turn(match)
    if ask.kind not in (AskKind.PLAY, AskKind.RACE, AskKind.TURN_UP):
        return False
    seats = to_play(session) if ask.wait is Wait.ALL else match.players
    return any(card in hand(match, seat) for seat in seats if seat != own and session.is_robot(seat))
