"""When the robots at a table answer.

Where all play together: on OK, or once all others have their cards on the table. Where players move one after
the other: by themselves, once people have seen what was before. In a race, once nobody else can answer: a
robot is never faster than a person.
"""

from __future__ import annotations

from typing import Final

from companion.core.ask import Answer, Ask, AskKind
from companion.core.cards import Seat
from companion.match.match import Match
from companion.text.errors import CompanionError
from firmware.extensions.robots.move_pages import (
    CARDS,
    MOVE,
    FaultyCards,
    GivenCard,
    RobotGives,
    RobotMoved,
    RobotOnTurn,
)
from firmware.extensions.robots.moves import newest_move
from firmware.extensions.robots.pages import CardOfRobot, RobotCards, RobotRow, of_question, why_row
from firmware.extensions.robots.players import with_robots
from firmware.extensions.robots.scan_faults import ScanFault
from firmware.extensions.robots.seats import RobotSeats
from firmware.extensions.robots.thinking import Thought
from firmware.play.extension import ExtendedTable
from firmware.screens.before.start import Players
from firmware.screens.parts.base import Page
from firmware.screens.result.ending import DealEnd
from firmware.screens.turn.refusal import Refusal
from hardware.ports import ExtensionMessage, Signal

SHOWN_S: Final = 2.5
"""For how long a row that a robot takes is shown at least."""


class RobotsTable(RobotSeats):
    """What robots do at a table, and the pages that show it."""

    def __init__(self, table: ExtendedTable) -> None:
        super().__init__(table)
        self._failed: Match | None = None
        """The match in which the answer of a robot could not be stored."""

    def hear(self, message: ExtensionMessage) -> bool:
        """A thought has come."""
        if not isinstance(message, Thought):
            return False
        self.thinkers.hear(message)
        if (bad := self.thinkers.fault) is not None:
            self.thinkers.fault = None
            t = self.table.session.translate
            self.table.interrupt(Refusal(t.say(bad.fault_text), t.say(bad.fix_text), t("NO HARD ROBOT")))
        self.tick()
        return True

    def undoes(self, match: Match) -> None:
        """Let the robots wait until people tell them to answer: else nobody could undo what was before."""
        self.may_answer = False

    def deal(self, game: str, visitors: int) -> bool:
        """Deal a game to visitors and robots."""
        from firmware.extensions.robots.visitors.deal_flow import open_deal  # a start does not wait for it

        open_deal(self, game, visitors)
        return True

    def take_card(self, card: str, ask: Ask | None) -> bool:
        """A card that a robot has shown is laid for it; one that it holds is not played by others."""
        table, session = self.table, self.table.session
        if ask is not None and card in ask.have:
            if not self._is_of_robot(card):
                return False
            table.signal(Signal.ACCEPTED)
            table.say(session.translate("{card}: ROBOT'S CARD", card=session.label(card)))
            return True
        if not self.holds(card):
            return False
        table.signal(Signal.REFUSED)
        table.open(CardOfRobot(card))
        return True

    def card_refused(self, card: str, ask: Ask) -> None:
        """Note a card that was scanned twice for the hand of a robot."""
        if ask.kind is AskKind.HOLD and any(map(self.table.session.is_robot, ask.seats)):
            self.faults.note(ScanFault.AGAIN, card)

    def set_up(self, page: Page) -> Page:
        """Robots can join."""
        return with_robots(page, self.table.session) if type(page) is Players else page

    def page(self, page: Page) -> Page:
        """The pages of robots, in place of those of people."""
        match = self.table.session.match
        if match is None or not any(match.terms.robots):
            return page
        move = None if match.undone or self.table.has_seen(MOVE) else newest_move(match)
        if move is not None:
            return RobotMoved(move)
        if isinstance(page, DealEnd) and not self.table.has_seen(CARDS) and self.faults.of_newest_deal:
            return FaultyCards(self.faults.of_newest_deal)
        if isinstance(page, DealEnd) or not match.asks:
            return page
        ask = match.asks[0]
        if (robot := self.on_turn) is not None:
            return RobotGives(ask) if ask.kind is AskKind.GIVE else RobotOnTurn(robot)
        return of_question(page, self)

    def tick(self) -> None:
        """Let robots think about the open question, and answer it where it is time for that.

        Their cards are shown on OK, or once all others have theirs on the table; a row they choose at once.
        After an UNDO they wait for OK, else nobody could undo what was before their answer.
        """
        session = self.table.session
        match = session.match
        if match is None or not match.asks or not self.asked:
            self.may_answer = False
            return
        if self.on_turn is not None or self.in_race:
            self._move(match)
            return
        ask = match.asks[0]
        turn = bool(self.to_play)
        if not turn and not (ask.kind is AskKind.CHOOSE and len(ask.seats) == 1):
            self.may_answer = False
            return
        found, thinks = self.answers()
        last = bool(ask.have) and ask.need - len(ask.have) == len(self.to_play)
        by_themselves = not match.undone and match is not self._failed and (last or not turn)
        if thinks or not (self.may_answer or by_themselves):
            return
        self.may_answer = False
        try:
            if turn:
                self._show_cards(found)
            else:
                self._take_row(found)
        except CompanionError as bad:  # it cannot be stored; people try again with OK
            self._failed = session.match
            self.table.refuse_error(bad)

    def _move(self, match: Match) -> None:
        """Let the robot whose turn it is do the next thing, or the robots in a race what they can."""
        session = self.table.session
        ask, seat = match.asks[0], self.on_turn
        found, thinks = self.answers()
        secret = ask.kind is AskKind.GIVE
        by_itself = not (match.undone or match is self._failed or secret or seat is None)
        if thinks or not (self.may_answer or (by_itself and self._is_seen(seat))):
            return
        self.may_answer = False
        game = match.game
        try:
            for answer in found[:1]:
                if self.table.propose(game.read(answer.ask, answer.seat, answer.text)) and secret:
                    self.table.open(GivenCard(answer.text))
            if not found and seat is None:
                other = match.asks[-1]
                self.table.propose(game.read(other, None, other.choices[0]))
        except CompanionError as bad:  # it cannot be stored; people try again with OK
            self._failed = session.match
            self.table.refuse_error(bad)

    def _is_seen(self, seat: Seat | None) -> bool:
        """Whether nothing is open that people have to read first, but what the same robot has begun."""
        base = self.table.base
        if self.table.pages.opened:
            return False
        return not isinstance(base, RobotMoved) or base.move.seat == seat

    def _show_cards(self, found: list[Answer]) -> None:
        shown = []
        for answer in found:
            match = self.table.session.playing
            seat, card = answer.seat, answer.text
            if seat is not None and self.table.propose(match.game.read(match.asks[0], seat, card)):
                shown.append((seat, card))
        if shown:
            self.table.open(RobotCards(tuple(shown)))

    def _take_row(self, found: list[Answer]) -> None:
        for answer in found[:1]:
            match, stacks = self.table.session.playing, self.table.session.playing.board.stacks
            place = next(at for at, stack in enumerate(stacks) if stack.choice == answer.text)
            why = why_row(stacks, place, self.table.session)
            if answer.seat is not None and self.table.propose(
                match.game.read(answer.ask, answer.seat, answer.text)
            ):
                lasts_s = max(self.table.config.table.take_shown_s, SHOWN_S)
                self.table.keep_longer(lasts_s)
                self.table.open(RobotRow(answer.seat, stacks[place].name, why), lasts_s=lasts_s)

    def _is_of_robot(self, card: str) -> bool:
        """Whether a robot has shown a card in the turn that is played."""
        at: Match | None = self.table.session.playing
        while at is not None and at.newest is not None and at.asks and card in at.asks[0].have:
            command = at.newest.command
            if str(getattr(command, "card", "")) == card:
                seat = getattr(command, "seat", None)
                return seat is not None and self.table.session.is_robot(seat)
            at = at.before
        return False
