"""What follows from events by itself: a hand that is known is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.follow_up import EventBuilder
from companion.games.eleven.events import Event, HandCounted
from companion.games.eleven.explain import why
from companion.games.eleven.hands import whole
from companion.games.eleven.table import Table, apply

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.ruling import Allowed, Because
    from companion.games.eleven.options import Options

Made = EventBuilder[Table, Event]
"""The events of a command so far, and the table after them."""


def made_on(table: Table, agreed: Options) -> Made:
    """No events yet, on this table."""

    def reasons(before: Table, event: Event) -> tuple[Because, ...]:
        return why(before, event, agreed)

    return EventBuilder(table, apply=apply, why=reasons)


def settle_made(made: Made, agreed: Options) -> Allowed[Event]:
    """The events so far, and the hands that are counted by themselves after them."""

    def known_hand(after: Table) -> HandCounted | None:
        seat = after.next_hand
        # As soon as a card of the hand was scanned, people are counting it: let them go on.
        if seat is None or after.seen:
            return None
        hand = whole(after, seat)
        return None if hand is None else HandCounted(seat, tuple(sorted(hand)), agreed.heads_on(hand))

    return made.settle(known_hand)


def settle(
    table: Table, events: Iterable[Event], agreed: Options, said: Because | None = None
) -> Allowed[Event]:
    """These events, and the hands that are counted by themselves after them."""
    made = made_on(table, agreed)
    if said is not None:
        made.add_reason(said)
    made.add(*events)
    return settle_made(made, agreed)
