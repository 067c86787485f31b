"""Commands outside normal play: set up a table, join and leave, end a deal. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards import Seat, seat_number
from companion.games.ciao import rules
from companion.games.ciao.box import SEATS
from companion.games.ciao.cards import face
from companion.games.ciao.course import Course
from companion.games.ciao.explain import player
from companion.games.ciao.legal import not_playing
from companion.games.ciao.position import filled_in, position_faults
from companion.games.ciao.table import DEALT, Stage
from companion.lifecycle import SeatJoined, SeatLeft
from companion.ruling import Allowed, Because, Refused
from companion.text import say

if TYPE_CHECKING:
    from companion.games.ciao.commands import Adopt
    from companion.games.ciao.events import Event
    from companion.games.ciao.table import Table

MOST_FAULTS: Final = 100


def adopt(table: Table, adopt: Adopt) -> Allowed[Event] | Refused:
    """The table as it was set up."""
    filled = filled_in(table, adopt)
    faults = position_faults(table, filled)
    if faults:
        return Refused(
            rules.AS_IT_LIES,
            say("this table is not possible: {faults}", faults="; ".join(_first(faults))),
            say("correct what is named, or leave it out"),
        )
    course = Course(table)
    course.because(Because(rules.AS_IT_LIES, say("the table is set up as given")))
    course.tell(filled)
    empty = [seat for seat in table.players if not filled.hand_sizes[seat]]
    if empty:
        course.won(empty[0])
    elif filled.top and face(filled.top) is None:
        course.ask(Stage.NAME, course.table.by)
    return course.allowed()


def _first(faults: list[str]) -> list[str]:
    """All faults that a real table can have; beyond that, only how many more there are."""
    more = len(faults) - MOST_FAULTS
    return faults if more <= 0 else [*faults[:MOST_FAULTS], f"and {more} more"]


def leave(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    """A player leaves."""
    if fault := not_playing(table, seat):
        return fault
    if len(table.players) <= SEATS[0]:
        return Refused(
            rules.PLAYERS,
            say("at least {fewest} players must stay", fewest=SEATS[0]),
            say("end the deal instead, or start a new match"),
        )
    if not table.fresh:
        return Refused(
            rules.BETWEEN_DEALS,
            say("the deal has begun"),
            say("leave before the first card of the next deal, or end this deal"),
        )
    said = say("{player} leaves; the points are kept", player=player(seat))
    course = Course(table)
    course.because(Because(rules.BETWEEN_DEALS, said))
    course.tell(SeatLeft(seat))
    return course.allowed()


def join(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    """A player joins."""
    if seat in table.players:
        return Refused(
            rules.PLAYERS, say("{player} is already playing", player=player(seat)), say("continue")
        )
    free = [Seat(one) for one in range(min(len(table.hands) + 1, SEATS[-1])) if one not in table.players]
    if seat not in free:
        return Refused(
            rules.PLAYERS,
            say("there is no player {seat}", seat=seat + 1),
            say("use a free player number: {players}", players=tuple(map(seat_number, free)))
            if free
            else say("all {most} seats are taken, so nobody can join", most=SEATS[-1]),
        )
    if not table.fresh:
        return Refused(
            rules.BETWEEN_DEALS,
            say("the deal has begun"),
            say("join before the first card of the next deal"),
        )
    if DEALT * (len(table.players) + 1) > table.agreement.size:
        return Refused(
            rules.DECK,
            say("the deck has only {cards} cards", cards=table.agreement.size),
            say("at most {players} can play with it", players=len(table.players)),
        )
    course = Course(table)
    course.because(Because(rules.BETWEEN_DEALS, say("{player} joins", player=player(seat))))
    course.tell(SeatJoined(seat))
    return course.allowed()


def end_deal(table: Table) -> Allowed[Event] | Refused:
    """The deal ends now."""
    if table.stage not in (Stage.TURN, Stage.DRAWN, Stage.RACE):
        return Refused(
            rules.EARLY_END,
            say("a deal can only be ended between two cards"),
            say("answer the open question first"),
        )
    course = Course(table)
    course.stop()
    return course.allowed()
