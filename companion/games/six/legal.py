"""What may be played now, and why something else may not. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.cards import Card, Seat, who
from companion.core.refusals import not_playing
from companion.core.ruling import Refused
from companion.games.six import rules
from companion.games.six.box import ROWS, TURNS
from companion.games.six.explain import where
from companion.text.sentence import count, say

if TYPE_CHECKING:
    from companion.games.six.table import Table


def drafting(table: Table, *, draft: bool) -> bool:
    """Whether the open draft is in progress."""
    return draft and not table.rows and sum(map(len, table.hands or ())) < TURNS * len(table.players)


def next_picker(table: Table) -> Seat:
    """Whose turn it is in the open draft: clockwise from the first seat."""
    picked = sum(map(len, table.hands or ()))
    begins = table.players.index(table.first) if table.first in table.players else 0
    return table.players[(begins + picked) % len(table.players)]


def nothing_to_play(table: Table, *, draft: bool) -> Refused | None:
    """A refusal if the rows do not lie yet."""
    if len(table.rows) == ROWS:
        return None
    if drafting(table, draft=draft):
        return Refused(rules.DRAFT, say("the open draft is not finished"), say("pick a card"))
    need = ROWS - len(table.rows)
    return Refused(
        rules.FOUR_ROWS,
        say("the four rows are not laid out yet"),
        count(
            "lay out {count} more card to start a row", "lay out {count} more cards to start the rows", need
        ),
    )


def out_of_deck(table: Table, card: Card) -> Refused | None:
    """A refusal if the deck in use has no such card."""
    if 1 <= card <= table.deck:
        return None
    return Refused(
        rules.DECK,
        say("card {card} is not in the deck 1 to {deck}", card=card, deck=table.deck),
        say("put it back in the box and play a card up to {deck}", deck=table.deck),
    )


def not_free(table: Table, card: Card) -> Refused | None:
    """Why a card cannot come from a hand."""
    if fault := out_of_deck(table, card):
        return fault
    place = where(table, card)
    if place is None:
        return None
    return Refused(rules.ONE_OF_EACH, place, say("scan the card again, or undo the wrong one"))


def cannot_own(table: Table, seat: Seat) -> Refused | None:
    """Why a card of this turn cannot be a seat's: nobody plays there, or it has played another one."""
    if fault := not_playing(table.players, seat, rules.PLAYERS) or has_shown(table, seat):
        return fault
    if seat not in table.whole:
        return None
    return Refused(
        rules.IN_HAND,
        say("this card is not in {player}'s hand", player=who(seat)),
        say("name the player who played it"),
    )


def has_shown(table: Table, seat: Seat) -> Refused | None:
    """A refusal if that seat is known to have played in this turn."""
    card = table.owner_in_turn(seat)
    return None if card is None else played_already(seat, card)


def played_already(seat: Seat, card: Card) -> Refused:
    """The refusal of a second card of one seat."""
    return Refused(
        rules.ONE_CARD_EACH,
        say("{player} has already played {card} in this turn", player=who(seat), card=card),
        say("name a player who has not played, or undo {card}", card=card),
    )
