"""Who is asked what, and how an answer is read as a command. Nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core import answers
from companion.core.answers import read_choice, read_points
from companion.core.ask import TYPED, UNSEEN, Ask, AskKind, Wait
from companion.core.cards import Card, Seat
from companion.games.eleven.box import CARDS, DEALT, DECK
from companion.games.eleven.commands import (
    BullFrom,
    Choose,
    Command,
    Done,
    ForgetHands,
    Hand,
    HandCard,
    PlayCard,
    Register,
    Take,
    TurnUp,
)
from companion.games.eleven.hands import rest_is_known
from companion.games.eleven.legal import can_lay, givers, may_lay, open_to, opens_pile
from companion.games.eleven.registering import registering
from companion.games.eleven.table import Table, TurnedUp
from companion.text.errors import UnknownCard, quoted
from companion.text.sentence import Text, count, say

if TYPE_CHECKING:
    from companion.games.eleven.options import Options

DONE: Final = "done"
WITHOUT_HANDS: Final = "without hands"


def asks(table: Table, agreed: Options) -> tuple[Ask, ...]:
    """The open questions; none when the deal is over."""
    if table.counting:
        return _ask_hand(table)
    if seats := registering(table, agreed):
        return _ask_dealt_hand(table, seats)
    if table.due:
        return (_ask_new_piles(table),)
    seats = (table.turn,)
    if table.taking is not None:
        choices = tuple(map(str, givers(table, agreed)))
        return (Ask(AskKind.WHOM, seats, Wait.ONE, say("BULL CARD FROM WHOM?"), choices=choices),)
    if table.waiting is not None:
        piles = tuple(str(pile.number) for pile in open_to(table, table.waiting, agreed))
        says = say("{card}: WHICH PILE?", card=table.waiting)
        return (Ask(AskKind.CHOOSE, seats, Wait.ONE, says, choices=piles, card=str(table.waiting)),)
    asks: list[Ask] = []
    if may_lay(table, agreed):
        have = tuple(str(one.card) for one in table.laid)
        vain = not can_lay(table, agreed)
        asks.append(Ask(AskKind.PLAY, seats, Wait.ONE, _says(table), have=have, unanswerable=vain))
    if table.moving:
        asks.append(_ask_done(table.turn, say("MOVE IS DONE")))
    elif table.piles:
        piles = tuple(str(pile.number) for pile in table.piles)
        asks.append(Ask(AskKind.TAKE, seats, Wait.ONE, say("TAKE WHICH PILE?"), choices=piles))
    return tuple(asks)


def _ask_hand(table: Table) -> tuple[Ask, ...]:
    seat = table.next_hand
    if seat is None:
        return ()
    have = tuple(map(str, table.seen))
    need = table.sizes[seat]
    says = count("SCAN THE LAST CARD", "SCAN THE {count} CARDS", need)
    hand = Ask(AskKind.HAND, (seat,), Wait.ONE, says, have=have, need=need)
    if not rest_is_known(table, seat):
        return (hand,)
    return (hand, _ask_done(seat, say("THE REST IS KNOWN")))


def _ask_dealt_hand(table: Table, seats: tuple[Seat, ...]) -> tuple[Ask, ...]:
    have = (UNSEEN,) * len(table.known[seats[0]])
    label = say("WITHOUT HANDS")
    return (
        Ask(AskKind.HOLD, seats, Wait.ANY, say("SCAN YOUR HAND"), have=have, need=DEALT),
        Ask(AskKind.DONE, seats, Wait.ANY, label, choices=(WITHOUT_HANDS,), labels=(label,)),
    )


def _ask_new_piles(table: Table) -> Ask:
    if table.untouched:
        says = say("TURN UP ONE CARD")
    else:
        says = count("TURN UP {count} CARD", "TURN UP {count} CARDS", table.due)
    newest = [one for one in table.newest if isinstance(one, TurnedUp)]
    have = tuple(str(one.card) for one in newest)
    return Ask(AskKind.TURN_UP, table.players, Wait.ANY, says, have=have, need=len(have) + table.due)


def _ask_done(seat: Seat, label: Text) -> Ask:
    says = say("OK: {what}", what=label)
    return Ask(AskKind.DONE, (seat,), Wait.ONE, says, choices=(DONE,), labels=(label,))


def _says(table: Table) -> Text:
    if opens_pile(table):
        return say("OPEN A PILE")
    if table.moving:
        return say("MORE CARDS, OR OK")
    return say("SCAN CARD / TAKE PILE")


def read(ask: Ask, seat: Seat | None, text: str) -> Command:
    """An answer as a command: a card, a pile, a seat, a word; `=13` for the heads of a hand."""
    match ask.kind:
        case AskKind.HOLD:
            return Register(ask.seats[0] if seat is None else seat, read_card(text))
        case AskKind.DONE if text == WITHOUT_HANDS and text in ask.choices:
            return ForgetHands()
        case AskKind.TURN_UP:
            return TurnUp((read_card(text),))
        case AskKind.CHOOSE:
            return Choose(int(read_choice(ask, text, say("{text} is not a pile"))), seat)
        case AskKind.TAKE:
            return Take(int(read_choice(ask, text, say("{text} is not a pile"))), seat=seat)
        case AskKind.WHOM:
            return BullFrom(Seat(int(read_choice(ask, text, say("{text} is not a player")))), seat)
        case AskKind.DONE:
            if text not in ask.choices:
                raise UnknownCard(
                    say("{text} is not a valid answer", text=quoted(text)),
                    say("answer {done}", done=repr(DONE)),
                )
            return Done(seat)
        case AskKind.HAND:
            if text.startswith(TYPED):
                owner = ask.seats[0] if seat is None else seat
                return Hand(owner, heads=read_points(text))
            return HandCard(read_card(text), seat)
        case _:
            return PlayCard(read_card(text), seat=seat)


def read_card(text: str) -> Card:
    """The card that a text names. Raises `UnknownCard` for anything but 1 to 100."""
    return answers.read_card(text, CARDS, "11 nimmt!")


def cards(_table: Table) -> tuple[str, ...]:
    """1 to 100."""
    return DECK


def card_in_use(_table: Table, text: str) -> str:
    """A number from 1 to 100. Raises `UnknownCard`."""
    return str(read_card(text))
