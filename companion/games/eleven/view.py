"""How a table of 11 nimmt! looks to machines, on the display, and in the check that no card is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.core.board import Audit, Board, Stack, Tally
from companion.core.game import Hides
from companion.games.eleven.box import BULLS
from companion.games.eleven.explain import line
from companion.games.eleven.legal import open_range, with_one_more
from companion.games.eleven.table import Laid, Table, pile_name
from companion.text.sentence import NOTHING, Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.eleven.options import Options

HIDDEN: Final[Mapping[str, Hides]] = {"piles": Hides.ALL_BUT_TOP, "hands": Hides.ALL}
"""Only the top card of a pile is visible, not what is below it or how many cards it has.

Source: 11 nimmt! rulebook, Taking a pile. How many cards a hand has is not hidden: everybody can count the
backs of the cards that others hold.
"""

HIDDEN_IN_EVENTS: Final[Mapping[str, Mapping[str, Hides]]] = {
    # The place of a card from the bottom tells how many lie below it.
    "card_laid": {"at": Hides.ALL},
    "card_registered": {"held": Hides.ALL},
    "pile_taken": {"cards": Hides.ALL_BUT_TOP},
    "table_adopted": HIDDEN,
}
"""The same in events. Hands that are counted lie open."""


def view(table: Table) -> dict[str, Any]:
    """Piles, hands as far as they are known, bull cards and the move, as the protocol documents them."""
    return {
        "piles": {str(pile.number): list(pile.cards) for pile in table.piles},
        "hands": [sorted(hand) for hand in table.known],
        "hand_sizes": list(table.sizes),
        "bulls": list(table.bulls),
        "supply": table.supply,
        "deck": table.deck,
        "due": table.due,
        "turn": table.turn,
        "moves": table.moves,
        "next_pile": table.next_pile,
        "laid": [one.card for one in table.laid],
        "waiting": table.waiting,
        "taking": table.taking,
        "out": table.out,
        "counted": list(table.counted),
        "seen": list(table.seen),
    }


def board(table: Table, agreed: Options) -> Board:
    """The piles with what fits them, the numbers of cards and bull cards, and the latest move."""
    stacks = tuple(
        Stack(
            tuple(map(str, pile.cards)),
            0,
            agreed.heads_on(pile.cards),
            pile_name(pile.number),
            str(pile.number),
            open_range(table, pile, agreed),
            covered=True,
        )
        for pile in table.piles
    )
    used: set[int] = set()
    newest = []
    for one in table.newest:
        newest.append(line(one, agreed, again=isinstance(one, Laid) and one.pile in used))
        used |= {one.pile} if isinstance(one, Laid) else set()
    facts = (
        *_open_piles(table, agreed),
        say("DRAW PILE {cards}", cards=table.deck),
        say("BULLS IN SUPPLY {bulls}", bulls=table.supply),
    )
    tallies = (Tally(say("BULLS"), table.bulls),)
    hint = say("1 TO 10 HIGHER") if table.piles else NOTHING
    return Board(stacks, table.moves + 1, 0, hint, tuple(newest), facts, table.sizes, tallies)


def _open_piles(table: Table, agreed: Options) -> tuple[Text, ...]:
    """In a move that has begun, the piles that may get more cards, and which."""
    if not table.moving:
        return ()
    return tuple(
        say("ON {top}: {cards}", top=table.top_before(pile), cards=open_range(table, pile, agreed))
        for pile in table.piles
        if with_one_more(table, pile, agreed)
    )


def audit(table: Table) -> Audit:
    """The hundred cards on piles, in hands and in the deck; the ten bull cards; no card twice."""
    lying = [card for pile in table.piles for card in pile.cards]
    held = [card for hand in table.known for card in hand]
    hands = sum(table.sizes)
    # How many cards are on the piles is not said: as long as there is one pile, they are all its cards.
    says = say("DRAW PILE {cards}", cards=table.deck)
    faults: list[Text] = []
    if len({*lying, *held}) != len(lying) + len(held):
        faults.append(say("a card is in two places"))
    if any(len(hand) > size for hand, size in zip(table.known, table.sizes, strict=True)):
        faults.append(say("a hand has fewer cards than are known to be in it"))
    if table.supply < 0 or min(table.bulls) < 0:
        faults.append(say("the number of bull cards is not {bulls}", bulls=BULLS))
    return Audit(len(lying) + hands + table.deck, table.total, says, tuple(faults))
