"""Why a ruling of 11 nimmt! was made, in words and for the display. Nothing is decided here.

Players are counted from 1 here, because players read it. A pile is called by its top card.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from companion.core.board import PlacedCard
from companion.core.cards import Card, Seat, called, listed_players, who
from companion.core.codec import Record
from companion.core.ruling import Because
from companion.core.score_sheet import EndRules
from companion.games.eleven import records, rules
from companion.games.eleven.cards import REACH, above
from companion.games.eleven.options import CARDS, NEW_PILES, PILE_FOR_BULL
from companion.games.eleven.table import ElevenTable, FromHand, Happened
from companion.text.sentence import NOTHING, CardNumber, Text, count, say

Reasons = tuple[Because, ...]

END_RULES: Final = EndRules(
    points=rules.OUT, end=rules.DEALS, win=rules.DEALS, shared=rules.SHARED, left=rules.LEFT
)

# -------------------------------------------------------------------------------------- piles and bull cards


def _turned_up(event: records.CardTurnedUp) -> Because:
    return rules.NEW_PILES.because("{card} from the deck starts a new pile", card=event.card)


def _why_laid(before: ElevenTable, event: records.CardLaid) -> Reasons:
    """By which rule it goes there, and where the step from 100 to 1 lies in a pile: which one lies on top."""
    pile = before.pile(event.pile)
    if pile is None:
        return ()
    card, top = event.card, before.base(pile)
    others = [laid.card for laid in before.laid if laid.pile == event.pile]
    reason = _fits(card, top, again=bool(others))
    if not any((other < top) != (card < top) for other in others):
        return (reason,)
    ordered = tuple(sorted((*others, card), key=lambda card: above(card, top)))
    says = say("{cards} lie in this order on {top}, the last on top", cards=ordered, top=top)
    return (reason, rules.STACKING.because(says))


def _fits(card: Card, top: Card, *, again: bool) -> Because:
    facts = {"card": card, "gap": above(card, top), "top": top}
    if card < top:
        says = say("{card} goes on {top}: it is {gap} higher, because 1 comes after 100", **facts)
        return rules.ROUND_AGAIN.because(says)
    if again:
        says = say("{card} is {gap} higher than {top}, the top card before the move", **facts)
        return rules.WINDOW.because(says)
    return rules.AT_MOST_TEN.because("{card} goes on {top}: it is {gap} higher", **facts)


def _opened(event: FromHand) -> Because:
    says = say("no pile is left: {player} opens one with {card}", player=who(event.seat), card=event.card)
    return rules.NO_PILE.because(says)


def _why_taken(before: ElevenTable, event: records.PileTaken) -> Reasons:
    """Why a pile went to a hand, whether with a bull card and of whom, and what the deck has left.

    Of the pile only the top is named: what was below it, nobody but the taker may know, and neither how
    many cards there were nor how many heads they have (11 nimmt! rulebook, Taking a pile).
    """
    reasons = [_why_pile_taken(event)]
    bulls, giver = before.bulls[event.seat], event.bull_from
    if giver is not None and bulls == before.bulls[giver]:
        says = count(
            "{taker} and {giver} both have {count} bull card: whoever takes the pile gives none",
            "{taker} and {giver} both have {count} bull cards: whoever takes the pile gives none",
            bulls,
            taker=who(event.seat),
            giver=who(giver),
        )
        reasons.append(rules.LEADER.because(says))
    if event.due < NEW_PILES:
        says = count(
            "{count} card is left in the deck: {due} to turn up",
            "{count} cards are left in the deck: {due} to turn up",
            before.deck,
            due=event.due,
        )
        reasons.append(rules.SHORT_DECK.because(says))
    return tuple(reasons)


def _why_pile_taken(event: records.PileTaken) -> Because:
    takes = say("{player} takes the pile with {top} on top", player=who(event.seat), top=event.cards[-1])
    if len(event.cards) < PILE_FOR_BULL:
        return rules.TAKING.because("{takes}; fewer than three cards give no bull card", takes=takes)
    if not event.bull:
        says = say("{takes}, but no bull card: the supply is empty, and nobody else has as many", takes=takes)
        return rules.LEADER.because(says)
    if event.bull_from is None:
        return rules.BULL.because("{takes}, and a bull card: the pile had three cards or more", takes=takes)
    says = say("{takes}, and a bull card from {giver}, who has the most: the supply is empty", takes=takes)
    return rules.SUPPLY.because(says.with_facts(takes=takes, giver=who(event.bull_from)))


def _why_returned(_before: ElevenTable, event: records.BullsReturned) -> Reasons:
    says = count(
        "{player} used {count} bull card and gives it back",
        "{player} used {count} bull cards and gives them back",
        event.bulls,
        player=who(event.seat),
    )
    return (rules.BULLS_STAY.because(says),)


# --------------------------------------------------------------------------------- the end and the next deal


def why_out(seat: Seat) -> Because:
    """Why the deal is over."""
    return rules.OUT.because("{player} has no cards left: the deal is over", player=who(seat))


def _why_counted(before: ElevenTable, event: records.HandCounted) -> Reasons:
    """How many bullheads a hand has, and on which cards; these are not known where the number was typed."""
    player, cards = who(event.seat), event.cards
    if cards is None:
        says = count(
            "{player} has {count} bullhead left",
            "{player} has {count} bullheads left",
            event.heads,
            player=player,
        )
        return (rules.OUT.because(says),)
    says = count(
        "{player} is left with {cards}: {count} bullhead",
        "{player} is left with {cards}: {count} bullheads",
        event.heads,
        player=player,
        cards=cards,
    )
    of_heads: dict[int, list[Card]] = {}
    for card in cards:
        of_heads.setdefault(before.agreed.heads[card - 1], []).append(card)
    each = tuple(_worth(heads, of_heads[heads]) for heads in sorted(of_heads, reverse=True))
    left = rules.OUT.because(says)
    return (left, rules.HEADS.because("{each}", each=each)) if each else (left,)


def _worth(heads: int, cards: list[Card]) -> Text:
    if len(cards) == 1:
        return count("{count} bullhead on {card}", "{count} bullheads on {card}", heads, card=cards[0])
    return count(
        "{count} bullhead each on {cards}", "{count} bullheads each on {cards}", heads, cards=tuple(cards)
    )


def why_starts(starter: Seat, finished: ElevenTable | None) -> Reasons:
    """Why this player starts: the worst of the deal before, or on a tie the next one clockwise."""
    player = who(starter)
    if finished is None:
        says = say("{player} starts: the youngest, or the one the players chose", player=player)
        return (rules.STARTER.because(says),)
    points = finished.points[starter]
    says = say("{player} starts: nobody got more than {points} in this deal", points=points, player=player)
    worst = sorted(finished.worst)
    if len(worst) == 1:
        return (rules.STARTER.because(says),)
    tied = say(
        "{tied} have {points} each: {player} is the next of them after {last}",
        tied=listed_players(worst),
        points=points,
        last=who(finished.turn if finished.out is None else finished.out),
        player=player,
    )
    return (rules.STARTER.because(says), rules.STARTER_TIE.because(tied))


REASONS: Final[Mapping[type[Record], Callable[[ElevenTable, Any], Reasons]]] = {
    records.CardTurnedUp: lambda _, event: (_turned_up(event),),
    records.CardLaid: _why_laid,
    records.PileOpened: lambda _, event: (_opened(event),),
    records.PileTaken: _why_taken,
    records.BullsReturned: _why_returned,
    records.WentOut: lambda _, event: (why_out(event.seat),),
    records.HandCounted: _why_counted,
    records.DealStopped: lambda *_: (
        rules.EARLY_END.because("the deal stops here, and every hand is counted"),
    ),
}
"""The reasons for each event that was a decision; the others were only reported."""


def why(before: ElevenTable, event: Record) -> Reasons:
    """The reasons for an event on the table before it."""
    reasons = REASONS.get(type(event))
    return () if reasons is None else reasons(before, event)


# ------------------------------------------------------------------------------------------- for the display


@cache
def range_above(top: Card) -> Text:
    """The cards that go on a top, in up to 14 columns."""
    low, high = top % CARDS + 1, (top + REACH - 1) % CARDS + 1
    if low < high:
        return say("{low}-{high}", low=CardNumber(low), high=CardNumber(high))
    before = str(low) if low == CARDS else f"{low}-{CARDS}"
    behind = "1" if high == 1 else f"1-{high}"
    return say("{before}, {behind}", before=before, behind=behind)


def lines(table: ElevenTable) -> tuple[PlacedCard, ...]:
    """The parts of the latest move, and who went out with it."""
    lines: list[PlacedCard] = []
    used: set[int] = set()
    for part in table.newest:
        lines.append(_line(table, part, again=part.pile in used))
        used |= {part.pile} if isinstance(part, FromHand) else set()
    if table.out is not None:
        lines.append(PlacedCard("", say("{player} IS OUT", player=called(table.out)), why_out(table.out)))
    return tuple(lines)


def _line(table: ElevenTable, part: Happened, *, again: bool) -> PlacedCard:
    """A part of the latest move; `again`: its pile already got a card in this move."""
    if isinstance(part, records.CardTurnedUp):
        return PlacedCard(str(part.card), say("NEW PILE"), _turned_up(part))
    if isinstance(part, records.PileTaken):
        cards = part.cards
        return PlacedCard(
            str(cards[-1]),
            say("TAKES A PILE"),
            _why_pile_taken(part),
            part.seat,
            tuple(map(str, cards)),
            table.agreed.heads_on(cards),
            str(cards[-1]),
            covered=True,
            gets=_bull_card(part),
        )
    card, top = part.card, table.top_before(part.pile)
    if top is None:
        return PlacedCard(str(card), say("OPENS A PILE"), _opened(part))
    chart = ((say("TOP"), str(top)), (say("CARD"), str(card)), (say("UP"), above(card, top)))
    reason = _fits(card, top, again=again).charted(chart, 1)
    return PlacedCard(str(card), say("ON {top}", top=top), reason, place=str(top))


def _bull_card(event: records.PileTaken) -> Text:
    if not event.bull:
        return NOTHING
    if event.bull_from is None:
        return say("TAKE A BULL CARD")
    return say("BULL CARD FROM {player}", player=called(event.bull_from))
