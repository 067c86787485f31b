"""Who joins a match: at once, or with the next deal if one is played."""

from typing import Final

from companion.core.score_sheet import DealScored
from companion.text.sentence import say
from firmware.play.page import StepResult
from firmware.play.table import Table
from firmware.session.table_notes import Joining
from hardware.ports import Signal

NAME_COLUMNS: Final = 8
"""The room for a name in a line over a page."""


def join(table: Table, badge: int, begins: str = "") -> bool:
    """Let the player of a badge join: at once, or with the next deal if one is played.

    `begins` is as in `Join`. False, with the reason shown, if that is refused.
    """
    session, notes, match = table.session, table.session.notes, table.session.playing
    again = badge in notes.joins_next
    if not again and (session.can_join(badge) or not session.can_join_next(badge)):
        return _join_now(table, badge, begins)
    if not again:
        notes.join_next((*notes.joins_noted, Joining(badge, match.position.deal, match.steps, begins)))
    table.home()
    table.signal(Signal.DUPLICATE if again else Signal.ACCEPTED)
    name, deal = session.names.short(badge, NAME_COLUMNS), match.position.deal + 1
    table.say(say("{name} JOINS IN DEAL {deal}", name=name, deal=deal))
    return True


def let_waiting_join(table: Table) -> None:
    """Let those join who wait for the next deal, once people have seen the result of this one."""
    session, match, waits = table.session, table.session.match, table.session.notes.joins_noted
    if not waits or match is None or not match.asks or match is table.state.unstored:
        return
    scored = match.newest is not None and isinstance(match.newest.events[-1], DealScored)
    if scored and not table.has_seen(StepResult.DEAL):
        return
    first = waits[0]
    if match.position.deal > first.deal and session.can_join(first.badge):
        session.notes.join_next(waits[1:])
        _join_now(table, first.badge, first.begins)


def _join_now(table: Table, badge: int, begins: str) -> bool:
    session, match = table.session, table.session.playing
    seat = session.seat_to_join(badge)
    joined = table.show_result(session.join(badge, begins), match.board, match.game.join(seat))
    if joined:
        table.say(say("{name} IS IN", name=session.names.short(badge, NAME_COLUMNS)))
    return joined
