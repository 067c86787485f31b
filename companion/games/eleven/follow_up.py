"""What follows from events by itself: a hand that is known is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import follow_up
from companion.games.eleven.events import Event, HandCounted
from companion.games.eleven.explain import why
from companion.games.eleven.hands import whole
from companion.games.eleven.table import Table, apply

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.eleven.options import Options
    from companion.ruling import Allowed, Because


def settle(
    table: Table, events: Iterable[Event], agreed: Options, said: Because | None = None
) -> Allowed[Event]:
    """These events, and the hands that are counted by themselves after them."""

    def known_hand(after: Table) -> HandCounted | None:
        seat = after.next_hand
        # As soon as a card of the hand was scanned, people are counting it: let them go on.
        if seat is None or after.seen:
            return None
        hand = whole(after, seat)
        return None if hand is None else HandCounted(seat, tuple(sorted(hand)), agreed.heads_on(hand))

    return follow_up.settle(table, events, apply=apply, follows=known_hand, why=why, said=said)
