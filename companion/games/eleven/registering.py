"""Hands that are scanned when they are dealt, those of programs that play: they are known then, and hidden.

No refusal names one of their cards, and nobody learns where a card is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.cards import Seat, who
from companion.core.refusals import not_playing
from companion.core.ruling import Allowed, Refused
from companion.games.eleven import rules
from companion.games.eleven.box import DEALT
from companion.games.eleven.events import CardRegistered, Event, HandsForgotten
from companion.games.eleven.hands import no_card, not_known
from companion.text.sentence import say

if TYPE_CHECKING:
    from companion.games.eleven.commands import Register
    from companion.games.eleven.options import Options
    from companion.games.eleven.table import Table


def registering(table: Table, agreed: Options) -> tuple[Seat, ...]:
    """The seats whose hands are to be scanned before the first card is turned up.

    The hand that has been begun comes first, then they follow clockwise from who starts.
    """
    if not agreed.hands or not table.untouched or table.unscanned:
        return ()
    first = table.players.index(table.turn)
    clockwise = (*table.players[first:], *table.players[:first])
    open_ = [seat for seat in clockwise if seat in agreed.hands and not_known(table, seat)]
    return tuple(sorted(open_, key=lambda seat: not table.known[seat]))


def register(table: Table, order: Register, agreed: Options) -> Allowed[Event] | Refused:
    """Take a card into the hand that it was dealt to."""
    seat, card = order.seat, order.held
    if not table.untouched:
        return Refused(
            rules.HANDS,
            say("a hand is scanned before the first card is turned up"),
            say("play on, or undo back to the deal"),
        )
    if fault := not_playing(table.players, seat, rules.PLAYERS) or no_card(card):
        return fault
    if len(table.known[seat]) >= DEALT:
        return Refused(
            rules.HANDS,
            say("all cards of {player} are scanned", player=who(seat)),
            say("scan the cards of another player"),
        )
    if seat not in registering(table, agreed):
        return Refused(
            rules.HANDS,
            say("the hand of {player} is not scanned in this deal", player=who(seat)),
            say("play on"),
        )
    if any(card in hand for hand in table.known):
        # Neither the card nor its place is named: all at the table read this.
        return Refused(
            rules.ONE_OF_EACH,
            say("this card has been scanned already"),
            say("scan the next card of the hand"),
        )
    return Allowed((CardRegistered(card, seat),), ())


def hands_first(table: Table, agreed: Options) -> Refused | None:
    """A refusal of the first card while hands are to be scanned."""
    if not registering(table, agreed):
        return None
    return Refused(
        rules.HANDS,
        say("a hand is scanned before the first card is turned up"),
        say("scan the next card of the hand"),
    )


def forget(table: Table, agreed: Options) -> Allowed[Event] | Refused:
    """Know nothing more of the hands that were scanned."""
    seats = tuple(seat for seat in table.players if seat in agreed.hands)
    if not seats or table.unscanned:
        return Refused(rules.HANDS, say("no hand is known in this deal"), say("play on"))
    return Allowed((HandsForgotten(seats),), ())


def decides(table: Table) -> bool:
    """Whether a player moves, or chooses a pile or who gives a bull card."""
    return bool(not table.counting and not table.due)


def hand_of(table: Table, seat: Seat) -> tuple[str, ...]:
    """The cards that a seat can still play, if all of them are known."""
    whole = seat in table.players and not not_known(table, seat)
    return tuple(map(str, sorted(table.known[seat]))) if whole else ()
