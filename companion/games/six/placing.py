"""What follows automatically from events, and checks that several commands share. Nothing is changed here."""

from __future__ import annotations

from companion.cards import Card, Seat, heads, seat_number
from companion.games.six import rules
from companion.games.six.explain import refused, where, why
from companion.games.six.table import (
    ROW_LENGTH,
    CardPlaced,
    Event,
    Table,
    applied,
)
from companion.ruling import Allowed, Because, Refused
from companion.text import say


def allowed(table: Table, events: list[Event], said: Because | None = None) -> Allowed[Event]:
    """An `Allowed` with everything that follows automatically: all placements that need no answer."""
    because = [] if said is None else [said]
    made: list[Event] = []
    queue = list(events)
    while queue:
        event = queue.pop(0)
        reason = why(table, event)
        because += [reason] if reason else []
        table = applied(table, event)
        made.append(event)
        if not queue and table.placing and (placement := _next_placement(table)):
            queue.append(placement)
    return Allowed(tuple(made), tuple(because))


def _next_placement(table: Table) -> CardPlaced | None:
    """The next placement, or None if a player has to be asked first."""
    shown = table.lowest
    row = table.row_for(shown.card)
    if row is not None and len(table.rows[row]) < ROW_LENGTH:
        return CardPlaced(shown.card, shown.seat, row, rules.SMALLEST_GAP.key, (), 0)
    taking = table.chosen if row is None else row
    if taking is None or shown.seat is None:
        return None
    rule = rules.LOWEST_CARD if row is None else rules.FULL_ROW
    takes = table.rows[taking]
    return CardPlaced(shown.card, shown.seat, taking, rule.key, takes, heads(takes))


def out_of_deck(table: Table, card: Card) -> Refused | None:
    """A refusal if the deck in use has no such card."""
    if 1 <= card <= table.deck:
        return None
    return refused(
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
    return refused(rules.ONE_OF_EACH, place, say("scan the card again, or undo the wrong one"))


def in_hand_of(table: Table, card: Card) -> Seat | None:
    """Who picked a card in the open draft and still holds it."""
    return next((Seat(seat) for seat, hand in enumerate(table.hands or ()) if card in hand), None)


def not_playing(table: Table, seat: Seat) -> Refused | None:
    """A refusal if nobody plays at that seat."""
    if seat in table.players:
        return None
    return refused(
        rules.PLAYERS,
        say("player {player} is not playing", player=seat_number(seat)),
        say(
            "choose one of the players {players}",
            players=", ".join(str(seat_number(one)) for one in table.players),
        ),
    )


def has_shown(table: Table, seat: Seat) -> Refused | None:
    """A refusal if that seat is known to have played in this turn."""
    card = table.owner_in_turn(seat)
    return None if card is None else played_already(seat, card)


def played_already(seat: Seat, card: Card) -> Refused:
    """The refusal of a second card of one seat."""
    return refused(
        rules.ONE_CARD_EACH,
        say("player {player} has already played {card} in this turn", player=seat_number(seat), card=card),
        say("name a player who has not played, or undo {card}", card=card),
    )


def wrong_hand(card: Card, seat: Seat | None, owner: Seat | None) -> Refused:
    """The refusal of a card that is not in the hand it should come from."""
    if owner is None:
        return refused(
            rules.IN_HAND,
            say("card {card} is in nobody's hand", card=card),
            say("scan the card that was played"),
        )
    fault = say(
        "card {card} is not in player {player}'s hand", card=card, player=seat_number(seat or Seat(0))
    )
    return refused(rules.IN_HAND, fault, say("player {player} picked it", player=seat_number(owner)))
