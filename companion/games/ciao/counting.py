"""The end of a deal: the cards left in hands are scanned, or their points typed. Nothing is changed here."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from companion.core.cards import who
from companion.core.ruling import Refused
from companion.games.ciao import rules
from companion.games.ciao.box import points
from companion.games.ciao.cards import MOST_WORTH, kind, split
from companion.games.ciao.events import CardCounted, HandCounted
from companion.games.ciao.explain import words
from companion.games.ciao.follow_up import EventBuilder
from companion.games.ciao.hands import Hand as Held
from companion.games.ciao.legal import not_held, not_playing
from companion.games.ciao.table import Stage
from companion.text.sentence import count, say

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from companion.core.ruling import Allowed
    from companion.games.ciao.cards import Card
    from companion.games.ciao.commands import Hand, HandCard
    from companion.games.ciao.events import Event
    from companion.games.ciao.table import Table


def _not_to_count(table: Table, seat: Seat) -> Refused | None:
    if fault := not_playing(table, seat):
        return fault
    if table.stage is not Stage.COUNT:
        return Refused(
            rules.SCORING,
            say("hands are counted when the deal is over"),
            say("play on, or end the deal first"),
        )
    if seat not in table.uncounted:
        return Refused(
            rules.SCORING,
            say("{player}'s hand has already been counted", player=who(seat)),
            say("count {player}'s hand", player=who(table.uncounted[0])),
        )
    return None


def _cannot_be_held(table: Table, seat: Seat, cards: tuple[Card, ...]) -> Refused | None:
    """Why these cards cannot all be in a hand; they are added to those that were scanned before.

    The hand is emptied card by card, because what is known of it says which cards must still come.
    """
    left = Held(table.hands[seat].size, table.hands[seat].known)
    before = table.counting[seat]
    for card in (*before, *cards):
        if fault := not_held(table, seat, card):
            return fault
        if left.size <= 0:
            return Refused(
                rules.SCORING,
                count(
                    "the hand of {player} has {count} card",
                    "the hand of {player} has {count} cards",
                    table.hands[seat].size,
                    player=who(seat),
                ),
                say("scan only these, or type the points"),
            )
        left = left.without(card)
        if len(left.known) > left.size:
            return Refused(
                rules.SCORING,
                say("{cards} must be in that hand", cards=tuple(map(words, left.known))),
                say("scan {player}'s cards", player=who(seat)),
            )
    for place, card in enumerate((*before, *cards)):
        if "#" in card and card in (*before, *cards)[:place]:
            return Refused(
                rules.DECK,
                say("this {card} has already been scanned", card=words(card)),
                say("scan the next card"),
            )
    others = (hand.known for other, hand in enumerate(table.hands) if other != seat)
    elsewhere = (*table.discards, *table.pile, *(card for known in others for card in known))
    return _too_many(table, (*before, *cards), (*elsewhere, *left.known))


def _too_many(table: Table, cards: tuple[Card, ...], elsewhere: tuple[Card, ...]) -> Refused | None:
    """More of a kind than the deck has, with those that are known to be elsewhere."""
    if not table.counts:
        return None
    kinds = Counter(found[0].name for one in (*cards, *elsewhere) if (found := split(one)))
    for name in (kind(card).name for card in cards):
        many = table.agreed.many(name)
        if kinds[name] > many:
            return Refused(
                rules.DECK,
                say(
                    "{card}: the deck has {number} of them, and this is one too many",
                    card=words(name),
                    number=many,
                ),
                say("scan the next card, or undo an earlier wrong scan"),
            )
    return None


def count_card(table: Table, order: HandCard) -> Allowed[Event] | Refused:
    """One card of a hand."""
    seat = order.seat
    if seat is None:
        if table.stage is not Stage.COUNT:
            return Refused(
                rules.SCORING, say("no hand is being counted now"), say("play on, or end the deal first")
            )
        seat = table.uncounted[0]
    if fault := _not_to_count(table, seat) or _cannot_be_held(table, seat, (order.card,)):
        return fault
    events = EventBuilder(table)
    events.add(CardCounted(seat, order.card))
    cards = events.table.counting[seat]
    if len(cards) >= table.hands[seat].size:
        events.add(HandCounted(seat, points(cards), cards))
    return events.allow()


def count_hand(table: Table, order: Hand) -> Allowed[Event] | Refused:
    """A whole hand."""
    seat = order.seat
    if fault := _not_to_count(table, seat):
        return fault
    size = table.hands[seat].size
    events = EventBuilder(table)
    if (order.cards is None) == (order.points is None):
        return Refused(
            rules.SCORING,
            say("a hand needs either its cards or its points"),
            say("give 'cards' or 'points'"),
        )
    if order.points is not None:
        if not size <= order.points <= MOST_WORTH * size:
            return Refused(
                rules.SCORING,
                count(
                    "{count} card cannot have {points} points",
                    "{count} cards cannot have {points} points",
                    size,
                    points=order.points,
                ),
                say("a card costs 1 to {most}: count again", most=MOST_WORTH),
            )
        events.add(HandCounted(seat, order.points, None))
        return events.allow()
    cards = order.cards or ()
    if table.counting[seat]:
        return Refused(
            rules.SCORING, say("the cards of that hand are being scanned"), say("scan the others one by one")
        )
    if fault := _cannot_be_held(table, seat, cards):
        return fault
    if len(cards) != size:
        return Refused(
            rules.SCORING,
            count(
                "{given} of {count} card was given",
                "{given} of {count} cards were given",
                size,
                given=len(cards),
            ),
            say("give all cards of the hand, or its points"),
        )
    events.add(HandCounted(seat, points(cards), cards))
    return events.allow()


def rest(table: Table, seat: Seat) -> tuple[Card, ...] | None:
    """The cards of a hand that were not scanned; None if they are not known, or if none is left."""
    left = Held(table.hands[seat].size, table.hands[seat].known)
    for card in table.counting[seat]:
        left = left.without(card)
    return left.known if left.size and left.open else None


def count_rest(table: Table, seat: Seat | None) -> Allowed[Event] | Refused:
    """The cards that were not scanned are the known ones."""
    if table.stage is not Stage.COUNT:
        return Refused(
            rules.SCORING, say("no hand is being counted now"), say("play on, or end the deal first")
        )
    seat = table.uncounted[0] if seat is None else seat
    if fault := _not_to_count(table, seat):
        return fault
    known = rest(table, seat)
    if known is None:
        return Refused(
            rules.SCORING,
            say("{player}'s other cards are not known", player=who(seat)),
            say("scan them, or type the points"),
        )
    cards = (*table.counting[seat], *known)
    events = EventBuilder(table)
    events.add(HandCounted(seat, points(cards), cards))
    return events.allow()
