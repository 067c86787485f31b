"""What follows from a command: its events, the table after them, and the reasons. All games share it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from companion.core.ruling import Allowed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.core.ruling import Because

S = TypeVar("S")
E = TypeVar("E")


class EventBuilder(Generic[S, E]):
    """The events of one command so far, and the table after them: each event is applied once.

    `apply` makes an event true, `why` gives the reasons for an event on the table before it. It is
    made for one command and then discarded: the table it began with is never changed.
    """

    def __init__(
        self, table: S, *, apply: Callable[[S, E], S], why: Callable[[S, E], Iterable[Because]]
    ) -> None:
        self.table = table
        self._apply = apply
        self._why = why
        self._events: list[E] = []
        self._because: list[Because] = []

    def add(self, *events: E) -> None:
        """These happen next, each with its reasons."""
        for event in events:
            self._because += self._why(self.table, event)
            self.table = self._apply(self.table, event)
            self._events.append(event)

    def add_reason(self, reason: Because) -> None:
        """A further reason for the events so far."""
        self._because.append(reason)

    def settle(self, follows: Callable[[S], E | None]) -> Allowed[E]:
        """The ruling that all of it is legal, with every event that follows by itself.

        `follows` names the event that a table leads to by itself; None: somebody has to be asked.
        """
        while (following := follows(self.table)) is not None:
            self.add(following)
        return Allowed(tuple(self._events), tuple(self._because), self.table)


def settle(  # noqa: PLR0913 - what differs between the games comes by name
    table: S,
    events: Iterable[E],
    *,
    apply: Callable[[S, E], S],
    follows: Callable[[S], E | None],
    why: Callable[[S, E], Iterable[Because]],
    said: Because | None = None,
) -> Allowed[E]:
    """The ruling that these events are legal, with every event that follows from them by itself.

    The arguments are those of `EventBuilder`; `said` is a reason for the whole, and comes first.
    """
    made = EventBuilder(table, apply=apply, why=why)
    if said is not None:
        made.add_reason(said)
    made.add(*events)
    return made.settle(follows)
