"""What Ciao! asks, and how an answer is read as a command; whether it is legal is decided elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.ask import TYPED, Ask, AskKind, Wait
from companion.cards import Seat, called
from companion.errors import UnknownCard, quoted
from companion.games.ciao.cards import Card, typed
from companion.games.ciao.commands import (
    Claim,
    Command,
    Done,
    Draw,
    Give,
    Hand,
    HandCard,
    Keep,
    Mode,
    Name,
    Play,
    Race,
    RaceOff,
    Thanks,
    Trouble,
    Whom,
)
from companion.games.ciao.counting import rest
from companion.games.ciao.effects import AGAIN, MODES, NAMES, REVERSE
from companion.games.ciao.explain import who
from companion.games.ciao.table import Stage
from companion.text import Text, count, say

if TYPE_CHECKING:
    from companion.games.ciao.agreement import Agreement
    from companion.games.ciao.table import Table

DRAW: Final = "draw"
KEEP: Final = "keep"
NOT_SHOWN: Final = "not shown"
NOBODY: Final = "nobody"
REST: Final = "rest"
THANKED: Final = ("yes", "no")
GOES: Final = ("goes", "stays")


def asks(table: Table) -> tuple[Ask, ...]:  # noqa: PLR0911 - one line per stage
    """The open questions; none when the deal is over."""
    actor = (table.actor,)
    match table.stage:
        case Stage.TURN:
            return _turn(table)
        case Stage.DRAWN:
            word = Ask(AskKind.DONE, actor, Wait.ONE, say("OK=KEEP IT"), (KEEP,), (say("KEEP IT"),))
            return (Ask(AskKind.PLAY, actor, Wait.ONE, say("PLAY THE DRAWN CARD?")), word)
        case Stage.NAME:
            named = (say("ROCK"), say("PAPER"), say("SCISSORS"))
            return (_decide(table, say("WHICH SYMBOL?"), NAMES, named),)
        case Stage.MODE:
            labels = (say("PLAY AGAIN"), say("REVERSE"))
            return (_decide(table, say("AGAIN OR REVERSE?"), MODES, labels),)
        case Stage.TROUBLE:
            labels = (say("YES, DISCARD IT"), say("NO, KEEP IT"))
            return (_decide(table, say("A TROUBLE CARD TOO?"), GOES, labels),)
        case Stage.TO:
            return (_whom(table, say("WHO GETS A CARD?")),)
        case Stage.WITH:
            return (_whom(table, say("SWAP HANDS WITH?")),)
        case Stage.GIVE:
            word = Ask(AskKind.DONE, actor, Wait.ONE, say("OK=NOT SHOWN"), (NOT_SHOWN,), (say("NOT SHOWN"),))
            return (Ask(AskKind.GIVE, actor, Wait.ONE, say("SCAN CARD TO GIVE"), card=table.top), word)
        case Stage.THANKS:
            other = called(table.other or Seat(0))
            labels = (say("YES"), say("NO: DRAWS 3"))
            return (_decide(table, say("THANKS FROM {player}?", player=other), THANKED, labels),)
        case Stage.RACE:
            word = Ask(
                AskKind.DONE, table.racers, Wait.ANY, say("OK=NOBODY CAN"), (NOBODY,), (say("NOBODY CAN"),)
            )
            return (Ask(AskKind.RACE, table.racers, Wait.ANY, say("SPEED CHALLENGE!"), card=table.top), word)
        case Stage.CLAIM:
            card = table.shown or Card("")
            seats = tuple(sorted(table.racers))
            choices = tuple(map(str, seats))
            return (Ask(AskKind.CLAIM, seats, Wait.ONE, who(card), choices, card=card),)
        case Stage.COUNT:
            return _count(table)


def _decide(table: Table, says: Text, choices: tuple[str, ...], labels: tuple[Text, ...]) -> Ask:
    return Ask(AskKind.DECIDE, (table.actor,), Wait.ONE, says, choices, labels, card=table.top)


def _whom(table: Table, says: Text) -> Ask:
    others = tuple(str(seat) for seat in table.players if seat != table.actor)
    return Ask(AskKind.WHOM, (table.actor,), Wait.ONE, says, others, card=table.top)


def _turn(table: Table) -> tuple[Ask, ...]:
    number = table.pending or 1
    if table.pending:
        says = say("JOKER, +3, OR DRAW {cards}", cards=number)
    elif table.top:
        says = say("SCAN, OR OK=DRAW 1")
    else:
        says = say("OPEN WITH ANY CARD")
    draw = say("DRAW {cards}", cards=number)
    word = Ask(AskKind.DRAW, (table.turn,), Wait.ONE, say("OK={what}", what=draw), (DRAW,), (draw,))
    return (Ask(AskKind.PLAY, (table.turn,), Wait.ONE, says, card=table.top), word)


def _count(table: Table) -> tuple[Ask, ...]:
    seats = table.uncounted
    if not seats:
        return ()
    seat = seats[0]
    have, need = tuple(table.counting[seat]), table.hands[seat].size
    says = say("SCAN THE WHOLE HAND")
    hand = Ask(AskKind.HAND, seats, Wait.ALL, says, have=have, need=need)
    known = rest(table, seat)
    if known is None:
        return (hand,)
    label = count("{count} KNOWN CARD", "{count} KNOWN CARDS", len(known))
    return (hand, Ask(AskKind.DONE, (seat,), Wait.ONE, say("OK={what}", what=label), (REST,), (label,)))


def read(agreement: Agreement, ask: Ask, seat: Seat | None, text: str) -> Command:
    """An answer as a command. Raises `UnknownCard`."""
    match ask.kind:
        case AskKind.PLAY:
            card, name = read_card(agreement, text)
            return Play(card, seat, name=name)
        case AskKind.RACE:
            card, name = read_card(agreement, text)
            return Race(card, seat, name=name)
        case AskKind.GIVE:
            return Give(read_card(agreement, text)[0], seat)
        case AskKind.HAND:
            return _hand(agreement, ask, seat, text)
        case AskKind.CLAIM:
            return Claim(read_card(agreement, ask.card)[0], _player(ask, text, seat))
        case AskKind.WHOM:
            return Whom(_player(ask, text, None))
        case AskKind.DECIDE | AskKind.DRAW | AskKind.DONE:
            return _word(ask, seat, text)
        case _:
            raise UnknownCard(f"Ciao! never asks to {ask.kind.value}", "answer the open question")


def _player(ask: Ask, text: str, seat: Seat | None) -> Seat:
    if text in ask.choices:
        return Seat(int(text))
    if seat is None:
        raise UnknownCard(f"{quoted(text)} is not a player", "name one of the players to choose from")
    return seat


def _hand(agreement: Agreement, ask: Ask, seat: Seat | None, text: str) -> Command:
    whose = ask.seats[0] if seat is None or seat not in ask.seats else seat
    if text.startswith(TYPED):
        number = text.removeprefix(TYPED)
        if not (number.isascii() and number.isdigit() and len(number) <= 4):  # noqa: PLR2004 - far above any hand
            raise UnknownCard(f"{quoted(text)} is not a number of points", "type the points of the hand")
        return Hand(whose, points=int(number))
    return HandCard(read_card(agreement, text)[0], whose)


def _word(ask: Ask, seat: Seat | None, text: str) -> Command:
    words: dict[str, Command] = {
        DRAW: Draw(seat),
        KEEP: Keep(seat),
        NOT_SHOWN: Give(None, seat),
        NOBODY: RaceOff(),
        REST: Done(ask.seats[0]),
        AGAIN: Mode(AGAIN, seat),
        REVERSE: Mode(REVERSE, seat),
        **{name: Name(name, seat) for name in NAMES},
        **{word: Thanks(word == THANKED[0], seat) for word in THANKED},
        **{word: Trouble(word == GOES[0], seat) for word in GOES},
    }
    if text not in words or text not in ask.choices:
        raise UnknownCard(
            f"{quoted(text)} is not a valid answer", "answer with one of: " + ", ".join(ask.choices)
        )
    return words[text]


def read_card(agreement: Agreement, text: str) -> tuple[Card, str | None]:
    """A card by its name or its number, and the symbol named with a joker. Raises `UnknownCard`."""
    plain = text.strip()
    codes = agreement.codes()
    if plain.isascii() and plain.isdigit() and len(plain) <= 3:  # noqa: PLR2004 - three digits in a code
        if 1 <= int(plain) <= len(codes):
            return codes[int(plain) - 1], None
    elif (found := typed(plain)) is not None:
        return found
    raise UnknownCard(
        f"{text[:20]!r} is not a Ciao! card",
        f"scan the card again, or give its number, 1 to {len(codes)}",
    )
