"""Correcting what is counted in the deal in progress, joining and leaving. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.cards import Seat, who
from companion.core.lifecycle import SeatJoined, SeatLeft
from companion.core.refusals import cannot_join, cannot_leave, cannot_swap, not_playing
from companion.core.ruling import Allowed, Because, Refused
from companion.games.scorekeeping import rules
from companion.games.scorekeeping.box import SEATS
from companion.games.scorekeeping.events import CardsCorrected, CountAdopted, Event, ScoresSwapped
from companion.games.scorekeeping.legal import not_free
from companion.games.scorekeeping.position import position_fault
from companion.games.scorekeeping.table import Table, apply
from companion.text.sentence import Text, say

if TYPE_CHECKING:
    from companion.games.scorekeeping.commands import Adopt, Correct


def correct(table: Table, order: Correct) -> Allowed[Event] | Refused:
    """Replace cards that were counted by mistake."""
    remove, add = order.remove, order.add
    for card in remove:
        if card not in table.seen:
            return Refused(
                rules.CORRECTION,
                say("card {card} has not been counted", card=table.box.named(card)),
                say("name a card that has been counted"),
            )
    if not remove or len(add) > len(remove) or len(set(remove)) < len(remove):
        return Refused(
            rules.CORRECTION,
            say("cards are replaced one for one"),
            say("name each wrong card, and at most as many replacements"),
        )
    without = apply(table, CardsCorrected(remove, ()))
    for place, card in enumerate(add):
        if fault := not_free(without, card):
            return fault
        if card in add[:place]:
            return Refused(
                rules.UNIQUE,
                say("card {card} is named twice", card=table.box.named(card)),
                say("name every card once"),
            )
    said = say(
        "{out} removed, {came} added",
        out=tuple(map(table.box.named, remove)),
        came=tuple(map(table.box.named, add)) or say("nothing"),
    )
    return Allowed((CardsCorrected(remove, add),), (Because(rules.CORRECTION, said),))


def swap(table: Table, seats: tuple[Seat, ...]) -> Allowed[Event] | Refused:
    """Exchange what is counted for two players."""
    if fault := cannot_swap(table.players, seats, rules.OWNERS, rules.PLAYERS):
        return fault
    one, other = seats
    if table.counts[one] == table.counts[other]:
        return Refused(
            rules.OWNERS,
            say("both players have the same score in this deal"),
            say("count first, or correct an earlier deal"),
        )
    said = say(
        "{one} and {other} swap their scores of this deal",
        one=who(one),
        other=who(other),
    )
    return Allowed((ScoresSwapped(seats),), (Because(rules.OWNERS, said),))


def adopt(table: Table, order: Adopt, *, negative: bool) -> Allowed[Event] | Refused:
    """Take over a whole count, in place of what was counted."""
    if fault := position_fault(table, order, negative=negative):
        return fault
    return Allowed((CountAdopted(order.sums, order.piles, order.rows, order.rows_sum),), ())


def leave(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    """Let a player go."""
    if fault := not_playing(table.players, seat, rules.PLAYERS):
        return fault
    if not table.fresh:
        return _begun(say("leave after this deal"))
    if fault := cannot_leave(table.players, SEATS[0], rules.PLAYERS, say("end the match instead")):
        return fault
    said = say("{player} leaves; the points are kept", player=who(seat))
    return Allowed((SeatLeft(seat),), (Because(rules.PLAYERS, said),))


def join(table: Table, seat: Seat, *, most: int) -> Allowed[Event] | Refused:
    """Let a player come; `most` can play at all."""
    if fault := cannot_join(table.players, len(table.counts), most, seat, rules.PLAYERS):
        return fault
    if not table.fresh:
        return _begun(say("join after this deal"))
    said = say("{player} joins", player=who(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.PLAYERS, said),))


def _begun(fix: Text) -> Refused:
    return Refused(rules.PLAYERS, say("the deal is being counted"), fix)
