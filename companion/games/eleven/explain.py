"""Why a ruling of 11 nimmt! was made, in words and for the display. Nothing is decided here.

Piles and players are counted from 1 here, because players read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.board import Line
from companion.cards import Card, Seat, seat_number
from companion.games.eleven import rules
from companion.games.eleven.box import NEW_PILES, PILE_FOR_BULL
from companion.games.eleven.events import (
    BullsReturned,
    CardLaid,
    DealStopped,
    Event,
    HandCounted,
    PileOpened,
    PileTaken,
    WentOut,
)
from companion.games.eleven.hands import listed
from companion.games.eleven.legal import above
from companion.games.eleven.table import Happened, Laid, Table, Took, TurnedUp, pile_name
from companion.ruling import Because
from companion.text import Text, count, say

if TYPE_CHECKING:
    from companion.games.eleven.options import Options


def why(before: Table, event: Event) -> tuple[Because, ...]:
    """The reasons for an event that was a decision; none for events that were only reported."""
    match event:
        case CardLaid(card, _, number, _):
            pile = before.pile(number)
            again = any(one.pile == number for one in before.laid)
            return () if pile is None else (_laid(card, number, before.top_before(pile), again=again),)
        case PileOpened(card, seat, number):
            return (_opened(card, seat, number),)
        case PileTaken():
            short = _short_deck(before, event)
            return (why_taken(event), short) if short else (why_taken(event),)
        case BullsReturned(seat, bulls):
            gives = count(
                "player {player} used {count} bull card and gives it back",
                "player {player} used {count} bull cards and gives them back",
                bulls,
                player=seat_number(seat),
            )
            return (Because(rules.BULLS_STAY, gives),)
        case WentOut(seat):
            return (
                Because(
                    rules.OUT,
                    say("player {player} has no cards left: the deal is over", player=seat_number(seat)),
                ),
            )
        case HandCounted():
            return (_counted(event),)
        case DealStopped():
            rule = rules.EARLY_END if before.piles else rules.NO_PILE
            return (Because(rule, say("the deal stops here, and every hand is counted")),)
        case _:
            return ()


def _laid(card: Card, number: int, top: Card, *, again: bool) -> Because:
    gap = above(card, top)
    name = pile_name(number)
    chart = (("PILE", name), ("TOP", str(top)), ("CARD", str(card)), ("UP", str(gap)))
    facts = {"card": card, "pile": name, "gap": gap, "top": top}
    if card < top:
        says = say("{card} goes on pile {pile}: after 100 comes 1, so it is {gap} above {top}", **facts)
        return Because(rules.ROUND_AGAIN, says, chart, 1)
    if again:
        says = say(
            "{card} goes on pile {pile}: it is {gap} above {top}, the top card before the move", **facts
        )
        return Because(rules.WINDOW, says, chart, 1)
    return Because(
        rules.AT_MOST_TEN, say("{card} goes on pile {pile}: it is {gap} above {top}", **facts), chart, 1
    )


def _opened(card: Card, seat: Seat, number: int) -> Because:
    says = say(
        "no pile is left: player {player} opens pile {pile} with {card}",
        player=seat_number(seat),
        pile=pile_name(number),
        card=card,
    )
    return Because(rules.NO_PILE, says)


def why_taken(fact: PileTaken) -> Because:
    """Why a pile went to a hand, and whether with a bull card."""
    takes = say(
        "player {player} takes pile {pile} ({cards})",
        player=seat_number(fact.seat),
        pile=pile_name(fact.pile),
        cards=listed(fact.cards),
    )
    if len(fact.cards) < PILE_FOR_BULL:
        return Because(rules.TAKING, say("{takes}; fewer than three cards give no bull card", takes=takes))
    if not fact.bull:
        return Because(
            rules.LEADER,
            say("{takes}, but no bull card: the supply is empty, and nobody else has as many", takes=takes),
        )
    if fact.bull_from is None:
        return Because(
            rules.BULL,
            say("{takes} and a bull card: the pile had {cards} cards", takes=takes, cards=len(fact.cards)),
        )
    return Because(
        rules.SUPPLY,
        say(
            "{takes} and a bull card from player {giver}, who has most: the supply is empty",
            takes=takes,
            giver=seat_number(fact.bull_from),
        ),
    )


def _short_deck(before: Table, fact: PileTaken) -> Because | None:
    if fact.due >= NEW_PILES:
        return None
    says = count(
        "{count} card is left in the deck: {due} to turn up",
        "{count} cards are left in the deck: {due} to turn up",
        before.deck,
        due=fact.due,
    )
    return Because(rules.SHORT_DECK, says)


def _counted(fact: HandCounted) -> Because:
    player = seat_number(fact.seat)
    if fact.cards is None:
        says = count(
            "player {player} has {count} bullhead left",
            "player {player} has {count} bullheads left",
            fact.heads,
            player=player,
        )
    else:
        says = count(
            "player {player} is left with {cards}: {count} bullhead",
            "player {player} is left with {cards}: {count} bullheads",
            fact.heads,
            player=player,
            cards=listed(fact.cards),
        )
    return Because(rules.OUT, says)


def line(one: Happened, agreed: Options, *, again: bool) -> Line:
    """A part of the latest move, for the display; `again`: its pile already got a card in this move."""
    match one:
        case Laid(card, seat, number, None):
            name = pile_name(number)
            return Line(str(card), say("OPENS A PILE"), _opened(card, seat, number), place=name)
        case Laid(card, _, number, int(top)):
            name = pile_name(number)
            reason = _laid(card, number, top, again=again)
            return Line(str(card), say("ON {top}", top=top), reason, place=name)
        case TurnedUp(card, number):
            name = pile_name(number)
            return Line(str(card), say("NEW PILE"), why_turned_up(card, number), place=name)
        case Took(fact):
            name = pile_name(fact.pile)
            return Line(
                str(fact.cards[-1]),
                say("TAKES A PILE"),
                why_taken(fact),
                fact.seat,
                tuple(map(str, fact.cards)),
                agreed.heads_on(fact.cards),
                name,
            )
    raise TypeError(one)  # pragma: no cover - the match is exhaustive, which mypy checks


def why_turned_up(card: Card, number: int) -> Because:
    """Why a card starts a pile."""
    says: Text = say("{card} from the deck starts pile {pile}", card=card, pile=pile_name(number))
    return Because(rules.NEW_PILES, says)
