"""Why something cannot be counted, in words. What stands instead is decided by those who ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards import Seat, seat_number
from companion.games.scorekeeping import rules
from companion.games.scorekeeping.options import Left, turned
from companion.ruling import Refused
from companion.score_sheet import MOST_POINTS
from companion.text import Text, count, say

if TYPE_CHECKING:
    from companion.games.scorekeeping.table import Table


def no_such_sum(points: int, *, negative: bool) -> Refused | None:
    """Why a number cannot be the points of anybody in a deal."""
    lowest = -MOST_POINTS if negative else 0
    if lowest <= points <= MOST_POINTS:
        return None
    return Refused(
        rules.VALUES,
        say("nobody can have {points} points in a deal", points=points),
        say("use {lowest} to {most}", lowest=lowest, most=MOST_POINTS),
    )


def no_cards(table: Table) -> Refused | None:
    """Why no card is counted here at all."""
    if table.box.left is not Left.NUMBERS:
        return None
    return Refused(rules.ENTRY, say("the cards of this game are not known"), say("type the points"))


def not_playing(table: Table, seat: Seat) -> Refused | None:
    """A refusal if a seat does not play."""
    if seat in table.players:
        return None
    return Refused(
        rules.PLAYERS,
        say("player {player} does not play", player=seat_number(seat)),
        say(
            "use one of the players {players}",
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
        return Refused(rules.UNIQUE, fault, _again(other if upside else None))
    where = table.where(card)
    return Refused(rules.UNIQUE, where, _again(other if upside else None)) if where else None


def _again(other: str | None) -> Text:
    if other is not None:
        return say("is it {other} upside down? Else leave it out", other=other)
    return say("leave it out, or undo what was counted before")


def unnamed(table: Table) -> Refused:
    """Cards wait of which nobody has said whose they are."""
    return Refused(
        rules.ENTRY,
        count(
            "whose is the {count} card counted last?",
            "whose are the {count} cards counted last?",
            len(table.loose),
        ),
        say("say whose they are, or undo them"),
    )
