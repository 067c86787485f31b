"""What follows from a fact by itself, until people are needed again: one loop for all games."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from companion.ruling import Allowed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.ruling import Because

S = TypeVar("S")
E = TypeVar("E")


def settle(  # noqa: PLR0913 - what differs between the games comes by name
    table: S,
    events: Iterable[E],
    *,
    apply: Callable[[S, E], S],
    follows: Callable[[S], E | None],
    why: Callable[[S, E], Iterable[Because]],
    said: Because | None = None,
) -> Allowed[E]:
    """These events, and every event that follows from them, with the reasons.

    `apply` makes an event true, `follows` names the event that a table leads to by itself (None:
    somebody has to be asked), `why` gives the reasons for an event on the table before it. `said`
    is a reason for the whole, and comes first.
    """
    because = [] if said is None else [said]
    made: list[E] = []
    queue = list(events)
    while queue:
        event = queue.pop(0)
        because += why(table, event)
        table = apply(table, event)
        made.append(event)
        # Only behind the last one: what the order itself brings comes first.
        if not queue and (following := follows(table)) is not None:
            queue.append(following)
    return Allowed(tuple(made), tuple(because))
