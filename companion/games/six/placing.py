"""What follows from facts by itself, and the checks that several orders share. Nothing is changed here."""

from __future__ import annotations

from companion.cards import Card, Seat, heads, seat_number
from companion.games.six import rules
from companion.games.six.explain import where, why
from companion.games.six.table import (
    ROW_LENGTH,
    CardPlaced,
    Event,
    Table,
    apply,
)
from companion.ruling import Allowed, Because, Refused
from companion.text import say


def allowed(table: Table, events: list[Event], said: Because | None = None) -> Allowed[Event]:
    """An `Allowed` with whatever follows by itself: placements as far as they need nobody's answer."""
    because = [] if said is None else [said]
    made: list[Event] = []
    queue = list(events)
    while queue:
        event = queue.pop(0)
        reason = why(table, event)
        because += [reason] if reason else []
        table = apply(table, event)
        made.append(event)
        if not queue and table.placing and (placement := _next_placement(table)):
            queue.append(placement)
    return Allowed(tuple(made), tuple(because))


def _next_placement(table: Table) -> CardPlaced | None:
    """The placement that is due, or None if somebody has to be asked first."""
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
    return Refused(
        rules.DECK,
        say("card {card} is not in the deck 1 to {deck}", card=card, deck=table.deck),
        say("put it back into the box and play a card up to {deck}", deck=table.deck),
    )


def not_free(table: Table, card: Card) -> Refused | None:
    """Why a card cannot come from a hand."""
    if fault := out_of_deck(table, card):
        return fault
    place = where(table, card)
    if place is None:
        return None
    return Refused(rules.ONE_OF_EACH, place, say("scan the card again, or undo the wrong one"))


def in_hand_of(table: Table, card: Card) -> Seat | None:
    """Who picked a card in the open draft and still holds it."""
    return next((Seat(seat) for seat, hand in enumerate(table.hands or ()) if card in hand), None)


def not_playing(table: Table, seat: Seat) -> Refused | None:
    """A refusal if nobody plays at that seat."""
    if seat in table.players:
        return None
    return Refused(
        rules.PLAYERS,
        say("nobody plays at seat {player}", player=seat_number(seat)),
        say(
            "use one of the players {players}",
            players=", ".join(str(seat_number(one)) for one in table.players),
        ),
    )


def has_shown(table: Table, seat: Seat) -> Refused | None:
    """A refusal if that seat is known to have played in this turn."""
    card = table.owner_in_turn(seat)
    return None if card is None else played_already(seat, card)


def played_already(seat: Seat, card: Card) -> Refused:
    """The refusal of a second card of one seat."""
    return Refused(
        rules.ONE_CARD_EACH,
        say("player {player} has played {card} in this turn already", player=seat_number(seat), card=card),
        say("name the player who has not played, or take {card} back", card=card),
    )


def wrong_hand(card: Card, seat: Seat | None, owner: Seat | None) -> Refused:
    """The refusal of a card that is not in the hand it should come from."""
    if owner is None:
        return Refused(
            rules.IN_HAND,
            say("card {card} is in nobody's hand", card=card),
            say("scan the card that was played"),
        )
    fault = say(
        "card {card} is not in the hand of player {player}", card=card, player=seat_number(seat or Seat(0))
    )
    return Refused(rules.IN_HAND, fault, say("player {player} picked it", player=seat_number(owner)))
