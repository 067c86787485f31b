"""The robots that sit at this table: who they are, and what they hold.

Their level stands in the header of the match, their cards in its steps, and their chance follows from the
number that every match in a journal has: so after a power cut they play the same.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from companion.core.cards import Seat
from firmware.extensions.robots.thinking import RobotPlayer

if TYPE_CHECKING:
    from companion.core.ask import Answer
    from firmware.extensions.robots.thinking import Robots
    from firmware.session.session import Session


def seated(session: Session) -> tuple[RobotPlayer, ...]:
    """The robots of the match in play, by seat; none without a match."""
    match = session.match
    if match is None or not any(match.terms.robots):
        return ()
    return tuple(
        RobotPlayer(Seat(seat), level, zlib.crc32(f"{session.about.uid}/{seat}".encode()))
        for seat, level in enumerate(match.terms.robots)
        if level
    )


def asked(session: Session) -> tuple[RobotPlayer, ...]:
    """The robots that may answer the open question."""
    match = session.match
    ask = match.asks[0] if match is not None and match.asks else None
    return tuple(robot for robot in seated(session) if ask is not None and robot.seat in ask.seats)


def answers(session: Session, robots: Robots) -> tuple[list[Answer], bool]:
    """What the robots that are asked have answered so far, and whether one of them still thinks."""
    match, found, thinks = session.playing, [], False
    for robot in asked(session):
        hand = session.robot_hand(robot.seat)
        answer = robots.answer(match, robot, hand)
        thinks = thinks or robots.thinks(match, robot, hand)
        if answer is not None:
            found.append(answer)
    return found, thinks
