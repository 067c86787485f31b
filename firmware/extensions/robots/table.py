"""When the robots at a table answer.

Where all play together: on OK, or once all others have their cards on the table. Where players move one after
the other: by themselves, once people have seen what was before. In a race, once nobody else can answer: a
robot is never faster than a person.
"""

from typing import TYPE_CHECKING, Final

from companion.core.ask import Answer, Ask, AskKind
from companion.match.match import Match
from companion.text.sentence import say
from firmware.extensions.robots import pages, seats
from firmware.extensions.robots.thinking import Thought
from firmware.play.effects import VisitorAction
from firmware.play.page import AnyPage
from firmware.play.table import Table
from firmware.screens.before.start import PlayersPage
from firmware.screens.result.ending import DealEnd
from firmware.screens.turn.refusal import RefusalPage
from firmware.session.session import Session
from hardware.ports import ExtensionMessage, Signal

if TYPE_CHECKING:
    from firmware.extensions.robots.deal import VisitorDeal

SHOWN_S: Final = 2.5
"""For how long a row that a robot takes is shown at least."""


class RobotsTable(seats.RobotSeats):
    """What robots do at a table, and the pages that show it."""

    def __init__(self) -> None:
        super().__init__()
        self._deal: VisitorDeal | None = None
        """The deal of visitors, until it is over."""

    def handle_message(self, message: ExtensionMessage, table: Table) -> bool:
        if not isinstance(message, Thought):
            return False
        self.thinkers.receive(message)
        if (bad := self.thinkers.fault) is not None:
            self.thinkers.fault = None
            table.interrupt(RefusalPage(bad.fault_text, bad.fix_text, say("NO BETTER ROBOT")))
        self.tick(table)
        return True

    def undoes(self, match: Match, table: Table) -> None:
        """Let the robots wait until people tell them to answer: else nobody could undo what was before."""
        self.may_answer = False

    def deal(self, game: str, visitors: int, table: Table) -> bool:
        from firmware.extensions.robots.deal_pages import open_deal  # a start does not wait for it

        self._count_finished(table)
        self._deal = open_deal(self.thinkers, game, visitors, table)
        return True

    def _count_finished(self, table: Table) -> None:
        if self._deal is not None and self._deal.told_result:
            if self._deal.visitors:
                table.count(VisitorAction.DEAL_FINISHED)
            self._deal = None

    def take_card(self, card: str, ask: Ask | None, table: Table) -> bool:
        """A card that a robot has shown is laid for it; one that it holds is not played by others."""
        session = table.session
        if ask is not None and card in ask.have:
            if not _is_of_robot(card, session):
                return False
            table.signal(Signal.ACCEPTED)
            table.say(say("{card}: ROBOT'S CARD", card=session.label(card)))
            return True
        if not seats.holds(session, card):
            return False
        table.signal(Signal.REFUSED)
        table.open(pages.CardOfRobot(card))
        return True

    def set_up(self, page: AnyPage, table: Table) -> AnyPage:
        return pages.with_robots(page, table.session) if type(page) is PlayersPage else page

    def page(self, page: AnyPage, table: Table) -> AnyPage:
        session, match = table.session, table.session.match
        if match is None or not any(match.terms.robots):
            return page
        move = None if match.lines or table.has_seen(pages.MOVE) else seats.newest_move(match)
        if move is not None:
            return pages.RobotMoved(move)
        if not match.asks or isinstance(page, DealEnd):
            return page
        ask = match.asks[0]
        if (robot := seats.on_turn(match)) is not None:
            return pages.RobotGives(ask) if ask.kind is AskKind.GIVE else pages.RobotThinks(robot)
        return pages.of_question(page, session)

    def tick(self, table: Table) -> None:
        """Let robots think about the open question, and answer it where it is time for that.

        A row they choose at once. After an UNDO they wait for OK, else nobody could undo what was before.
        """
        self._count_finished(table)
        session, match = table.session, table.session.match
        if not seats.robots_asked(match) or not any(map(session.is_robot, match.asks[0].seats)):
            self.may_answer = False
            return
        ask, robot, turn = match.asks[0], seats.on_turn(match), seats.to_play(session)
        racing, chooses = bool(seats.in_race(match)), ask.kind is AskKind.CHOOSE and len(ask.seats) == 1
        if robot is None and not (racing or turn or chooses):
            self.may_answer = False
            return
        found, thinks = self.answers(session)
        if robot is not None:
            base = table.base  # nothing is open that people have to read first, but what it has begun itself
            seen = not table.pages.opened and (
                not isinstance(base, pages.RobotMoved) or base.move.seat == robot
            )
            in_time = ask.kind is not AskKind.GIVE and seen
        else:
            last = bool(ask.have) and ask.need - len(ask.have) == len(turn)
            in_time = not racing and (last or not turn)
        by_themselves = in_time and not match.lines and match is not table.state.unstored
        if thinks or not (self.may_answer or by_themselves):
            return
        self.may_answer = False
        if turn:
            _show_cards(found, table)
        elif chooses and robot is None:
            _take_row(found, table)
        elif found:
            answer = found[0]
            if table.answer(answer.ask, answer.seat, answer.text) and ask.kind is AskKind.GIVE:
                table.open(pages.GivenCard(answer.text))
        elif racing:  # nobody can
            table.answer(match.asks[-1], None, match.asks[-1].choices[0])


def _show_cards(found: list[Answer], table: Table) -> None:
    named = [(answer.seat, answer.text) for answer in found if answer.seat is not None]
    shown = [card for card in named if table.answer(table.session.playing.asks[0], *card)]
    if shown:
        table.open(pages.RobotCards(tuple(shown)))


def _take_row(found: list[Answer], table: Table) -> None:
    for answer in found[:1]:
        stacks = table.session.playing.board.stacks
        place = next(at for at, stack in enumerate(stacks) if stack.choice == answer.text)
        if answer.seat is not None and table.answer(answer.ask, answer.seat, answer.text):
            lasts_s = max(table.config.table.take_shown_s, SHOWN_S)
            table.update(pages=table.pages.keep_longer(lasts_s))
            row = pages.RobotRow(answer.seat, place + 1, pages.why_row(stacks, place))
            table.open(row, lasts_s=lasts_s)


def _is_of_robot(card: str, session: Session) -> bool:
    """Whether a robot has shown a card in the turn that is played."""
    at: Match | None = session.playing
    while at is not None and at.newest is not None and at.asks and card in at.asks[0].have:
        command = at.newest.command
        if str(getattr(command, "card", "")) == card:
            seat = getattr(command, "seat", None)
            return seat is not None and session.is_robot(seat)
        at = at.before
    return False
