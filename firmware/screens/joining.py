"""Who leaves a match and who joins it, at once or with the next deal, and with which points."""

from functools import partial

from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.match.match import Match
from companion.text.sentence import Text, say
from firmware.play.joining import NAME_COLUMNS, join
from firmware.play.table import Table
from firmware.screens.parts.base import UNDO_BACK
from firmware.screens.parts.kinds import Confirm, ListPage
from firmware.screens.turn.corrections import PickPlayers
from firmware.session.session import Session


def can_change(session: Session, match: Match) -> bool | Text:
    """Whether somebody can leave or join; else why not."""
    seats = map(Seat, range(len(match.totals) + 1))
    commands = [match.game.leave(seat) if seat in match.players else match.game.join(seat) for seat in seats]
    faults = [step.fault for step in map(match.propose, commands) if isinstance(step, Refused)]
    changes = len(faults) < len(commands) or session.notes.joins_next or session.can_join_next(0)
    return bool(changes) or faults[0]


def ask_who_leaves_or_joins(table: Table) -> None:
    """Ask for a badge; OK names one that is free."""
    session, free = table.session, table.session.free_badge
    if isinstance(fault := can_change(session, session.playing), Text):
        table.explain(fault, say("wait for the end of the deal"))
        return
    new = free if free and (session.can_join(free) or session.can_join_next(free)) else 0
    table.open(
        PickPlayers(say("WHO LEAVES/JOINS?"), _leave_or_join, 1, also=session.notes.joins_next, new=new)
    )


def _leave_or_join(badges: tuple[int, ...], table: Table) -> None:
    session, badge = table.session, badges[0]
    seat, notes = session.seat(badge), session.notes
    name = session.names.short(badge, NAME_COLUMNS)
    if badge in notes.joins_next:
        notes.join_next([waits for waits in notes.joins_noted if waits.badge != badge])
        table.say(say("{name} DOES NOT JOIN", name=name))
    elif seat is None:
        ask_to_join(badge, table)
    else:
        command = session.playing.game.leave(seat)
        if isinstance(refused := session.playing.propose(command), Refused):
            table.refuse(refused, command)
            return
        follows = say("THE POINTS OF {name} STAY. {name} CAN COME BACK.", name=name)
        leave = partial(_leave, command, say("{name} IS OUT", name=name))
        table.open(Confirm(say("{name} LEAVES?", name=name), follows, say("LEAVES"), leave))


def _leave(command: object, says: Text, table: Table) -> None:
    if table.propose(command):
        table.say(says)


class BeginsWith(ListPage):
    """The points with which a new player begins, where others have some or will have."""

    UNDO = UNDO_BACK
    badge: int

    def heading(self, session: Session) -> str:
        return session.translate("{name} BEGINS WITH?", name=session.names.short(self.badge, NAME_COLUMNS))

    def offers(self, session: Session) -> list[tuple[Text, str]]:
        """With the next deal the totals can be others."""
        sheet, players = session.playing.position.score_sheet, session.playing.players
        worst, mean = (sheet.total_to_join(begins, players) for begins in ("worst", "mean"))
        return [
            (say("0 POINTS"), ""),
            (say("THE WORST: {points}", points=worst), "worst"),
            (say("THE AVERAGE: {points}", points=mean), "mean"),
        ]

    def chosen(self, item: str, table: Table) -> None:
        table.close()
        join(table, self.badge, item)


def ask_to_join(badge: int, table: Table) -> bool:
    """Let the player of a badge join; ask first with which points, where others have some or will have.

    False if that is refused.
    """
    session, match = table.session, table.session.playing
    new = session.seat_to_join(badge) == len(match.totals) and badge not in session.notes.joins_next
    later = not session.can_join(badge) and session.can_join_next(badge)
    if new and (later or any(match.totals)):
        table.open(BeginsWith(badge))
        return True
    return join(table, badge)
