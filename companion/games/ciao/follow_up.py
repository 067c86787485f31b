"""What a command leads to, event by event, with the reasons; and the steps that several commands share.

In the other games what follows can be read from the table alone. Here it also depends on the command
(a joker's symbol or a receiver can be given with the card), so the files that know a command add its
events one by one to an `EventBuilder`, and read the table as it is after them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ruling import Allowed, Because
from companion.games.ciao import rules
from companion.games.ciao.box import points
from companion.games.ciao.events import (
    Asked,
    CardsDrawn,
    DealStopped,
    DealWon,
    Event,
    HandCounted,
    PlusThree,
    Reshuffled,
    TurnBegun,
    TurnMissed,
)
from companion.games.ciao.explain import why
from companion.games.ciao.table import Stage, Table, apply

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from companion.core.ruling import Rule


class EventBuilder:
    """The events of one command so far, and the table after them.

    It is made for one command and then discarded: the table it began with is never changed.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._events: list[Event] = []
        self._because: list[Because] = []

    def add(self, *events: Event) -> None:
        """These happen next, each with its reason."""
        for event in events:
            reason = why(event, len(self.table.players))
            self._because += [reason] if reason else []
            self.table = apply(self.table, event)
            self._events.append(event)

    def add_reason(self, reason: Because) -> None:
        """A further reason for the events so far."""
        self._because.append(reason)

    def allow(self) -> Allowed[Event]:
        """The ruling that all of it is legal."""
        return Allowed(tuple(self._events), tuple(self._because), self.table)

    def ask(self, stage: Stage, seat: Seat, other: Seat | None = None) -> None:
        """A player has to decide something."""
        self.add(Asked(stage.value, seat, other))

    def pass_on(self, after: Seat | None = None) -> None:
        """The next player after a seat, or after the latest card; players who lost a turn are skipped."""
        seat = self.table.next_after(self.table.after if after is None else after)
        while self.table.skips[seat]:
            self.add(TurnMissed(seat))
            seat = self.table.next_after(seat)
        self.add(TurnBegun(seat))

    def draw(self, seat: Seat, number: int, rule: Rule) -> None:
        """A seat draws; the discards are shuffled when the draw pile is too small (house rule HC-9)."""
        under = len(self.table.discards) - 1
        if self.table.draw < number and under > 0:
            self.add(Reshuffled(under))
        # A stored match of a larger deck, agreed with an option that is retired, can count below 0 here.
        number = max(0, min(number, self.table.draw))
        self.add(CardsDrawn(seat, number, self.table.pile[:number], rule.key))

    def draw_pending(self, seat: Seat) -> None:
        """A seat draws what a +3 makes it draw, if one waits."""
        if self.table.pending:
            self.draw(seat, self.table.pending, rules.PLUS_THREE)
            self.add(PlusThree(seat, 0))

    def win(self, seat: Seat) -> None:
        """A seat has no cards left and wins the deal."""
        self.add(DealWon(seat))
        self.count_open_hands()

    def stop(self) -> None:
        """The deal ends without a winner."""
        self.add(DealStopped())
        self.count_open_hands()

    def count_open_hands(self) -> None:
        """Hands that are known need not be shown."""
        for seat in self.table.uncounted:
            hand = self.table.hands[seat]
            if hand.open:
                self.add(HandCounted(seat, points(hand.known), hand.known))
