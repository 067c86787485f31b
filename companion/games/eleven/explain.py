"""Why a ruling of 11 nimmt! was made, in words and for the display. Nothing is decided here.

Players are counted from 1 here, because players read it. A pile is called by its top card.
"""

from typing import Final

from companion.core.board import PlacedCard
from companion.core.cards import Card, Seat, called, listed_players, who
from companion.core.ruling import Because, Chart
from companion.core.score_sheet import EndRules
from companion.games.eleven import records, rules
from companion.games.eleven.legal import above
from companion.games.eleven.options import NEW_PILES, PILE_FOR_BULL
from companion.games.eleven.table import ElevenTable, Happened, Laid
from companion.text.sentence import NOTHING, Text, count, say


def why(before: ElevenTable, event: records.Event) -> tuple[Because, ...]:
    """The reasons for an event that was a decision; none for events that were only reported."""
    match event:
        case records.CardTurnedUp(card):
            return (why_turned_up(card),)
        case records.CardLaid(card, _, number, _):
            pile = before.pile(number)
            again = any(one.pile == number for one in before.laid)
            if pile is None:
                return ()
            top = before.top_before(pile)
            return (_laid(card, top, again=again), *_stacked(before, card, number, top))
        case records.PileOpened(card, seat):
            return (_opened(card, seat),)
        case records.PileTaken():
            further = (_tied_leader(before, event), _short_deck(before, event))
            return (why_taken(event), *filter(None, further))
        case records.BullsReturned(seat, bulls):
            gives = count(
                "{player} used {count} bull card and gives it back",
                "{player} used {count} bull cards and gives them back",
                bulls,
                player=who(seat),
            )
            return (Because(rules.BULLS_STAY, gives),)
        case records.WentOut(seat):
            return (why_out(seat),)
        case records.HandCounted():
            return (_counted(event), *_heads(before, event.cards))
        case records.DealStopped():
            return (Because(rules.EARLY_END, say("the deal stops here, and every hand is counted")),)
        case _:
            return ()


def _laid(card: Card, top: Card, *, again: bool) -> Because:
    facts = {"card": card, "gap": above(card, top), "top": top}
    if card < top:
        says = say("{card} goes on {top}: it is {gap} higher, because 1 comes after 100", **facts)
        return Because(rules.ROUND_AGAIN, says)
    if again:
        says = say("{card} is {gap} higher than {top}, the top card before the move", **facts)
        return Because(rules.WINDOW, says)
    return Because(rules.AT_MOST_TEN, say("{card} goes on {top}: it is {gap} higher", **facts))


def _chart(card: Card, top: Card) -> Chart:
    up = str(above(card, top))
    return (
        (say("TOP"), str(top)),
        (say("CARD"), str(card)),
        (say("UP"), up),
    )


def _stacked(before: ElevenTable, card: Card, number: int, top: Card) -> tuple[Because, ...]:
    """Where cards before and behind the step from 100 to 1 lie on each other: which one lies on top."""
    others = [one.card for one in before.laid if one.pile == number]
    if not any((other < top) != (card < top) for other in others):
        return ()
    ordered = sorted((*others, card), key=lambda one: above(one, top))
    says = say("{cards} lie in this order on {top}, the last on top", cards=tuple(ordered), top=top)
    return (Because(rules.STACKING, says),)


def _opened(card: Card, seat: Seat) -> Because:
    says = say("no pile is left: {player} opens one with {card}", player=who(seat), card=card)
    return Because(rules.NO_PILE, says)


def why_taken(event: records.PileTaken) -> Because:
    """Why a pile went to a hand, and whether with a bull card.

    Of the pile only the top is named: what was below it, nobody but the taker may know, and neither how
    many cards there were nor how many heads they have (11 nimmt! rulebook, Taking a pile).
    """
    takes = say("{player} takes the pile with {top} on top", player=who(event.seat), top=event.cards[-1])
    if len(event.cards) < PILE_FOR_BULL:
        return Because(rules.TAKING, say("{takes}; fewer than three cards give no bull card", takes=takes))
    if not event.bull:
        return Because(
            rules.LEADER,
            say("{takes}, but no bull card: the supply is empty, and nobody else has as many", takes=takes),
        )
    if event.bull_from is None:
        return Because(
            rules.BULL,
            say("{takes}, and a bull card: the pile had three cards or more", takes=takes),
        )
    return Because(
        rules.SUPPLY,
        say(
            "{takes}, and a bull card from {giver}, who has most: the supply is empty",
            takes=takes,
            giver=who(event.bull_from),
        ),
    )


def _tied_leader(before: ElevenTable, event: records.PileTaken) -> Because | None:
    """That the taker, too, has most bull cards, and another one gives."""
    if event.bull_from is None or before.bulls[event.seat] != before.bulls[event.bull_from]:
        return None
    says = count(
        "{taker} and {giver} both have {count} bull card: whoever takes the pile gives none",
        "{taker} and {giver} both have {count} bull cards: whoever takes the pile gives none",
        before.bulls[event.seat],
        taker=who(event.seat),
        giver=who(event.bull_from),
    )
    return Because(rules.LEADER, says)


def _short_deck(before: ElevenTable, event: records.PileTaken) -> Because | None:
    if event.due >= NEW_PILES:
        return None
    says = count(
        "{count} card is left in the deck: {due} to turn up",
        "{count} cards are left in the deck: {due} to turn up",
        before.deck,
        due=event.due,
    )
    return Because(rules.SHORT_DECK, says)


def _counted(event: records.HandCounted) -> Because:
    player = who(event.seat)
    if event.cards is None:
        says = count(
            "{player} has {count} bullhead left",
            "{player} has {count} bullheads left",
            event.heads,
            player=player,
        )
    else:
        says = count(
            "{player} is left with {cards}: {count} bullhead",
            "{player} is left with {cards}: {count} bullheads",
            event.heads,
            player=player,
            cards=tuple(event.cards),
        )
    return Because(rules.OUT, says)


END_RULES: Final = EndRules(
    points=rules.OUT, end=rules.DEALS, win=rules.DEALS, shared=rules.SHARED, left=rules.LEFT
)


def why_starts(starter: Seat, finished: ElevenTable | None) -> tuple[Because, ...]:
    """Why this player starts: the worst of the deal before, or on a tie the next one clockwise."""
    facts = {"player": who(starter)}
    if finished is None:
        says = say("{player} starts: the youngest, or whom the players chose", **facts)
        return (Because(rules.STARTER, says),)
    points = finished.points
    most = points[starter]
    says = say("{player} starts: nobody got more in this deal than {points}", points=most, **facts)
    worst = [seat for seat in finished.players if points[seat] == most]
    if len(worst) == 1:
        return (Because(rules.STARTER, says),)
    tied = say(
        "{tied} have {points} each: {player} is the next of them after {last}",
        tied=listed_players(worst),
        points=most,
        last=who(finished.turn if finished.out is None else finished.out),
        **facts,
    )
    return (Because(rules.STARTER, says), Because(rules.STARTER_TIE, tied))


def _heads(table: ElevenTable, cards: tuple[Card, ...] | None) -> tuple[Because, ...]:
    """Which bullheads the cards of a hand have; nothing where their number was typed."""
    if not cards:
        return ()
    worth = sorted({table.agreed.heads[card - 1] for card in cards}, reverse=True)
    each = tuple(
        _worth(heads, [card for card in cards if table.agreed.heads[card - 1] == heads]) for heads in worth
    )
    return (Because(rules.HEADS, say("{each}", each=each)),)


def _worth(heads: int, cards: list[Card]) -> Text:
    if len(cards) > 1:
        return count(
            "{count} bullhead each on {cards}", "{count} bullheads each on {cards}", heads, cards=tuple(cards)
        )
    return count("{count} bullhead on {card}", "{count} bullheads on {card}", heads, card=cards[0])


def line(table: ElevenTable, one: Happened, *, again: bool) -> PlacedCard:
    """A part of the latest move, for the display; `again`: its pile already got a card in this move."""
    match one:
        case Laid(card, seat, _, None):
            return PlacedCard(str(card), say("OPENS A PILE"), _opened(card, seat))
        case Laid(card, _, _, int(top)):
            reason = _laid(card, top, again=again).shown_as(_chart(card, top), 1)
            return PlacedCard(str(card), say("ON {top}", top=top), reason, place=str(top))
        case records.CardTurnedUp(card):
            return PlacedCard(str(card), say("NEW PILE"), why_turned_up(card))
        case records.PileTaken() as event:
            on_top = str(event.cards[-1])
            return PlacedCard(
                on_top,
                say("TAKES A PILE"),
                why_taken(event),
                event.seat,
                tuple(map(str, event.cards)),
                table.agreed.heads_on(event.cards),
                on_top,
                covered=True,
                gets=_bull_card(event),
            )
    raise TypeError(one)  # pragma: no cover - the match is exhaustive, which mypy checks


def _bull_card(event: records.PileTaken) -> Text:
    if not event.bull:
        return NOTHING
    if event.bull_from is None:
        return say("TAKE A BULL CARD")
    return say("BULL CARD FROM {player}", player=called(event.bull_from))


def why_out(seat: Seat) -> Because:
    """Why the deal is over."""
    return Because(rules.OUT, say("{player} has no cards left: the deal is over", player=who(seat)))


def why_turned_up(card: Card) -> Because:
    """Why a card starts a pile."""
    return Because(rules.NEW_PILES, say("{card} from the deck starts a new pile", card=card))
