"""What Ciao! asks and shows, and how answers are read. Whether an answer is legal is decided in `judge`.

`asks` are the open questions, `read` makes a command of an answer, `view` is the table for programs,
`board` for the display, and `audit` the check that no card is lost.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Final

from companion.core.ask import (
    TYPED,
    WITHOUT_HANDS,
    Ask,
    AskKind,
    Wait,
    asks_for_hand,
    read_player,
    read_points,
    read_whole,
)
from companion.core.board import Audit, Board, Stack, Tally
from companion.core.cards import Seat, called
from companion.core.game import Hides
from companion.core.ruling import ForgetHands
from companion.games.ciao import records, rules
from companion.games.ciao.cards import Card, Symbol, face, typed
from companion.games.ciao.effects import TurnEffect
from companion.games.ciao.explain import IN_CAPITALS, asks_who, beating, fits, line, sign
from companion.games.ciao.judge import rest
from companion.games.ciao.legal import registering
from companion.games.ciao.options import Options
from companion.games.ciao.table import CiaoTable, Stage, fits_the_deck
from companion.text.errors import UnknownCard, quoted
from companion.text.sentence import NOTHING, Text, count, say

_NAME_ONE: Final = say("name one of the players to choose from")


class Word(Enum):
    """An answer that is no card and no player; the value is the choice of the question."""

    DRAW = "draw"
    KEEP = "keep"
    NOT_SHOWN = "not shown"
    NOBODY = "nobody"
    """Nobody can answer the challenge."""
    REST = "rest"
    """The cards of the hand that were not scanned are the known ones."""
    YES = "yes"
    """The receiver said thank you."""
    NO = "no"
    GOES = "goes"
    """A trouble card is discarded as well."""
    STAYS = "stays"


def asks(table: CiaoTable) -> tuple[Ask, ...]:  # noqa: PLR0911 - one line per stage
    """The open questions; none when the deal is over."""
    actor = (table.actor,)
    if seats := registering(table):
        hand = table.hands[seats[0]]
        return asks_for_hand(seats, len(hand.known), hand.size)
    match table.stage:
        case Stage.TURN:
            return _turn(table)
        case Stage.DRAWN:
            keep = _instead(actor, Wait.ONE, say("OK=KEEP IT"), Word.KEEP, say("KEEP IT"))
            return (Ask(AskKind.PLAY, actor, Wait.ONE, say("PLAY THE DRAWN CARD?")), keep)
        case Stage.NAME:
            symbols = (say("ROCK"), say("PAPER"), say("SCISSORS"))
            return (_decide(table, say("WHICH SYMBOL?"), Symbol, symbols),)
        case Stage.MODE:
            return (
                _decide(table, say("AGAIN OR REVERSE?"), TurnEffect, (say("PLAY AGAIN"), say("REVERSE"))),
            )
        case Stage.TROUBLE:
            labels = (say("YES, DISCARD IT"), say("NO, KEEP IT"))
            return (_decide(table, say("A TROUBLE CARD TOO?"), (Word.GOES, Word.STAYS), labels),)
        case Stage.TO:
            return (_whom(table, say("WHO GETS A CARD?")),)
        case Stage.WITH:
            return (_whom(table, say("SWAP HANDS WITH?")),)
        case Stage.GIVE:
            hidden = _instead(actor, Wait.ONE, say("OK=NOT SHOWN"), Word.NOT_SHOWN, say("NOT SHOWN"))
            return (Ask(AskKind.GIVE, actor, Wait.ONE, say("SCAN CARD TO GIVE"), card=table.top), hidden)
        case Stage.THANKS:
            says = say("THANKS FROM {player}?", player=called(table.other or Seat(0)))
            return (_decide(table, says, (Word.YES, Word.NO), (say("YES"), say("NO: DRAWS 3"))),)
        case Stage.RACE:
            seats = table.racers
            nobody = _instead(seats, Wait.ANY, say("OK=NOBODY CAN"), Word.NOBODY, say("NOBODY CAN"))
            return (Ask(AskKind.RACE, seats, Wait.ANY, say("SPEED CHALLENGE!"), card=table.top), nobody)
        case Stage.CLAIM:
            card = table.shown or Card("")
            seats = tuple(sorted(table.racers))
            choices = tuple(map(str, seats))
            return (Ask(AskKind.CLAIM, seats, Wait.ONE, asks_who(card), choices, card=card),)
        case Stage.COUNT:
            return _count(table)


def _decide(table: CiaoTable, says: Text, choices: Iterable[Enum], labels: tuple[Text, ...]) -> Ask:
    words = tuple(choice.value for choice in choices)
    return Ask(AskKind.DECIDE, (table.actor,), Wait.ONE, says, words, labels, card=table.top)


def _instead(seats: tuple[Seat, ...], wait: Wait, says: Text, word: Word, label: Text) -> Ask:
    """The question beside another one that a word answers, so that OK is enough."""
    return Ask(AskKind.DONE, seats, wait, says, (word.value,), (label,))


def _whom(table: CiaoTable, says: Text) -> Ask:
    others = tuple(str(seat) for seat in table.players if seat != table.actor)
    return Ask(AskKind.WHOM, (table.actor,), Wait.ONE, says, others, card=table.top)


def _turn(table: CiaoTable) -> tuple[Ask, ...]:
    number = table.pending or 1
    if table.pending:
        says = say("JOKER, +3, OR DRAW {cards}", cards=number)
    elif table.top:
        says = say("SCAN, OR OK=DRAW 1")
    else:
        says = say("OPEN WITH ANY CARD")
    draw = say("DRAW {cards}", cards=number)
    word = Ask(
        AskKind.DRAW, (table.turn,), Wait.ONE, say("OK={what}", what=draw), (Word.DRAW.value,), (draw,)
    )
    return (Ask(AskKind.PLAY, (table.turn,), Wait.ONE, says, card=table.top), word)


def _count(table: CiaoTable) -> tuple[Ask, ...]:
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
    return (hand, _instead((seat,), Wait.ONE, say("OK={what}", what=label), Word.REST, label))


def read(agreed: Options, ask: Ask, seat: Seat | None, text: str) -> records.Command:
    """An answer as a command. Raises `UnknownCard`."""
    match ask.kind:
        case AskKind.PLAY:
            card, name = read_card(agreed, text)
            return records.Play(card, seat, name=name)
        case AskKind.RACE:
            card, name = read_card(agreed, text)
            return records.Race(card, seat, name=name)
        case AskKind.HOLD:
            return records.Register(ask.seats[0] if seat is None else seat, read_card(agreed, text)[0])
        case AskKind.GIVE:
            return records.Give(read_card(agreed, text)[0], seat)
        case AskKind.HAND:
            return _hand(agreed, ask, seat, text)
        case AskKind.CLAIM:
            owner = read_player(ask, seat, text, _NAME_ONE)
            return records.Claim(read_card(agreed, ask.card)[0], owner)
        case AskKind.WHOM:
            return records.ChoosePlayer(read_player(ask, None, text, _NAME_ONE))
        case AskKind.DECIDE | AskKind.DRAW | AskKind.DONE:
            return _word(ask, seat, text)
        case _:
            raise UnknownCard(
                say("Ciao! never asks to {value}", value=ask.kind.value), say("answer the open question")
            )


def _hand(agreed: Options, ask: Ask, seat: Seat | None, text: str) -> records.Command:
    # The table counts one hand after the other, so a card without a badge is of the hand that is asked for.
    whose = ask.seats[0] if seat is None or seat not in ask.seats else seat
    if text.startswith(TYPED):
        return records.Hand(whose, points=read_points(text))
    return records.HandCard(read_card(agreed, text)[0], whose)


def _word(ask: Ask, seat: Seat | None, text: str) -> records.Command:
    words: dict[str, records.Command] = {
        Word.DRAW.value: records.Draw(seat),
        Word.KEEP.value: records.Keep(seat),
        Word.NOT_SHOWN.value: records.Give(None, seat),
        Word.NOBODY.value: records.RaceOff(),
        Word.REST.value: records.Done(ask.seats[0]),
        Word.YES.value: records.Thanks(said=True, seat=seat),
        Word.NO.value: records.Thanks(said=False, seat=seat),
        Word.GOES.value: records.DiscardTrouble(goes=True, seat=seat),
        Word.STAYS.value: records.DiscardTrouble(goes=False, seat=seat),
        WITHOUT_HANDS: ForgetHands(),
        **{turn.value: records.Mode(turn.value, seat) for turn in TurnEffect},
        **{symbol.value: records.Name(symbol.value, seat) for symbol in Symbol},
    }
    if text not in words or text not in ask.choices:
        raise UnknownCard(
            say("{text} is not a valid answer", text=quoted(text)),
            say("answer with one of: {choices}", choices=tuple(ask.choices)),
        )
    return words[text]


def read_card(agreed: Options, text: str) -> tuple[Card, str | None]:
    """A card by its name or its number, and the symbol named with a joker. Raises `UnknownCard`."""
    plain = text.strip()
    codes = agreed.codes
    if (number := read_whole(plain, 3)) is not None:  # three digits in a code
        if 1 <= number <= len(codes):
            return codes[number - 1], None
    elif (found := typed(plain)) is not None:
        return found
    raise UnknownCard(
        say("{text} is not a Ciao! card", text=repr(text[:20])),
        say("scan the card again, or give its number, 1 to {codes}", codes=len(codes)),
    )


def card_in_use(table: CiaoTable, text: str) -> str:
    """A card as the device calls it: a joker on top by the symbol it was named. Raises `UnknownCard`."""
    card = read_card(table.agreed, text)[0]
    return table.top if table.discards[-1:] == (card,) else card


# --------------------------------------------------------------------------------------------- what is shown


HIDDEN: Final[Mapping[str, Hides]] = {"hands": Hides.ALL, "pile": Hides.ALL, "drawn": Hides.ALL}
"""Nobody sees another hand, the draw pile, or the card that was drawn."""

HIDDEN_IN_EVENTS: Final[Mapping[str, Mapping[str, Hides]]] = {
    "card_registered": {"held": Hides.ALL},
    "card_given": {"card": Hides.ALL},
    "cards_drawn": {"cards": Hides.ALL},
    "table_adopted": {"hands": Hides.ALL, "pile": Hides.ALL},
}
"""The same in events. A card that was played lies open, even by mistake, and so do hands that are counted."""


def view(table: CiaoTable) -> dict[str, Any]:
    """The game's part of the protocol's state; what a position takes has the same name."""
    return {
        "top": table.top or None,
        "top_copy": table.top_copy,
        "turn": table.turn,
        "dir": table.dir,
        "pending": table.pending,
        "hand_sizes": [hand.size for hand in table.hands],
        "hands": [list(hand.known) for hand in table.hands],
        "draw": table.draw,
        "pile": list(table.pile),
        "discards": list(table.discards[:-1]),
        "skips": list(table.skips),
        "race": table.challenger,
        "stage": table.stage.value,
        "drawn": table.drawn,
        "shown": table.shown,
        "out": table.out,
        "counted": list(table.counted),
        "seen": [list(cards) for cards in table.counting],
    }


def board(table: CiaoTable) -> Board:
    """The top card, what beats it, the direction of play, and everybody's number of cards."""
    stacks = (Stack((table.top,), 0, 0, "", "0"),) if table.top else ()
    lines = tuple(made for event in table.news if (made := line(event, len(table.players))) is not None)
    skips = (Tally(say("SKIP"), table.skips),) if any(table.skips) else ()
    hands = tuple(hand.size for hand in table.hands)
    agreed = table.agreed
    beats = beating(
        table.top, colours=agreed.colours, pending=bool(table.pending), ordered=agreed.plus3_higher
    )
    return Board(
        stacks,
        table.moves + 1,
        0,
        _hint(table),
        lines,
        _facts(table),
        hands,
        skips,
        top=sign(table.top) if table.top else None,
        beats=beats,
    )


def _hint(table: CiaoTable) -> Text:
    if any(isinstance(event, records.Reshuffled) for event in table.news):
        return rules.RESHUFFLE.title
    if table.fresh and not table.draw:
        return say("NO CARDS TO DRAW YET")
    if table.pending:
        return say("DRAW {cards}, OR JOKER", cards=table.pending)
    return NOTHING


def _facts(table: CiaoTable) -> tuple[Text, ...]:
    way = say("CLOCKWISE") if table.dir == 1 else say("REVERSED")
    return (*_top(table), say("PILE {cards}, {way}", cards=table.draw, way=way))


def _top(table: CiaoTable) -> tuple[Text, ...]:
    shown = face(table.top)
    if not table.top:
        return (say("NO CARD PLAYED YET"), say("OPEN WITH ANY CARD"))
    if shown is None:
        return (say("TOP JOKER"),)
    facts = {"symbol": IN_CAPITALS[shown.symbol], "colour": IN_CAPITALS[shown.colour]}
    agreed = table.agreed
    named = say("TOP {symbol} {colour} J", **facts) if table.named else say("TOP {symbol} {colour}", **facts)
    pending, ordered = bool(table.pending), agreed.plus3_higher
    return (named, *fits(table.top, colours=agreed.colours, pending=pending, ordered=ordered))


def audit(table: CiaoTable) -> Audit:
    """Cards in hands, in the draw pile and on the table against those that are in the deal."""
    hands = sum(hand.size for hand in table.hands)
    lying = len(table.discards)
    says = say("HANDS {hands} PILE {draw}+{lying}", hands=hands, draw=table.draw, lying=lying)
    faults: list[Text] = []
    located = [*table.discards, *table.pile, *(card for hand in table.hands for card in hand.known)]
    if table.counts and not fits_the_deck(table.agreed, located):
        faults.append(say("a card is in two places"))
    if any(not 0 <= len(hand.known) <= hand.size for hand in table.hands):
        faults.append(say("a hand has fewer cards than are known to be in it"))
    return Audit(hands + table.draw + lying, table.total, says, tuple(faults))
