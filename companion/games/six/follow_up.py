"""What follows from facts by itself: a card is placed as soon as nobody has to be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import follow_up
from companion.core.cards import heads
from companion.games.six import rules
from companion.games.six.box import ROW_LENGTH
from companion.games.six.events import CardPlaced, Event
from companion.games.six.explain import why
from companion.games.six.hands import possible_owners
from companion.games.six.table import Table, apply

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.cards import Seat
    from companion.core.ruling import Allowed, Because


def settle(table: Table, events: Iterable[Event], said: Because | None = None) -> Allowed[Event]:
    """These events and the placements that follow, as far as they need nobody's answer."""
    return follow_up.settle(table, events, apply=apply, follows=_next_placement, why=why, said=said)


def _next_placement(table: Table) -> CardPlaced | None:
    """The placement that is due, or None if nothing is, or somebody has to be asked first."""
    if not table.placing:
        return None
    shown = table.lowest
    row = table.row_for(shown.card)
    if row is not None and len(table.rows[row]) < ROW_LENGTH:
        # A card that takes nothing goes to its row, no matter who played it: its owner is never asked.
        return CardPlaced(shown.card, shown.seat, row, rules.SMALLEST_GAP.key, (), 0)
    taking = table.chosen if row is None else row
    owner = shown.seat
    if owner is None and len(can := possible_owners(table)) == 1:
        owner = can[0]  # all others have played another card
    if taking is None or owner is None:
        return None
    return taking_row(table, taking, owner)


def taking_row(table: Table, taking: int, owner: Seat | None) -> CardPlaced:
    """The lowest card takes a row, or the row that it fits is full."""
    card = table.lowest.card
    rule = rules.LOWEST_CARD if table.row_for(card) is None else rules.FULL_ROW
    takes = table.rows[taking]
    return CardPlaced(card, owner, taking, rule.key, takes, heads(takes))
