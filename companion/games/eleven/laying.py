"""Which pile a card fits and how many cards a move may have. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards import Card, Seat
from companion.games.eleven.events import (
    BullsReturned,
    CardLaid,
    Event,
    PileOpened,
    TurnPassed,
    WentOut,
)
from companion.games.eleven.hands import possible
from companion.games.eleven.table import CARDS, Pile, Table
from companion.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.eleven.agreed import Agreed

REACH: Final = 10
"""A card may be so much above the top of its pile (booklet 001:57)."""


def above(card: Card, top: Card) -> int:
    """By how much a card is above another, going round from 100 to 1: 0 to 99 (booklet 001:59)."""
    return (card - top) % CARDS


def fits(card: Card, top: Card) -> bool:
    """Whether a card may go on a top."""
    return 1 <= above(card, top) <= REACH


def range_above(top: Card) -> Text:
    """The cards that go on a top, in up to 14 columns."""
    low, high = top % CARDS + 1, (top + REACH - 1) % CARDS + 1
    if low < high:
        return say("{low}-{high}", low=low, high=high)
    before = str(low) if low == CARDS else f"{low}-{CARDS}"
    behind = "1" if high == 1 else f"1-{high}"
    return say("{before}, {behind}", before=before, behind=behind)


def counts_of(table: Table) -> dict[int, int]:
    """How many cards were laid on each pile in the move in progress."""
    counts: dict[int, int] = {}
    for one in table.laid:
        counts[one.pile] = counts.get(one.pile, 0) + 1
    return counts


def permitted(counts: Mapping[int, int], bulls: int, agreed: Agreed) -> bool:
    """Whether a move may have so many cards on these piles (booklet 001:83-89, house ruling H11-9)."""
    several = sum(number > 1 for number in counts.values())
    extra = 1 if agreed.bull_piles == "one_more" and bulls else 0
    return several <= bulls and len(counts) <= max(1, bulls + extra)


def with_one_more(table: Table, pile: Pile, agreed: Agreed) -> bool:
    """Whether the move in progress may have one more card on this pile."""
    counts = counts_of(table)
    counts[pile.number] = counts.get(pile.number, 0) + 1
    return permitted(counts, table.bulls[table.turn], agreed)


def fitting(table: Table, card: Card) -> tuple[Pile, ...]:
    """The piles whose top before the move takes a card."""
    return tuple(pile for pile in table.piles if fits(card, table.top_before(pile)))


def open_to(table: Table, card: Card, agreed: Agreed) -> tuple[Pile, ...]:
    """The piles on which a card may go in this move."""
    return tuple(pile for pile in fitting(table, card) if with_one_more(table, pile, agreed))


def opens_pile(table: Table) -> bool:
    """Whether the player whose turn it is opens a pile, because none is left (house rule H11-6)."""
    return not table.piles and not table.due


def can_lay(table: Table, agreed: Agreed) -> bool:
    """Whether the seat whose turn it is may have a card that it can lay now."""
    hand = possible(table, table.turn)
    if opens_pile(table):
        return bool(hand) and not table.laid
    return any(
        Card((table.top_before(pile) + step - 1) % CARDS + 1) in hand
        for pile in table.piles
        if with_one_more(table, pile, agreed)
        for step in range(1, REACH + 1)
    )


def layer(table: Table, card: Card, pile: Pile, agreed: Agreed) -> CardLaid:
    """The event that a card goes to a pile, between the cards of this move in their order (H11-3)."""
    top = table.top_before(pile)

    def rank(one: Card) -> int:
        return above(one, top) if agreed.stacking == "circular" else one

    others = [one.card for one in table.laid if one.pile == pile.number]
    at = len(pile.cards) - len(others) + sum(rank(other) < rank(card) for other in others)
    return CardLaid(card, table.turn, pile.number, at)


def opener(table: Table, card: Card) -> PileOpened:
    """The event that a card starts a pile."""
    return PileOpened(card, table.turn, table.next_pile)


def end_of_move(table: Table, seat: Seat, agreed: Agreed) -> list[Event]:
    """What ends a move of cards: bull cards returned, an empty hand, or the next player."""
    counts = counts_of(table)
    used = next(bulls for bulls in range(table.bulls[seat] + 1) if permitted(counts, bulls, agreed))
    events: list[Event] = []
    if agreed.bulls == "spent" and used:
        events.append(BullsReturned(seat, used))
    events.append(TurnPassed(table.after(seat)) if table.sizes[seat] else WentOut(seat))
    return events


def open_range(table: Table, pile: Pile, agreed: Agreed) -> Text:
    """Which cards go on a pile now, in up to 14 columns."""
    if table.moving and not with_one_more(table, pile, agreed):
        return say("-")
    return range_above(table.top_before(pile))
