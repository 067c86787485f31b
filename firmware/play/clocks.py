"""When things happened in the turn that is played, whose card comes next, how long a choice takes.

Each clock is a frozen value, a part of the `Table`. Times are in seconds of the table's clock; what has
not happened yet was before all time.
"""

from __future__ import annotations

from math import ceil
from typing import Final

from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.match.match import Match
from companion.values import Value, replace

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


COUNTED_S: Final = 10
"""The last seconds, which the clock tells one by one."""


class ChoiceClock(Value):
    """A clock for the choice of a row, off by default. It decides nothing: the question stays.

    Since when a row is to be chosen, at which step of the match, and which second was told last.
    """

    step: int = -1
    since_s: float = 0.0
    told: int = COUNTED_S + 1

    def tick(self, match: Match | None, limit_s: float, now_s: float) -> tuple[ChoiceClock, int | None]:
        """The clock at this time, and the seconds that are left, where they are to be told now."""
        if not limit_s or match is None or not match.asks or match.asks[0].kind is not AskKind.CHOOSE:
            return ChoiceClock(), None
        clock = self if self.step == match.steps else ChoiceClock(match.steps, now_s)
        left = max(0, ceil(limit_s - (now_s - clock.since_s)))
        return (replace(clock, told=left), left) if left < clock.told else (clock, None)
