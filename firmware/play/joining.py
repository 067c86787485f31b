"""Who joins a match: at once, or with the next deal if one is played."""

from companion.core.score_sheet import DealScored
from companion.match.match import Match
from firmware.play.notices import has_joined, joins_next
from firmware.play.page import StepResult
from firmware.play.table import Table
from hardware.ports import Signal


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
    table.say(joins_next(badge or 0, session))
    return True


def let_waiting_join(table: Table) -> None:
    """Let those join who wait for the next deal, once people have seen the result of this one."""
    session, match, waits = table.session, table.session.match, table.session.notes.joins_noted
    if not waits or match is None or not match.asks or match is table.unstored:
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
        table.say(has_joined(session.badge(seat), session))
    return joined


def _deal_began(match: Match) -> int:
    """The number of the step that ended the deal before; 0 in the first one."""
    at: Match | None = match
    while at is not None and at.newest is not None:
        if any(isinstance(event, DealScored) for event in at.newest.events):
            return at.newest.number
        at = at.before
    return 0
