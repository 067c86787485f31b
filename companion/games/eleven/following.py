"""What follows automatically from events, and the reasons collected on the way. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.eleven.events import DealStopped, Event, HandCounted
from companion.games.eleven.explain import why
from companion.games.eleven.hands import whole
from companion.games.eleven.laying import opens_pile
from companion.games.eleven.rules import PLAYERS
from companion.games.eleven.table import Table, apply
from companion.ruling import Allowed, Because, Refused
from companion.text import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.cards import Seat
    from companion.games.eleven.agreed import Agreed


def carried(table: Table, events: Iterable[Event]) -> Table:
    """The table after several events."""
    for event in events:
        table = apply(table, event)
    return table


def allowed(
    table: Table, events: Iterable[Event], agreed: Agreed, said: Because | None = None
) -> Allowed[Event]:
    """An `Allowed` with all that follows automatically: a deal that cannot continue, known hands."""
    because = [] if said is None else [said]
    made: list[Event] = []
    queue = list(events)
    while queue:
        event = queue.pop(0)
        because += why(table, event)
        table = apply(table, event)
        made.append(event)
        if not queue and (follows := _next(table, agreed)):
            queue.append(follows)
    return Allowed(tuple(made), tuple(because))


def _next(table: Table, agreed: Agreed) -> Event | None:
    seat = table.next_hand
    if seat is not None and not table.seen:
        hand = whole(table, seat)
        return None if hand is None else HandCounted(seat, tuple(sorted(hand)), agreed.heads_on(hand))
    stuck = opens_pile(table) and not table.moving and not table.counting
    return DealStopped() if stuck and agreed.no_pile == "end" else None


def not_asked(seat: Seat | None, asked: Seat) -> Refused | None:
    """A refusal if the answer comes from a seat that is not asked."""
    if seat is None or seat == asked:
        return None
    return Refused(
        PLAYERS,
        say("it is not player {player}'s turn to answer", player=seat + 1),
        say("player {player} must answer", player=asked + 1),
    )
