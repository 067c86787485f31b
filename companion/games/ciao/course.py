"""What a command leads to, event by event, with the reasons; and the steps that several commands share.

A `Course` is made for one command and then discarded: the table it began with is never changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.ciao import rules
from companion.games.ciao.cards import points
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
from companion.ruling import Allowed, Because
from companion.text import say

if TYPE_CHECKING:
    from companion.cards import Seat
    from companion.ruling import Rule

THREE: Final = 3
"""Cards for a mistake (booklet 004:17), a +3 (004:64) and a forgotten thank you (004:71)."""


class Course:
    """The events so far, and the table after them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._events: list[Event] = []
        self._because: list[Because] = []
        self._fell_short = False

    def tell(self, *events: Event) -> None:
        """These happen next, each with its reason."""
        for event in events:
            reason = why(event, len(self.table.players))
            self._because += [reason] if reason else []
            self.table = apply(self.table, event)
            self._events.append(event)

    def because(self, reason: Because) -> None:
        """A further reason for the events so far."""
        self._because.append(reason)

    def allowed(self) -> Allowed[Event]:
        """The ruling that all of it is legal."""
        return Allowed(tuple(self._events), tuple(self._because))

    def ask(self, stage: Stage, seat: Seat, other: Seat | None = None) -> None:
        """A player has to decide something."""
        self.tell(Asked(stage.value, seat, other))

    def pass_on(self, after: Seat | None = None) -> None:
        """The next player after a seat, or after the latest card; players who lost a turn are skipped."""
        if self._fell_short and self.table.agreement.empty_pile == "end":
            self.because(Because(rules.RESHUFFLE, say("the draw pile is empty, which ends the deal")))
            self.stop()
            return
        seat = self.table.next_after(self.table.after if after is None else after)
        while self.table.skips[seat]:
            self.tell(TurnMissed(seat))
            seat = self.table.next_after(seat)
        self.tell(TurnBegun(seat))

    def draw(self, seat: Seat, number: int, rule: Rule) -> None:
        """A seat draws; the discards are shuffled when the draw pile is empty (house rule HC-9)."""
        under = len(self.table.discards) - 1
        if self.table.draw < number and under > 0 and self.table.agreement.empty_pile == "reshuffle":
            self.tell(Reshuffled(under))
        self._fell_short = self.table.draw < number
        number = min(number, self.table.draw)
        self.tell(CardsDrawn(seat, number, self.table.pile[:number], rule.key))

    def draw_pending(self, seat: Seat) -> None:
        """A seat draws what a +3 makes it draw, if one waits."""
        if self.table.pending:
            self.draw(seat, self.table.pending, rules.PLUS_THREE)
            self.tell(PlusThree(seat, 0))

    def won(self, seat: Seat) -> None:
        """A seat has no cards left and wins the deal."""
        self.tell(DealWon(seat))
        self.count_open_hands()

    def stop(self) -> None:
        """The deal ends without a winner."""
        self.tell(DealStopped())
        self.count_open_hands()

    def count_open_hands(self) -> None:
        """Hands that are known need not be shown."""
        for seat in self.table.uncounted:
            hand = self.table.hands[seat]
            if hand.open:
                self.tell(HandCounted(seat, points(hand.known), hand.known))
