"""Who joins a match: at once, or with the next deal if one is played."""

from typing import Final

from companion.core.score_sheet import DealScored
from companion.match.match import Match
from companion.text.sentence import Text, say
from firmware.play.page import StepResult
from firmware.play.table import Table
from firmware.session.session import Session
from hardware.ports import Signal

NAME_COLUMNS: Final = 8
"""The room for a name in a line over a page."""


def join(table: Table, badge: int | None = None) -> bool:
    """Let a player join, with a badge if there is one: at once, or with the next deal if one is played.

    False, with the reason shown, if that is refused.
    """
    session, notes = table.session, table.session.notes
    again = badge is not None and badge in notes.joins_next
    if not again and (session.can_join(badge) or not session.can_join_next(badge)):
        return _join_now(table, badge)
    if not again:
        notes.join_next((*notes.joins_noted, (badge or 0, session.playing.steps)))
    table.home()
    table.signal(Signal.DUPLICATE if again else Signal.ACCEPTED)
    table.say(_joins_next(badge or 0, session))
    return True


def let_waiting_join(table: Table) -> None:
    """Let those join who wait for the next deal, once people have seen the result of this one."""
    session, match, waits = table.session, table.session.match, table.session.notes.joins_noted
    if not waits or match is None or not match.asks or match is table.state.unstored:
        return
    scored = match.newest is not None and isinstance(match.newest.events[-1], DealScored)
    if scored and not table.has_seen(StepResult.DEAL):
        return
    badge, noted = waits[0][0] or None, waits[0][1]
    if _deal_began(match) >= noted and session.can_join(badge):
        session.notes.join_next(waits[1:])
        _join_now(table, badge)


def _join_now(table: Table, badge: int | None) -> bool:
    session, match = table.session, table.session.playing
    seat = session.seat_to_join(badge)
    joined = table.show_result(session.join(badge), match.board, match.game.join(seat))
    if joined:
        name = session.names.short(session.badge(seat), NAME_COLUMNS)
        table.say(say("{name} IS IN", name=name))
    return joined


def _deal_began(match: Match) -> int:
    """The number of the step that ended the deal before; 0 in the first one."""
    at: Match | None = match
    while at is not None and at.newest is not None:
        if any(isinstance(event, DealScored) for event in at.newest.events):
            return at.newest.number
        at = at.before
    return 0


def _joins_next(badge: int, session: Session) -> Text:
    """That the player of a badge, or somebody without one (0), joins with the next deal."""
    deal = session.playing.position.deal + 1
    if not badge:
        return say("ONE MORE FROM DEAL {deal}", deal=deal)
    return say("{name} JOINS IN DEAL {deal}", name=session.names.short(badge, NAME_COLUMNS), deal=deal)
