"""Which cards a hand can hold, from what was seen: piles that were taken, hands that were shown.

The referee never sees a hand; but a card that is on a pile or known to be in one hand
is in no other hand. Nothing is changed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.cards import Card, Seat, who
from companion.core.game import Dealing
from companion.core.ruling import Refused
from companion.games.eleven import rules
from companion.games.eleven.box import CARDS, DECK
from companion.games.eleven.table import Table, pile_name
from companion.text.sentence import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.text.sentence import Text

ALL: Final = frozenset(Card(card) for card in range(1, CARDS + 1))


def listed(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards in a sentence."""
    return tuple(cards)


def unseen(table: Table) -> frozenset[Card]:
    """The cards that may be in the deck or in any hand."""
    return ALL.difference(*(pile.cards for pile in table.piles), *table.known)


def not_known(table: Table, seat: Seat) -> int:
    """How many cards of a hand are not known."""
    return table.sizes[seat] - len(table.known[seat])


def possible(table: Table, seat: Seat) -> frozenset[Card]:
    """The cards that a hand can hold."""
    known = table.known[seat]
    return known | unseen(table) if not_known(table, seat) > 0 else known


def whole(table: Table, seat: Seat) -> frozenset[Card] | None:
    """A hand, where all of it is known: because its cards were seen, or because all the others were."""
    open_places = not_known(table, seat)
    if open_places == 0:
        return table.known[seat]
    hidden = unseen(table)
    return table.known[seat] | hidden if len(hidden) == open_places else None


def no_card(card: Card) -> Refused | None:
    """A refusal if no such card exists."""
    if 1 <= card <= CARDS:
        return None
    return Refused(
        rules.ONE_OF_EACH,
        say("there is no card {card}", card=card),
        say("the cards are 1 to {cards}", cards=CARDS),
    )


def elsewhere(table: Table, card: Card, *, but: Seat | None = None) -> Refused | None:
    """A refusal if a card is on a pile, or known to be in the hand of a seat other than `but`.

    Only a top card is named with its pile. Of another card nobody may learn whether a pile or a hand
    has it, so the refusal is the same for both.
    """
    for pile in table.piles:
        if card == pile.top:
            return _is_there(
                say("card {card} lies on pile {pile}", card=card, pile=pile_name(pile.number)),
            )
    hands = (hand for seat, hand in enumerate(table.known) if seat != but)
    if not any(card in cards for cards in (*(pile.cards for pile in table.piles), *hands)):
        return None
    if but is None:
        return _is_there(say("card {card} is covered on a pile or in a hand", card=card))
    return _is_there(say("card {card} is covered on a pile or in another hand", card=card))


def _is_there(fault: Text) -> Refused:
    return Refused(rules.ONE_OF_EACH, fault, say("scan the card again, or undo the wrong one"))


def not_in_deck(table: Table, card: Card) -> Refused | None:
    """Why a card cannot come from the draw deck."""
    return no_card(card) or elsewhere(table, card)


def not_in_hand(table: Table, seat: Seat, card: Card) -> Refused | None:
    """Why a card cannot come from the hand of a seat. What else the hand holds is not told."""
    if fault := no_card(card) or elsewhere(table, card, but=seat):
        return fault
    if card in possible(table, seat):
        return None
    if not table.sizes[seat]:
        return Refused(
            rules.HANDS,
            say("{player} has no cards left", player=who(seat)),
            say("undo the wrong card"),
        )
    return Refused(
        rules.HANDS,
        say("card {card} is not in {player}'s hand", player=who(seat), card=card),
        say("scan the card again, or play another one"),
    )


def rest_is_known(table: Table, seat: Seat) -> bool:
    """Whether the scanned cards of a hand and the known ones are all of it."""
    return len(table.known[seat].union(table.seen)) == table.sizes[seat]


def dealing(table: Table) -> Dealing:
    """Where the cards are."""
    out = tuple(str(card) for pile in table.piles for card in pile.cards)
    return Dealing(DECK, out, table.sizes, tuple(tuple(map(str, sorted(hand))) for hand in table.known))
