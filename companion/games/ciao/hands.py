"""Where a card of Ciao! can be, and which hands are known. Nothing is changed here.

The hands of programs that play are known completely: they are scanned when they are dealt, and whenever they
hold a card that is not known (after drawing, after a swap, after a card that was given face down). No refusal
names one of their cards, and nobody learns where a card is.
"""

from collections.abc import Iterator
from typing import Final

from companion.core import ruling
from companion.core.cards import Seat, who
from companion.core.codec import Record
from companion.core.ruling import Allowed, ForgetHands, Illegal, require
from companion.games.ciao import records, rules
from companion.games.ciao.cards import Card, kind, may_be_same, split
from companion.games.ciao.explain import words
from companion.games.ciao.table import CiaoTable, Stage
from companion.text.sentence import Text, say

Ruling = Allowed[Record]

_SCAN_AGAIN: Final = say("scan the card again, or undo an earlier wrong scan")


def register(table: CiaoTable, command: records.Register) -> Ruling:
    """Take a card into the hand in which it is."""
    seat, card = command.seat, command.held
    check_playing(table, seat)
    fault = say("none of {player}'s cards needs scanning", player=who(seat))
    rules.SETUP.demands(seat in table.registering, fault, "play on")
    known = split(card) is not None and table.agreed.has(card)
    fix = say("put it back in the box and take another card")
    rules.DECK.demands(known, "this card is not in the deck", fix)
    # Neither the card nor its place is named: all at the table read this.
    fault = say("this card has been scanned already")
    rules.SETUP.demands(not _is_elsewhere(table, card), fault, "scan the next card of the hand")
    return Allowed((records.CardRegistered(card, seat),), ())


def _is_elsewhere(table: CiaoTable, card: Card) -> bool:
    """Whether this very copy, or every copy of its kind, is known to be in some other place."""
    if not table.counts:
        return False
    name = kind(card).name
    held = (known for hand in table.hands for known in hand.known)
    same = [known for known in (*table.discards, *held) if kind(known).name == name]
    return ("#" in card and card in same) or len(same) >= table.agreed.many(name)


def forget_hands(table: CiaoTable, _command: ForgetHands) -> Ruling:
    """Know no hand any more in this deal."""
    known = table.agreed.hands and not table.unscanned and table.stage is not Stage.COUNT
    rules.SETUP.demands(known, "no hand is known in this deal", "play on")
    return Allowed((records.HandsForgotten(),), ())


def check_playing(table: CiaoTable, seat: Seat) -> None:
    """Somebody plays at that seat."""
    require(ruling.not_playing(table.players, seat, rules.PLAYERS))


def check_held(table: CiaoTable, seat: Seat, card: str) -> None:
    """A card can be in a hand: it is in the deck, and not known to be elsewhere.

    What else is in this hand, in another one or in the draw pile is not told: nobody may see it.
    """
    if split(card) is None:
        fix = say("a card is written like gR, gR:+3, yJ, T or gR#2")
        raise rules.DECK.forbids("{card} is not a Ciao! card", fix, card=words(card))
    held, hand = Card(card), table.hands[seat]
    # A table that was set up may have more of a kind than the deck: then nothing can be concluded from it.
    if table.counts and not table.agreed.has(held):
        raise _not_in_the_deck(table, held)
    if hand.holding(held) is not None:
        return
    if hand.open:
        fault = say("{card} is not in {player}'s hand", card=words(card), player=who(seat))
        raise rules.DECK.forbids(fault, _SCAN_AGAIN if hand.size else say("that hand is empty"))
    if (elsewhere := _elsewhere(table, seat, held)) is not None:
        raise rules.DECK.forbids(elsewhere, _SCAN_AGAIN)


def _not_in_the_deck(table: CiaoTable, card: Card) -> Illegal:
    printed, agreed = kind(card), table.agreed
    facts = {"card": words(card), "step": agreed.step}
    if agreed.young and (printed.icon or printed.trouble or printed.joker) and not agreed.many(printed.name):
        rule = rules.YOUNG_CARDS if printed.trouble or printed.joker else rules.YOUNG
        fault = say("{card} is not in the deck in step {step}", **facts)
        return rule.forbids(fault, "put it back in the box")
    fault = say(
        "{card}: the deck has {number} of them, and this is one too many",
        number=agreed.many(printed.name),
        **facts,
    )
    return rules.DECK.forbids(fault, "put it back in the box, or agree on another deck before a match")


def _elsewhere(table: CiaoTable, seat: Seat, card: Card) -> Text | None:
    """Where a card is, if it cannot be in the hand: this very copy, or all cards of its kind."""
    name = kind(card).name
    many = table.agreed.many(name)
    # Most cards are of another kind, which the beginning of a name tells quickly.
    outside = [
        other for other in table.outside_hand(seat) if other.startswith(name) and kind(other).name == name
    ]
    if card in outside and ("#" in card or (table.counts and many == 1)):
        found = next(where for other, where in _places(table, seat) if other == card)
        return say("this {card} is {where}", card=words(card), where=found)
    known = sum(may_be_same(held, name) for held in table.hands[seat].known)
    # What is known in the hand is another copy, else `holding` would have found it: it counts as well.
    if not table.counts or len(outside) + known < many:
        return None
    # Each place once: how many of them are hidden is nobody's business either.
    places: list[Text] = []
    for other, where in _places(table, seat):
        if kind(other).name == name and where not in places:
            places.append(where)
    return say("every {card} is elsewhere: {places}", card=words(name), places=tuple(places))


def _places(table: CiaoTable, seat: Seat) -> Iterator[tuple[Card, Text]]:
    """Every card that is known to be outside a hand, and where it is; not which hand, or whether a hand."""
    for place, card in enumerate(reversed(table.discards)):
        where = say("under the top card (number {place} from the top)", place=place + 1)
        yield card, where if place else say("on top")
    hidden = say("in another hand or in the draw pile")
    others = table.outside_hand(seat)[len(table.discards) :]
    yield from ((card, hidden) for card in others)
