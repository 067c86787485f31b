"""Who leaves a match and who joins it, at once or with the next deal."""

from collections.abc import Iterator
from functools import partial

from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.text.sentence import Text, say
from firmware.play.joining import NAME_COLUMNS, join
from firmware.play.table import Item, Table
from firmware.screens.turn.corrections import PickPlayers
from firmware.session.session import Session


def joining_items(table: Table) -> Iterator[Item]:
    """The things of the menu about who plays that can be done now."""
    session = table.session
    for badge in session.notes.joins_next:
        yield does_not_join(badge, session), partial(_stays_away, badge)
    if session.can_join() or session.can_join_next():
        yield say("NEW PLAYER"), join
    if any(not isinstance(refused, Refused) for _, refused in _changes(session)):
        yield say("PLAYERS JOIN/LEAVE"), ask_who_leaves_or_joins


def ask_who_leaves_or_joins(table: Table) -> None:
    """Ask for a badge, unless nobody can leave and nobody can join."""
    session = table.session
    changes = _changes(session)
    refused = [(step, command) for command, step in changes if isinstance(step, Refused)]
    if len(refused) == len(changes) and not session.can_join_next():
        table.refuse(*refused[0])
        return
    table.open(PickPlayers(say("WHO LEAVES/JOINS?"), _leave_or_join, 1))


def _changes(session: Session) -> list[tuple[object, object]]:
    """By seat, and for a new one: the command to leave or join, and the step or refusal that it gives."""
    match = session.playing
    seats = map(Seat, range(len(match.totals) + 1))
    commands = [match.game.leave(seat) if seat in match.players else match.game.join(seat) for seat in seats]
    return [(command, match.propose(command)) for command in commands]


def _leave_or_join(badges: tuple[int, ...], table: Table) -> None:
    session, badge = table.session, badges[0]
    seat = session.seat(badge)
    if seat is None:
        join(table, badge)
        return
    name = session.names.short(badge, NAME_COLUMNS)
    if table.propose(session.playing.game.leave(seat)):
        table.say(say("{name} IS OUT", name=name))


def _stays_away(badge: int, table: Table) -> None:
    notes = table.session.notes
    notes.join_next([one for one in notes.joins_noted if one[0] != badge])
    table.say(does_not_join(badge, table.session))


def does_not_join(badge: int, session: Session) -> Text:
    """That the player of a badge, or somebody without one (0), does not join with the next deal after all."""
    if not badge:
        return say("NOBODY ELSE JOINS")
    return say("{name} DOES NOT JOIN", name=session.names.short(badge, NAME_COLUMNS))
