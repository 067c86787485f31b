"""The table of a tournament: it is told who sits here, and its players confirm the result with badges."""

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.core.codes import BADGES, RowCode
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, say
from firmware.extensions.tournament import pages
from firmware.extensions.tournament.hand_checks import HandChecks
from firmware.extensions.tournament.messages import ACTS, STATE, GiveSeats, ResultNote
from firmware.extensions.tournament.round import NOTE, RoundLog, checked_seats, kept_of, with_seated_names
from firmware.play.page import AnyPage
from firmware.play.table import Extension, Table
from firmware.screens.result.ending import MatchEnd, Tie
from firmware.session.actions import Action, BadgeAction
from firmware.session.session import Session
from hardware.ports import ExtensionMessage, Signal


class SeatedTournament(Extension):
    """The round at this table, and the checks of its hands."""

    ACTS: ClassVar = ACTS
    USES_EVENING_BADGES: ClassVar = True
    STATE: ClassVar = STATE

    def __init__(self) -> None:
        self.hand_checks = HandChecks()

    def handle_message(self, message: ExtensionMessage, table: Table) -> bool:
        if not isinstance(message, GiveSeats):
            return False
        _take_seats(message, table)
        return True

    def not_stored(self, message: ExtensionMessage, bad: CompanionError, table: Table) -> bool:
        """Who sent the seats is told."""
        if not isinstance(message, GiveSeats):
            return False
        table.signal(Signal.REFUSED)
        table.note_refusal(bad.fault_text, bad.fix_text)
        return True

    def answer(self, action: Action, table: Table) -> bool:
        """Register a badge that can be scanned for nothing else now; send one away that does not sit here."""
        round_ = RoundLog(table.session.notes)
        if not isinstance(action, BadgeAction | RowCode) or isinstance(table.front, pages.Registration):
            return False
        if round_.registers and action.badge not in BADGES:  # badges 1 to 10 play at every table
            round_.register(action.badge)
            table.signal(Signal.ACCEPTED)
            table.open(pages.BadgeRegistered(action.badge), lasts_s=pages.SHOWN_S)
            return True
        if (page := _sent_away(action.badge, table.session)) is not None:
            table.signal(Signal.REFUSED)
            table.open(page, lasts_s=pages.SHOWN_S)
            return True
        return False

    def tick(self, table: Table) -> None:
        """Say of each hand that was scanned whether it is the right one."""
        for hand in self.hand_checks.news(table.session):
            if hand.right:
                table.say(say("SEAT {seat}: HAND OK", seat=hand.seat + 1))
            else:
                table.signal(Signal.REFUSED)
                table.say(NOTHING)

    def names(self, names: tuple[str, ...], notes: Mapping[str, object]) -> tuple[str, ...]:
        """The names of the players who are seated here."""
        kept = kept_of(notes.get(NOTE))
        return names if kept is None else with_seated_names(names, kept.seats)

    def page(self, page: AnyPage, table: Table) -> AnyPage:
        """The pages of a table where people are seated, or register."""
        session, round_, setup = table.session, RoundLog(table.session.notes), table.state.setup
        if (seats := round_.seats) is None:
            return page
        match = session.match
        if (wrong := self.hand_checks.wrong(session)) is not None:
            return pages.WrongHand(self.hand_checks, wrong)
        if match is None and session.asks_language:
            return page
        if round_.is_to_begin and (match is None or not match.asks):
            return setup if isinstance(setup, pages.SeatedHere) else pages.SeatedHere(seats)
        if match is None:
            return pages.Registration() if setup is None and round_.registers else page
        if round_.is_match(session.match_id) and isinstance(page, Tie | MatchEnd):
            return pages.ConfirmResult()
        return page

    def state(self, session: Session) -> Mapping[str, Any]:
        """The result of the match of the round, and the badges that were registered."""
        return {"result": result(session), "registered": RoundLog(session.notes).registration()}


def result(session: Session) -> ResultNote | None:
    """The result of the match of the round, once it is over, as docs/table-socket.md has it."""
    round_, match = RoundLog(session.notes), session.match
    if (seats := round_.seats) is None or match is None or not match.position.over:
        return None
    if not round_.is_match(session.match_id):
        return None
    confirmed, badges = round_.confirmed(match), match.terms.badges
    return ResultNote(session.about.uid, match.steps, seats.round, match.totals, badges, confirmed)


def _take_seats(message: GiveSeats, table: Table) -> None:
    """Note who is to play here; what people have open stays in front while a match is in play."""
    round_ = RoundLog(table.session.notes)
    registering = round_.registers
    try:
        round_.assign(None if message.seats is None else checked_seats(message.seats))
    except CompanionError as bad:
        table.signal(Signal.REFUSED)
        table.note_refusal(bad.fault_text, bad.fix_text)
        return
    match, setup = table.session.match, table.state.setup
    old = isinstance(setup, pages.Registration) and setup.badge not in round_.registered
    if old or isinstance(setup, pages.SeatedHere):
        table.set_up(None)
    if round_.is_to_begin and (match is None or not match.asks):
        table.set_up(None)
        table.home()
    elif match is None and round_.registers and not registering:
        table.home()


def _sent_away(badge: int, session: Session) -> pages.AnotherTable | None:
    """The page for a badge that does not sit here; None where it may be used."""
    round_ = RoundLog(session.notes)
    seats = round_.seats
    if seats is None or round_.registers:
        return None if badge in BADGES else pages.AnotherTable(badge, None, in_round=False)
    others = session.match is not None and not round_.is_match(session.match_id)
    if badge in seats.badges or (others and session.playing.asks):
        return None
    return pages.AnotherTable(badge, seats.elsewhere.get(str(badge)))
