"""Counting the hands after a deal: card by card, at once, or only their heads. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.cards import Card, Seat, who
from companion.core.ruling import Refused
from companion.games.eleven import rules
from companion.games.eleven.events import Event, HandCardSeen, HandCounted
from companion.games.eleven.follow_up import settle
from companion.games.eleven.hands import listed, no_card, not_in_hand, unseen
from companion.games.eleven.legal import not_asked
from companion.text.sentence import count, say

if TYPE_CHECKING:
    from companion.core.ruling import Allowed
    from companion.games.eleven.commands import Done, Hand, HandCard
    from companion.games.eleven.options import Options
    from companion.games.eleven.table import Table


def see_card(table: Table, order: HandCard, agreed: Options) -> Allowed[Event] | Refused:
    """One more card of the hand that is counted."""
    seat = table.next_hand
    if seat is None:
        return _not_counting()
    if fault := not_asked(order.seat, seat) or _not_left(table, seat, order.card, table.seen):
        return fault
    seen = (*table.seen, order.card)
    events: list[Event] = [HandCardSeen(order.card, seat)]
    if len(seen) == table.sizes[seat]:
        events.append(HandCounted(seat, tuple(sorted(seen)), agreed.heads_on(seen)))
    return settle(table, events, agreed)


def count_known_rest(table: Table, order: Done, agreed: Options) -> Allowed[Event] | Refused:
    """The cards not scanned are those that are known."""
    seat = table.next_hand
    if seat is None:
        return _not_counting()
    if fault := not_asked(order.seat, seat):
        return fault
    hand = table.known[seat].union(table.seen)
    missing = table.sizes[seat] - len(hand)
    if missing:
        return Refused(
            rules.OUT,
            count("{count} card of this hand is missing", "{count} cards of this hand are missing", missing),
            say("scan the cards left in {player}'s hand", player=who(seat)),
        )
    return settle(table, [HandCounted(seat, tuple(sorted(hand)), agreed.heads_on(hand))], agreed)


def count_hand(table: Table, order: Hand, agreed: Options) -> Allowed[Event] | Refused:
    """A whole hand, as its cards or its heads."""
    seat = table.next_hand
    if seat is None:
        return _not_counting()
    if fault := not_asked(order.seat, seat):
        return fault
    if (order.cards is None) is (order.heads is None):
        return Refused(
            rules.OUT,
            say("a hand needs either its cards or its heads"),
            say("give only one of the two"),
        )
    if order.cards is not None:
        return _by_cards(table, seat, order.cards, agreed)
    return _by_heads(table, seat, order.heads or 0, agreed)


def _by_cards(table: Table, seat: Seat, cards: tuple[Card, ...], agreed: Options) -> Allowed[Event] | Refused:
    due = table.sizes[seat]
    if len(cards) != due:
        return Refused(
            rules.OUT,
            count("{count} card was given", "{count} cards were given", len(cards)),
            count(
                "{player} has {count} card left",
                "{player} has {count} cards left",
                due,
                player=who(seat),
            ),
        )
    seen: tuple[Card, ...] = ()
    for card in cards:
        if fault := _not_left(table, seat, card, seen):
            return fault
        seen = (*seen, card)
    return settle(table, [HandCounted(seat, tuple(sorted(cards)), agreed.heads_on(cards))], agreed)


def _by_heads(table: Table, seat: Seat, heads: int, agreed: Options) -> Allowed[Event] | Refused:
    """The heads must be those of some hand of that size with the cards that are known to be in it."""
    held = table.known[seat].union(table.seen)
    free = sorted(agreed.heads[card - 1] for card in unseen(table).difference(held))
    places = table.sizes[seat] - len(held)
    least = agreed.heads_on(held) + sum(free[:places])
    most = agreed.heads_on(held) + sum(free[len(free) - places :])
    if least <= heads <= most:
        return settle(table, [HandCounted(seat, None, heads)], agreed)
    return Refused(
        rules.OUT,
        count(
            "a hand of {count} card cannot have {heads} bullheads here",
            "a hand of {count} cards cannot have {heads} bullheads here",
            table.sizes[seat],
            heads=heads,
        ),
        say("give a number from {least} to {most}, or scan the cards", least=least, most=most),
    )


def _not_left(table: Table, seat: Seat, card: Card, seen: tuple[Card, ...]) -> Refused | None:
    """Why a card cannot be in the hand that is counted, beside those that were seen of it."""
    if fault := no_card(card):
        return fault
    if card in seen:
        return Refused(
            rules.ONE_OF_EACH,
            say("card {card} of this hand has already been counted", card=card),
            say("scan the next card"),
        )
    if fault := not_in_hand(table, seat, card):
        return fault
    known = table.known[seat]
    if len(known.union(seen, (card,))) <= table.sizes[seat]:
        return None
    return Refused(
        rules.HANDS,
        count(
            "{player} has {count} card, and it must be {cards}",
            "{player} has {count} cards, and {cards} must be among them",
            table.sizes[seat],
            player=who(seat),
            cards=listed(sorted(known.difference(seen))),
        ),
        say("scan these cards, or undo the wrong one"),
    )


def _not_counting() -> Refused:
    return Refused(
        rules.OUT,
        say("no hand is being counted now"),
        say("hands are counted when somebody has no cards left; continue playing"),
    )
