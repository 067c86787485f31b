"""Who leaves a match and who joins it, at once or with the next deal."""

from collections.abc import Iterator
from functools import partial

from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.text.sentence import Text, say
from firmware.screens.parts.base import Controller, Item
from firmware.screens.turn.corrections import PickPlayers
from firmware.session.session import Session

_NAME_COLUMNS = 8


def joining_items(controller: Controller) -> Iterator[Item]:
    """The things of the menu about who plays that can be done now."""
    session = controller.session
    for badge in session.notes.joins_next:
        yield does_not_join(badge, session), partial(_stays_away, badge)
    if session.can_join() or session.can_join_next():
        yield say("NEW PLAYER"), lambda at: at.join()
    if any(not isinstance(refused, Refused) for _, refused in _changes(session)):
        yield say("PLAYERS JOIN/LEAVE"), ask_who_leaves_or_joins


def ask_who_leaves_or_joins(controller: Controller) -> None:
    """Ask for a badge, unless nobody can leave and nobody can join."""
    session = controller.session
    changes = _changes(session)
    refused = [(step, command) for command, step in changes if isinstance(step, Refused)]
    if len(refused) == len(changes) and not session.can_join_next():
        controller.refuse(*refused[0])
        return
    controller.open(PickPlayers(say("WHO LEAVES/JOINS?"), _leave_or_join, 1))


def _changes(session: Session) -> list[tuple[object, object]]:
    """By seat, and for a new one: the command to leave or join, and the step or refusal that it gives."""
    match = session.playing
    seats = map(Seat, range(len(match.totals) + 1))
    commands = [match.game.leave(seat) if seat in match.players else match.game.join(seat) for seat in seats]
    return [(command, match.propose(command)) for command in commands]


def _leave_or_join(badges: tuple[int, ...], controller: Controller) -> None:
    session, badge = controller.session, badges[0]
    seat = session.seat(badge)
    if seat is None:
        controller.join(badge)
        return
    name = session.names.short(badge, _NAME_COLUMNS)
    if controller.propose(session.playing.game.leave(seat)):
        controller.say(say("{name} IS OUT", name=name))


def joins_next(badge: int, session: Session) -> Text:
    """That the player of a badge, or somebody without one (0), joins with the next deal."""
    deal = session.playing.position.deal + 1
    if not badge:
        return say("ONE MORE FROM DEAL {deal}", deal=deal)
    return say("{name} JOINS IN DEAL {deal}", name=session.names.short(badge, _NAME_COLUMNS), deal=deal)


def has_joined(badge: int, session: Session) -> Text:
    return say("{name} IS IN", name=session.names.short(badge, _NAME_COLUMNS))


def does_not_join(badge: int, session: Session) -> Text:
    """That the player of a badge, or somebody without one (0), does not join with the next deal after all."""
    if not badge:
        return say("NOBODY ELSE JOINS")
    return say("{name} DOES NOT JOIN", name=session.names.short(badge, _NAME_COLUMNS))


def _stays_away(badge: int, controller: Controller) -> None:
    notes = controller.session.notes
    notes.join_next([one for one in notes.joins_noted if one[0] != badge])
    controller.say(does_not_join(badge, controller.session))
