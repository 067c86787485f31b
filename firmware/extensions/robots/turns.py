"""When the robots at a table answer.

Where all play together: on OK, or once all others have their cards on the table. Where players move one after
the other: by themselves, once people have seen what was before. In a race, once nobody else can answer: a
robot is never faster than a person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from companion.core.ask import AskKind
from companion.text.errors import CompanionError
from firmware.extensions.robots import seats as robot_seats
from firmware.extensions.robots.move_pages import GivenCard, RobotMoved
from firmware.extensions.robots.pages import RobotCards, RobotRow, why_row
from firmware.screens.parts.base import Controller

if TYPE_CHECKING:
    from companion.core.ask import Answer
    from companion.core.cards import Seat
    from companion.match.match import Match
    from firmware.extensions.robots.thinking import Robots
    from firmware.play.page_stack import PageStack
    from firmware.screens.parts.base import Page

SHOWN_S: Final = 2.5
"""For how long a row that a robot takes is shown at least."""


class RobotTable(Controller, Protocol):
    """What the robots need of the controller beside what pages need."""

    @property
    def robots(self) -> Robots:
        """Who thinks for them."""

    @property
    def base(self) -> Page:
        """The page of the open question, beneath all others."""

    @property
    def stack(self) -> PageStack:
        """The open pages."""

    def refuse_error(self, bad: CompanionError) -> None:
        """Show that something could not be done."""


class RobotTurns:
    """The answers of the robots to the open question. `take_shown_s` is for how long a taking is shown."""

    def __init__(self, table: RobotTable, take_shown_s: float) -> None:
        self._table, self._take_shown_s = table, take_shown_s
        self._may = False
        """Whether people have told the robots to answer, that may still think."""
        self._failed: Match | None = None
        """The match in which the answer of a robot could not be stored."""

    def stop(self) -> None:
        """Let the robots wait until people tell them to answer."""
        self._may = False

    def play(self) -> None:
        """Let the robots that are asked answer, as soon as they have thought."""
        self._may = True
        self.go_on()
        if self._may:
            self._table.say(self._table.session.translate("ROBOT THINKS ..."))

    def go_on(self) -> None:
        """Let robots think about the open question, and answer it where it is time for that.

        Their cards are shown on OK, or once all others have theirs on the table; a row they choose at once.
        After an UNDO they wait for OK, else nobody could undo what was before their answer.
        """
        session = self._table.session
        match = session.match
        if match is None or not match.asks or not robot_seats.asked(session):
            self._may = False
            return
        if session.robot_on_turn is not None or session.robots_in_race:
            self._move(match)
            return
        ask = match.asks[0]
        turn = bool(session.robots_to_play)
        if not turn and not (ask.kind is AskKind.CHOOSE and len(ask.seats) == 1):
            self._may = False
            return
        found, thinks = robot_seats.answers(session, self._table.robots)
        last = bool(ask.have) and ask.need - len(ask.have) == len(session.robots_to_play)
        by_themselves = not match.undone and match is not self._failed and (last or not turn)
        if thinks or not (self._may or by_themselves):
            return
        self._may = False
        try:
            if turn:
                self._show_cards(found)
            else:
                self._take_row(found)
        except CompanionError as bad:  # it cannot be stored; people try again with OK
            self._failed = session.match
            self._table.refuse_error(bad)

    def _move(self, match: Match) -> None:
        """Let the robot whose turn it is do the next thing, or the robots in a race what they can."""
        session = self._table.session
        ask, seat = match.asks[0], session.robot_on_turn
        found, thinks = robot_seats.answers(session, self._table.robots)
        secret = ask.kind is AskKind.GIVE
        by_itself = not (match.undone or match is self._failed or secret or seat is None)
        if thinks or not (self._may or (by_itself and self._is_seen(seat))):
            return
        self._may = False
        game = match.game
        try:
            for answer in found[:1]:
                if self._table.propose(game.read(answer.ask, answer.seat, answer.text)) and secret:
                    self._table.open(GivenCard(answer.text))
            if not found and seat is None:
                other = match.asks[-1]
                self._table.propose(game.read(other, None, other.choices[0]))
        except CompanionError as bad:  # it cannot be stored; people try again with OK
            self._failed = session.match
            self._table.refuse_error(bad)

    def _is_seen(self, seat: Seat | None) -> bool:
        """Whether nothing is open that people have to read first, but what the same robot has begun."""
        base = self._table.base
        if self._table.stack.pages:
            return False
        return not isinstance(base, RobotMoved) or base.move.seat == seat

    def _show_cards(self, found: list[Answer]) -> None:
        shown = []
        for answer in found:
            match = self._table.session.playing
            seat, card = answer.seat, answer.text
            if seat is not None and self._table.propose(match.game.read(match.asks[0], seat, card)):
                shown.append((seat, card))
        if shown:
            self._table.open(RobotCards(tuple(shown)))

    def _take_row(self, found: list[Answer]) -> None:
        for answer in found[:1]:
            match, stacks = self._table.session.playing, self._table.session.playing.board.stacks
            place = next(at for at, stack in enumerate(stacks) if stack.choice == answer.text)
            why = why_row(stacks, place, self._table.session)
            if answer.seat is not None and self._table.propose(
                match.game.read(answer.ask, answer.seat, answer.text)
            ):
                lasts_s = max(self._take_shown_s, SHOWN_S)
                self._table.stack.keep_longer(lasts_s)
                self._table.open(RobotRow(answer.seat, stacks[place].name, why), lasts_s=lasts_s)

    def is_of_robot(self, card: str) -> bool:
        """Whether a robot has shown a card in the turn that is played."""
        at: Match | None = self._table.session.playing
        while at is not None and at.newest is not None and at.asks and card in at.asks[0].have:
            command = at.newest.command
            if str(getattr(command, "card", "")) == card:
                seat = getattr(command, "seat", None)
                return seat is not None and self._table.session.is_robot(seat)
            at = at.before
        return False
