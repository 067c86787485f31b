"""Why something cannot be counted, in words. The callers decide what happens instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards import Seat, seat_number
from companion.games.scorekeeping import rules
from companion.games.scorekeeping.options import Left, turned
from companion.ruling import Refused, Rule
from companion.score_sheet import MOST_POINTS
from companion.text import Text, count, say

if TYPE_CHECKING:
    from companion.games.scorekeeping.table import Table


def refused(rule: Rule, fault: Text, fix: Text) -> Refused:
    """The refusal of an illegal command."""
    return Refused(fault, fix, rule)


def no_such_sum(points: int, *, negative: bool) -> Refused | None:
    """Why a number cannot be the points of anybody in a deal."""
    lowest = -MOST_POINTS if negative else 0
    if lowest <= points <= MOST_POINTS:
        return None
    return refused(
        rules.VALUES,
        say("nobody can have {points} points in a deal", points=points),
        say("use {lowest} to {most}", lowest=lowest, most=MOST_POINTS),
    )


def no_cards(table: Table) -> Refused | None:
    """Why no card is counted here at all."""
    if table.box.left is not Left.NUMBERS:
        return None
    return refused(rules.ENTRY, say("the cards of this game are not known"), say("type the points"))


def not_playing(table: Table, seat: Seat) -> Refused | None:
    """A refusal if a seat does not play."""
    if seat in table.players:
        return None
    return refused(
        rules.PLAYERS,
        say("player {player} is not playing", player=seat_number(seat)),
        say(
            "choose one of the players {players}",
            players=tuple(map(seat_number, table.players)),
        ),
    )


def not_free(table: Table, card: str) -> Refused | None:
    """Why a card cannot be one that was not counted yet."""
    deck = table.deck
    other = turned(card)
    upside = other in deck and other not in table.seen
    if card not in deck:
        fault = say("card {card} is not in the deck {low} to {high}", card=card, low=deck[0], high=deck[-1])
        if table.box.left is not Left.PILES:
            fault = say("there is no card {card}", card=table.box.named(card))
        return refused(rules.UNIQUE, fault, _again(other if upside else None))
    where = table.where(card)
    return refused(rules.UNIQUE, where, _again(other if upside else None)) if where else None


def _again(other: str | None) -> Text:
    if other is not None:
        return say("is it {other} upside down? If not, leave it out", other=other)
    return say("leave it out, or undo what was counted before")


def unnamed(table: Table) -> Refused:
    """The refusal because scanned cards have no owner yet."""
    return refused(
        rules.ENTRY,
        count(
            "the last {count} card counted has no owner yet",
            "the last {count} cards counted have no owner yet",
            len(table.loose),
        ),
        say("say whose they are, or undo them"),
    )
