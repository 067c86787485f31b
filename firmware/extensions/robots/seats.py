"""The robots that sit at this table: who they are, what they hold, and what they have thought.

Their level stands in the header of the match, their cards in its steps, and their chance follows from the
number that every match in a journal has: so after a power cut they play the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

from companion.core.ask import Answer, AskKind, Wait
from companion.core.cards import Seat
from companion.core.game import KnowsHands
from firmware.extensions.robots.moves import in_race, on_turn
from firmware.extensions.robots.scan_faults import RobotFaults
from firmware.extensions.robots.thinking import RobotPlayer, Robots
from firmware.play.extension import ExtendedTable, Extension
from hardware.ports import ExtensionMessage


class RobotSeats(Extension):
    """The robots of a table. Until `start` they think in the thread that asks."""

    def __init__(self, table: ExtendedTable) -> None:
        super().__init__(table)
        session = table.session
        session.can_deal = True
        session.shown_by_box = lambda: len(self.to_play)
        self.thinkers = Robots(waits=True)
        """Who thinks for them."""
        self.faults = RobotFaults(session.notes, lambda: (session.match_id, session.match))
        self.may_answer = False
        """Whether people have told the robots to answer, that may still think."""

    def start(self, post: Callable[[ExtensionMessage], None]) -> None:
        """Let them think in a thread of their own from now on."""
        self.thinkers = Robots()
        self.thinkers.start(post)

    def close(self) -> None:
        """End that thread."""
        self.thinkers.close()

    def play(self) -> None:
        """Let the robots that are asked answer, as soon as they have thought."""
        self.may_answer = True
        self.tick()
        if self.may_answer:
            self.table.say(self.table.session.translate("ROBOT THINKS ..."))

    @property
    def seated(self) -> tuple[RobotPlayer, ...]:
        """The robots of the match in play, by seat; none without a match."""
        session, match = self.table.session, self.table.session.match
        if match is None:
            return ()
        return tuple(
            RobotPlayer(Seat(seat), level, zlib.crc32(f"{session.about.uid}/{seat}".encode()))
            for seat, level in enumerate(match.terms.robots)
            if level
        )

    @property
    def asked(self) -> tuple[RobotPlayer, ...]:
        """The robots that may answer the open question."""
        match = self.table.session.match
        ask = match.asks[0] if match is not None and match.asks else None
        return () if ask is None else tuple(robot for robot in self.seated if robot.seat in ask.seats)

    def answers(self) -> tuple[list[Answer], bool]:
        """What the robots that are asked have answered so far, and whether one of them still thinks."""
        match, found, thinks = self.table.session.playing, [], False
        for robot in self.asked:
            hand = self.hand(robot.seat)
            answer = self.thinkers.answer(match, robot, hand)
            thinks = thinks or self.thinkers.thinks(match, robot, hand)
            if answer is not None:
                found.append(answer)
        return found, thinks

    @property
    def on_turn(self) -> Seat | None:
        """The robot whose turn it is, where players move one after the other and its hand is known."""
        match = self.table.session.match
        return on_turn(match) if match is not None and any(match.terms.robots) else None

    @property
    def in_race(self) -> tuple[Seat, ...]:
        """The robots that may answer first, where everybody may."""
        match = self.table.session.match
        return in_race(match) if match is not None and any(match.terms.robots) else ()

    @property
    def to_play(self) -> tuple[Seat, ...]:
        """The robots whose cards of this turn are still to be shown, where all play together."""
        match = self.table.session.match
        ask = match.asks[0] if match is not None and match.asks else None
        if ask is None or ask.kind is not AskKind.PLAY or ask.wait is not Wait.ALL:
            return ()
        return tuple(seat for seat in ask.seats if self.table.session.is_robot(seat) and self.hand(seat))

    def hand(self, seat: Seat) -> tuple[str, ...]:
        """The cards that a robot can still play; nobody may see them."""
        match = self.table.session.playing
        return match.game.hand(match.position.table, seat) if isinstance(match.game, KnowsHands) else ()

    def holds(self, card: str) -> bool:
        """Whether a card that somebody plays now is one of a robot that does not play it."""
        match = self.table.session.match
        if match is None or not match.asks or not any(match.terms.robots):
            return False
        ask, own = match.asks[0], self.on_turn
        if ask.kind not in (AskKind.PLAY, AskKind.RACE, AskKind.TURN_UP):
            return False
        seats = self.to_play if ask.wait is Wait.ALL else match.players
        is_robot = self.table.session.is_robot
        return any(card in self.hand(seat) for seat in seats if seat != own and is_robot(seat))
