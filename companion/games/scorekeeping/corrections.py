"""Putting right what is counted in the deal in progress, and coming and going. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards import Seat, seat_number
from companion.games.scorekeeping import rules
from companion.games.scorekeeping.events import CardsCorrected, CountAdopted, Event, ScoresSwapped
from companion.games.scorekeeping.position import position_fault
from companion.games.scorekeeping.refusals import not_free, not_playing
from companion.games.scorekeeping.table import Table, apply
from companion.lifecycle import SeatJoined, SeatLeft
from companion.ruling import Allowed, Because, Refused
from companion.text import Text, say

if TYPE_CHECKING:
    from companion.games.scorekeeping.commands import Adopt, Correct

FEWEST: Final = 2


def correct(table: Table, correct: Correct) -> Allowed[Event] | Refused:
    """Other cards in the places of those that were counted by mistake."""
    remove, add = correct.remove, correct.add
    for card in remove:
        if card not in table.seen:
            return Refused(
                rules.PUT_RIGHT,
                say("card {card} is not counted", card=table.box.named(card)),
                say("name a card that is"),
            )
    if not remove or len(add) > len(remove) or len(set(remove)) < len(remove):
        return Refused(
            rules.PUT_RIGHT,
            say("cards are replaced one for one"),
            say("name each card that was wrong, and at most as many others"),
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
        "{out} went out and {came} came in",
        out=tuple(map(table.box.named, remove)),
        came=tuple(map(table.box.named, add)) or say("nothing"),
    )
    return Allowed((CardsCorrected(remove, add),), (Because(rules.PUT_RIGHT, said),))


def swap(table: Table, seats: tuple[Seat, ...]) -> Allowed[Event] | Refused:
    """Two players exchange what is counted for them."""
    if len(seats) != 2 or seats[0] == seats[1]:  # noqa: PLR2004 - a swap is between two
        return Refused(rules.OWNERS, say("a swap is between two players"), say("name two different players"))
    for seat in seats:
        if fault := not_playing(table, seat):
            return fault
    one, other = seats
    if table.counts[one] == table.counts[other]:
        return Refused(
            rules.OWNERS,
            say("both players have the same in this deal"),
            say("count first, or correct an earlier deal"),
        )
    said = say(
        "players {one} and {other} exchange their scores of this deal",
        one=seat_number(one),
        other=seat_number(other),
    )
    return Allowed((ScoresSwapped(seats),), (Because(rules.OWNERS, said),))


def adopt(table: Table, adopt: Adopt, *, negative: bool) -> Allowed[Event] | Refused:
    """Everything at once, in place of what was counted."""
    if fault := position_fault(table, adopt, negative=negative):
        return fault
    return Allowed((CountAdopted(adopt.sums, adopt.piles, adopt.rows, adopt.rows_sum),), ())


def leave(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    """A player goes."""
    if fault := not_playing(table, seat):
        return fault
    if not table.fresh:
        return _begun(say("leave after this deal"))
    if len(table.players) <= FEWEST:
        return Refused(
            rules.PLAYERS,
            say("{fewest} players must stay", fewest=FEWEST),
            say("end the match instead"),
        )
    said = say("player {player} leaves; the points stay noted", player=seat_number(seat))
    return Allowed((SeatLeft(seat),), (Because(rules.PLAYERS, said),))


def join(table: Table, seat: Seat, *, most: int) -> Allowed[Event] | Refused:
    """A player comes."""
    if seat in table.players:
        return Refused(
            rules.PLAYERS, say("player {player} plays already", player=seat_number(seat)), say("go on")
        )
    if len(table.players) >= most:
        return Refused(rules.PLAYERS, say("all {most} seats are taken", most=most), say("go on"))
    free = [Seat(one) for one in range(len(table.counts) + 1) if one not in table.players]
    if len(table.counts) >= most:
        free.pop()
    if seat not in free:
        return Refused(
            rules.PLAYERS,
            say("there is no seat {seat}", seat=seat + 1),
            say("use seat {players}", players=tuple(map(seat_number, free))),
        )
    if not table.fresh:
        return _begun(say("join after this deal"))
    said = say("player {player} joins", player=seat_number(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.PLAYERS, said),))


def _begun(fix: Text) -> Refused:
    return Refused(rules.PLAYERS, say("the deal is being counted"), fix)
