"""What may be laid where, how many cards a move may have, and who is asked. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.cards import Card, Seat, who
from companion.core.ruling import Refused
from companion.games.eleven import rules
from companion.games.eleven.box import CARDS
from companion.games.eleven.hands import possible
from companion.games.eleven.options import BullPiles, Leader
from companion.text.sentence import CardNumber, Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.eleven.options import Options
    from companion.games.eleven.table import Pile, Table

REACH: Final = 10
"""A card may be this much above the top of its pile (11 nimmt! rulebook, rule 2)."""


def above(card: Card, top: Card) -> int:
    """By how much a card is above another, counting on from 100 to 1: 0 to 99 (rulebook, rule 3)."""
    return (card - top) % CARDS


def is_lower(card: Card, top: Card) -> bool:
    """Whether a card that does not fit is refused because it is lower (rule 1), not because it is too high.

    On 91 to 100 low cards can follow (rule 3), so a low card is too high there: 7 is 11 above 96. What lies
    nearer below the top than above it stays lower: 90 on 96.
    """
    goes_round = top + REACH > CARDS
    return card < top and not (goes_round and above(card, top) <= CARDS // 2)


def fits(card: Card, top: Card) -> bool:
    """Whether a card may go on a top."""
    return 1 <= above(card, top) <= REACH


_ON: Final = {
    top: frozenset(Card((top + step - 1) % CARDS + 1) for step in range(1, REACH + 1))
    for top in range(1, CARDS + 1)
}
"""The cards that go on a top."""


def range_above(top: Card) -> Text:
    """The cards that go on a top, in up to 14 columns."""
    low, high = top % CARDS + 1, (top + REACH - 1) % CARDS + 1
    if low < high:
        return say("{low}-{high}", low=CardNumber(low), high=CardNumber(high))
    before = str(low) if low == CARDS else f"{low}-{CARDS}"
    behind = "1" if high == 1 else f"1-{high}"
    return say("{before}, {behind}", before=before, behind=behind)


def counts_of(table: Table) -> dict[int, int]:
    """How many cards were laid on each pile in the move in progress."""
    counts: dict[int, int] = {}
    for one in table.laid:
        counts[one.pile] = counts.get(one.pile, 0) + 1
    return counts


def permitted(counts: Mapping[int, int], bulls: int, agreed: Options) -> bool:
    """Whether a move may have so many cards on these piles (11 nimmt! rulebook, Bull cards; H11-9)."""
    several = sum(number > 1 for number in counts.values())
    extra = 1 if agreed.bull_piles is BullPiles.ONE_MORE and bulls else 0
    return several <= bulls and len(counts) <= max(1, bulls + extra)


def with_one_more(table: Table, pile: Pile, agreed: Options) -> bool:
    """Whether the move in progress may have one more card on this pile."""
    if not table.moving:
        return True
    counts = counts_of(table)
    counts[pile.number] = counts.get(pile.number, 0) + 1
    return permitted(counts, table.bulls[table.turn], agreed)


def fitting(table: Table, card: Card) -> tuple[Pile, ...]:
    """The piles whose top before the move takes a card."""
    return tuple(pile for pile in table.piles if fits(card, table.top_before(pile)))


def open_to(table: Table, card: Card, agreed: Options) -> tuple[Pile, ...]:
    """The piles on which a card may go in this move."""
    return tuple(pile for pile in fitting(table, card) if with_one_more(table, pile, agreed))


def opens_pile(table: Table) -> bool:
    """Whether the player whose turn it is opens a pile, because none is left (house rule H11-6)."""
    return not table.piles and not table.due


def may_lay(table: Table, agreed: Options) -> bool:
    """Whether the seat whose turn it is may lay a card now, if it has one that fits.

    What is known of its hand does not matter: what is asked is seen by all, and must not tell them
    whether a hand has a card that fits.
    """
    if opens_pile(table):
        return not table.laid
    return any(with_one_more(table, pile, agreed) for pile in table.piles)


def can_lay(table: Table, agreed: Options) -> bool:
    """Whether the seat whose turn it is may have a card that it can lay now, by all that is known.

    A move with bull cards ends by itself where it has none. In the games of an earlier version it did,
    and programs count on it, so it stays although it tells that a known hand has no more cards that fit.
    """
    hand = possible(table, table.turn)
    if opens_pile(table):
        return bool(hand) and not table.laid
    return any(
        not hand.isdisjoint(_ON[table.top_before(pile)])
        for pile in table.piles
        if with_one_more(table, pile, agreed)
    )


def open_range(table: Table, pile: Pile, agreed: Options) -> Text:
    """Which cards go on a pile now, in up to 14 columns."""
    if table.moving and not with_one_more(table, pile, agreed):
        return say("-")
    return range_above(table.top_before(pile))


def givers(table: Table, agreed: Options) -> tuple[Seat, ...]:
    """Who can give a bull card when the supply is empty (11 nimmt! rulebook, Taking a pile; H11-4)."""
    taker = table.turn
    others = [seat for seat in table.players if seat != taker]
    most = max(table.bulls[seat] for seat in others)
    leads_alone = table.bulls[taker] > most
    if not most or (leads_alone and agreed.leader is Leader.NOTHING):
        return ()
    return tuple(seat for seat in others if table.bulls[seat] == most)


def not_asked(seat: Seat | None, asked: Seat) -> Refused | None:
    """A refusal if the answer comes from a seat that is not asked."""
    if seat is None or seat == asked:
        return None
    return Refused(
        rules.PLAYERS,
        say("it is not {player}'s turn to answer", player=who(seat)),
        say("{player} must answer", player=who(asked)),
    )
