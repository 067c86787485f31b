"""The table of a tournament: it is told who sits here, and its players confirm the result with badges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from companion.core.codes import BADGES
from companion.text.errors import CompanionError
from firmware.extensions.tournament.hand_checks import HandChecked, HandChecks
from firmware.extensions.tournament.messages import ACTS, STATE, ResultNote, SeatsGiven
from firmware.extensions.tournament.pages import (
    SHOWN_S,
    AnotherTable,
    BadgeRegistered,
    ConfirmResult,
    Registration,
    SeatedHere,
    WrongHand,
)
from firmware.extensions.tournament.round import Round
from firmware.extensions.tournament.seats import overlaid, read_seats
from firmware.play.extension import ExtendedTable, Extension
from firmware.screens.parts.base import Page
from firmware.screens.result.ending import MatchEnd, Tie
from firmware.session.actions import Action, BadgeAction, RowAction
from hardware.ports import ExtensionMessage, Signal


class TournamentTable(Extension):
    """The round at this table, and the checks of its hands."""

    ACTS: ClassVar = ACTS
    USES_EVENING_BADGES: ClassVar = True
    STATE: ClassVar = STATE

    def __init__(self, table: ExtendedTable) -> None:
        super().__init__(table)
        self.round = Round(table.session.notes)
        self.hand_checks = HandChecks(table.session, self.round)
        table.session.names.change(self._named)

    def start(self, post: Callable[[ExtensionMessage], None]) -> None:
        """From now on hands are checked in a thread of their own."""
        self.hand_checks.start(post)

    def close(self) -> None:
        """End that thread."""
        self.hand_checks.close()

    def hear(self, message: ExtensionMessage) -> bool:
        """Seats, and what was found of a hand."""
        if isinstance(message, SeatsGiven):
            self._take_seats(message)
        elif isinstance(message, HandChecked):
            self._take_checked(message)
        else:
            return False
        return True

    def answer(self, action: Action) -> bool:
        """Register a badge that can be scanned for nothing else now; send one away that does not sit here."""
        table = self.table
        if not isinstance(action, BadgeAction | RowAction) or isinstance(table.front, Registration):
            return False
        if self.round.registers and action.badge not in BADGES:  # badges 1 to 10 play at every table
            self.round.register(action.badge)
            table.signal(Signal.ACCEPTED)
            table.open(BadgeRegistered(self.round, action.badge), lasts_s=SHOWN_S)
            return True
        if (page := self._sent_away(action.badge)) is not None:
            table.signal(Signal.REFUSED)
            table.open(page, lasts_s=SHOWN_S)
            return True
        return False

    def tick(self) -> None:
        """Check the hands that are whole now."""
        for checked in self.hand_checks.look():
            self._take_checked(checked)

    def page(self, page: Page) -> Page:
        """The pages of a table where people are seated, or register."""
        session, round_, setup = self.table.session, self.round, self.table.setup
        if round_.seats is None:
            return page
        match = session.match
        wrong = self.hand_checks.wrong()
        if wrong is not None:
            return WrongHand(self.hand_checks, wrong)
        if match is None and session.asks_language:
            return page
        if round_.is_to_begin and (match is None or not match.asks):
            return setup if isinstance(setup, SeatedHere) else SeatedHere(round_)
        if match is None:
            return Registration(round_) if setup is None and round_.registers else page
        if round_.is_match(session.match_id) and isinstance(page, Tie | MatchEnd):
            return ConfirmResult(round_)
        return page

    def state(self) -> Mapping[str, Any]:
        """The result of the match of the round, and the badges that were registered."""
        return {"result": self.result(), "registered": self.round.registration()}

    def result(self) -> ResultNote | None:
        """The result of the match of the round, once it is over, as docs/table-socket.md has it."""
        session = self.table.session
        if session.match is None or not self.round.is_match(session.match_id):
            return None
        return self.round.result(session.match, session.about.uid)

    # ------------------------------------------------------------------------------------------- inner

    def _named(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return names if self.round.seats is None else overlaid(names, self.round.seats)

    def _take_seats(self, message: SeatsGiven) -> None:
        """Note who is to play here; what people have open stays in front while a match is in play."""
        table, registering = self.table, self.round.registers
        try:
            self.round.take(None if message.record is None else read_seats(message.record))
        except CompanionError as bad:
            table.signal(Signal.REFUSED)
            table.note_refusal(bad.fault_text, bad.fix_text)
            return
        table.session.names.read_again()
        match, setup = table.session.match, table.setup
        old = isinstance(setup, Registration) and setup.badge not in self.round.registered
        if old or isinstance(setup, SeatedHere):
            table.set_up(None)
        if self.round.is_to_begin and (match is None or not match.asks):
            table.set_up(None)
            table.home()
        elif match is None and self.round.registers and not registering:
            table.home()

    def _take_checked(self, checked: HandChecked) -> None:
        """Say whether a hand is the right one, if it is still there."""
        self.hand_checks.hear(checked)
        if checked.hand not in self.hand_checks.whole():
            return
        if checked.right:
            self.table.say(self.table.session.translate("SEAT {seat}: HAND OK", seat=checked.hand.seat + 1))
        else:
            self.table.signal(Signal.REFUSED)
            self.table.say("")

    def _sent_away(self, badge: int) -> AnotherTable | None:
        """The page for a badge that does not sit here; None where it may be used."""
        session, seats = self.table.session, self.round.seats
        if seats is None or self.round.registers:
            return None if badge in BADGES else AnotherTable(badge, None, in_round=False)
        others = session.match is not None and not self.round.is_match(session.match_id)
        if badge in seats.badges or (others and session.playing.asks):
            return None
        return AnotherTable(badge, seats.elsewhere.get(badge))
