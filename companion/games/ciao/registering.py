"""Hands that are known completely, those of programs that play: scanned when dealt, and as cards come in.

A hand is asked for as soon as it holds a card that is not known: after the deal, after drawing, after a swap,
after a card that was given face down. No refusal names one of its cards, and nobody learns where a card is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.ask import AskKind
from companion.core.cards import Seat, who
from companion.core.game import Dealing
from companion.core.lifecycle import EndDeal, Join, Leave
from companion.core.ruling import Allowed, Refused
from companion.games.ciao import rules
from companion.games.ciao.cards import kind, split
from companion.games.ciao.commands import (
    Adopt,
    Command,
    Correct,
    ForgetHands,
    Register,
)
from companion.games.ciao.events import CardRegistered, Event, HandsForgotten, HandsSwapped
from companion.games.ciao.legal import not_playing
from companion.games.ciao.table import Stage
from companion.text.sentence import say

if TYPE_CHECKING:
    from companion.core.ask import Ask
    from companion.games.ciao.cards import Card
    from companion.games.ciao.table import Table

_ANY_TIME: Final = (Register, ForgetHands, Adopt, Correct, EndDeal, Join, Leave)
"""What may be done while a hand is to be scanned."""


def registering(table: Table) -> tuple[Seat, ...]:
    """The seats that hold cards which are to be scanned, clockwise from who began the deal.

    The hand that has been begun comes first.
    """
    agreed = table.agreed.hands
    if not agreed or table.unscanned or table.stage in (Stage.THANKS, Stage.COUNT):
        return ()  # thanks are said at once, or three more cards come
    first = table.players.index(table.first) if table.first in table.players else 0
    clockwise = (*table.players[first:], *table.players[:first])
    open_ = [seat for seat in clockwise if seat in agreed and not table.hands[seat].open]
    return tuple(sorted(open_, key=lambda seat: not table.hands[seat].known))


def register(table: Table, order: Register) -> Allowed[Event] | Refused:
    """Take a card into the hand in which it is."""
    seat, card = order.seat, order.held
    if fault := not_playing(table, seat):
        return fault
    if seat not in registering(table):
        return Refused(
            rules.SETUP, say("no card of {player} is to be scanned", player=who(seat)), say("play on")
        )
    if split(card) is None or not table.agreed.has(card):
        return Refused(
            rules.DECK,
            say("this card is not in the deck"),
            say("put it back in the box and take another card"),
        )
    if _is_elsewhere(table, card):
        # Neither the card nor its place is named: all at the table read this.
        return Refused(
            rules.SETUP, say("this card has been scanned already"), say("scan the next card of the hand")
        )
    return Allowed((CardRegistered(card, seat),), ())


def _is_elsewhere(table: Table, card: Card) -> bool:
    """Whether this very copy, or every copy of its kind, is known to be in some other place."""
    if not table.counts:
        return False
    held = (one for hand in table.hands for one in hand.known)
    known = [one for one in (*table.discards, *held) if kind(one).name == kind(card).name]
    return ("#" in card and card in known) or len(known) >= table.agreed.many(kind(card).name)


def hands_first(table: Table, command: Command) -> Refused | None:
    """A refusal to play on while cards are to be scanned."""
    if isinstance(command, _ANY_TIME) or not registering(table):
        return None
    return Refused(
        rules.SETUP,
        say("a card of a hand is to be scanned first"),
        say("scan the next card of the hand"),
    )


def forget(table: Table) -> Allowed[Event] | Refused:
    """Know no hand any more in this deal."""
    if not table.agreed.hands or table.unscanned or table.stage is Stage.COUNT:
        return Refused(rules.SETUP, say("no hand is known in this deal"), say("play on"))
    return Allowed((HandsForgotten(),), ())


def decides(table: Table) -> bool:
    """Whether a card is played, drawn or given, or something is chosen."""
    return not registering(table) and table.stage not in (Stage.CLAIM, Stage.THANKS, Stage.COUNT)


def hand_of(table: Table, seat: Seat) -> tuple[str, ...]:
    """The cards that a seat can still play, the newest last, if all of them are known."""
    hand = table.hands[seat]
    return hand.known if seat in table.players and hand.open else ()


def dealing(table: Table) -> Dealing:
    """Where the cards are."""
    sizes = tuple(hand.size for hand in table.hands)
    out = (*table.discards, *table.pile)
    return Dealing(table.agreed.cards(), out, sizes, tuple(hand.known for hand in table.hands))


def swapped(event: Event) -> tuple[Seat, Seat] | None:
    """Whose hands are swapped."""
    if not isinstance(event, HandsSwapped):
        return None
    one, other = event.seats
    return one, other


def only(table: Table, ask: Ask, hand: tuple[str, ...]) -> tuple[str, ...] | None:
    """The drawn card, which came last, is the only one to be played; a trouble card goes, if there is one."""
    if table.stage is Stage.DRAWN and ask.kind is AskKind.PLAY:
        return hand[-1:]
    if table.stage is Stage.TROUBLE:
        return (ask.choices[0] if any(kind(card).trouble for card in hand) else ask.choices[1],)
    return None
