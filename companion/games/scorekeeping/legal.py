"""What can be counted now, and why something else cannot. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.cards import Seat, who
from companion.core.refusals import not_playing
from companion.core.ruling import Refused
from companion.core.score_sheet import points_range
from companion.games.scorekeeping import rules
from companion.games.scorekeeping.box import Left, turned
from companion.games.scorekeeping.explain import where
from companion.games.scorekeeping.options import Entry
from companion.text.sentence import Text, count, say

if TYPE_CHECKING:
    from companion.games.scorekeeping.table import Table


def no_such_sum(points: int, *, negative: bool) -> Refused | None:
    """Why a number cannot be the points of anybody in a deal."""
    lowest, most = points_range(negative=negative)
    if lowest <= points <= most:
        return None
    return Refused(
        rules.VALUES,
        say("nobody can have {points} points in a deal", points=points),
        say("use {lowest} to {most}", lowest=lowest, most=most),
    )


def no_cards(table: Table) -> Refused | None:
    """Why no card is counted here at all."""
    if table.box.left is not Left.NUMBERS:
        return None
    return Refused(rules.ENTRY, say("the cards of this game are not known"), say("type the points"))


def not_free(table: Table, card: str) -> Refused | None:
    """Why a card cannot be one that was not counted yet."""
    deck = table.deck
    other = turned(card)
    upside = other in deck and other not in table.seen
    if card not in deck:
        fault = say("card {card} is not in the deck {low} to {high}", card=card, low=deck[0], high=deck[-1])
        if table.box.left is not Left.PILES:
            fault = say("there is no card {card}", card=table.box.named(card))
        return Refused(rules.UNIQUE, fault, _again(other if upside else None))
    place = where(table, card)
    return Refused(rules.UNIQUE, place, _again(other if upside else None)) if place else None


def _again(other: str | None) -> Text:
    if other is not None:
        return say("is it {other} upside down? If not, leave it out", other=other)
    return say("leave it out, or undo what was counted before")


def unnamed(table: Table) -> Refused:
    """The refusal because scanned cards have no owner yet."""
    return Refused(
        rules.ENTRY,
        count(
            "the last {count} card counted has no owner yet",
            "the last {count} cards counted have no owner yet",
            len(table.loose),
        ),
        say("say whose they are, or undo them"),
    )


def not_here(table: Table, seat: Seat | None) -> Refused | None:
    """Why no card can be counted for a seat, or (None) without one."""
    if seat is None:
        piles = table.box.left is Left.PILES
        if table.entry is Entry.TYPED and not piles:
            return Refused(
                rules.ENTRY, say("in this match points are typed"), say("type the points in the hand")
            )
        if table.entry is Entry.PILES and not piles and not table.seats_open:
            return Refused(
                rules.ENTRY,
                say("every hand has already been counted"),
                say("first say whose card it is, or close the deal"),
            )
        return None
    if fault := not_playing(table.players, seat, rules.PLAYERS):
        return fault
    if table.entry is Entry.TYPED or table.counts[seat].points is not None:
        return Refused(
            rules.ENTRY,
            say("{player}'s points were typed", player=who(seat)),
            say("type them again"),
        )
    return None
