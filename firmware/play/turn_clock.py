"""When things happened in the turn that is played, and whose card comes next.

All of it is one frozen value, a part of the `Table`. Times are in seconds of the controller's clock; what has
not happened yet was before all time.
"""

from __future__ import annotations

from typing import Final

from companion.core.ask import AskKind, Gives, Wait
from companion.core.cards import Seat
from companion.text.sentence import Text, say
from companion.values import Value, replace
from firmware.session.actions import BadgeAction
from firmware.session.session import Session
from hardware.ports import Signal

ANNOUNCED_S: Final = 8.0
"""How long a badge holds for the card that is to follow it."""

_NEVER_S: Final = float("-inf")


class TurnClock(Value):
    """The times of a turn. `announced` is the player whose card comes next, where a badge has said so."""

    announced: Seat | None = None
    stepped_s: float = _NEVER_S
    """When the newest step was made."""

    ruled_s: float = _NEVER_S
    """When the newest ruling appeared."""

    _announced_until_s: float = _NEVER_S
    _pressed_s: float = _NEVER_S
    _waiting_since_s: float | None = None

    def tick(self, now_s: float) -> TurnClock:
        """The clock as time passes: a badge holds for a while only."""
        if self.announced is None or now_s < self._announced_until_s:
            return self
        return replace(self, announced=None)

    def after_step(self, now_s: float, *, ruled: bool) -> TurnClock:
        """The clock after a step; `ruled`: a ruling has appeared with it."""
        return replace(self, stepped_s=now_s, ruled_s=now_s if ruled else self.ruled_s)

    def after_card(self, now_s: float) -> TurnClock:
        """The clock after a card was accepted: the next one is awaited, and may be anybody's."""
        return replace(self, announced=None, _waiting_since_s=now_s)

    def without_waiting(self) -> TurnClock:
        """The clock where no further card is awaited, or players were told that one is missing."""
        return self if self._waiting_since_s is None else replace(self, _waiting_since_s=None)

    def announce(self, seat: Seat, now_s: float, pressed_s: float | None = None) -> TurnClock:
        """The clock after a badge, or after a player's own key that was pressed at `pressed_s`."""
        until_s = now_s + ANNOUNCED_S
        pressed_s = self._pressed_s if pressed_s is None else pressed_s
        return replace(self, announced=seat, _announced_until_s=until_s, _pressed_s=pressed_s)

    def was_early(self, pressed_s: float) -> bool:
        """Whether a key was pressed before the newest step, so before anybody could know of the race."""
        return pressed_s < self.stepped_s

    def ahead_of(self, pressed_s: float) -> Seat | None:
        """The player who was announced before a key was pressed; None if nobody was.

        Presses are compared by the time at which the kernel saw them, not by the order of their messages.
        """
        return self.announced if self._pressed_s <= pressed_s else None

    def has_waited(self, now_s: float, limit_s: float) -> bool:
        """Whether the next card has been awaited for so long."""
        return self._waiting_since_s is not None and now_s - self._waiting_since_s >= limit_s


class Announcement(Value):
    """What a badge leads to that answers no question: the clock after it, a signal, a line to say."""

    clock: TurnClock
    signal: Signal | None
    says: Text


def announce(action: BadgeAction, session: Session, clock: TurnClock, now_s: float) -> Announcement:
    """The next card is this player's. In a race the first of the players' own keys counts."""
    match = session.match
    seat = session.seat(action.badge) if match else None
    asked = next((ask for ask in match.asks if seat in ask.seats), None) if match else None
    if seat is None or asked is None or asked.wait is Wait.ONE or asked.kind.gives is not Gives.CARD:
        turn = match is not None and any(ask.kind is AskKind.PLAY for ask in match.asks)
        name = session.names.short(action.badge, 8)
        played = seat is not None and turn and asked is None
        says = say("{name} HAS PLAYED", name=name) if played else say("NO BADGE NEEDED NOW")
        return Announcement(clock, Signal.REFUSED, says)
    pressed_s = action.at_s if asked.kind is AskKind.RACE else None
    if pressed_s is not None:
        if clock.was_early(pressed_s):
            return Announcement(
                clock, Signal.REFUSED, say("{name}: TOO EARLY", name=session.short_name(seat, 8))
            )
        if (first := clock.ahead_of(pressed_s)) is not None:
            return Announcement(clock, None, say("{name} WAS FIRST", name=session.short_name(first, 8)))
    says = say("{name}: SCAN A CARD", name=session.short_name(seat, 6))
    return Announcement(clock.announce(seat, now_s, pressed_s), Signal.ACCEPTED, says)
