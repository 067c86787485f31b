"""A table as it is at one moment, beside its match: what is open, what is said, whose card comes next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from companion.values import Value, field, replace
from firmware.play.pages import Pages
from firmware.play.strict_turn import ChoiceClock
from firmware.play.turn_clock import TurnClock
from hardware.ports import Light

if TYPE_CHECKING:
    from firmware.config.sections import ScreenOptions
    from firmware.screens.parts.base import Page
    from firmware.screens.turn.refusal import EarlyCard

_MOST_SEEN: Final = 300
"""Results of which it is known that people have seen them; a device runs for months."""

Moment = tuple[int | None, int]
"""A match and the number of a step: a step that is made after an undo has another number."""


class Table(Value):
    """The state of a table. It never changes: what is done replaces it. Seconds of the controller's clock."""

    now_s: float = 0.0
    active_s: float = 0.0
    """When somebody has done something for the last time."""
    light: Light = Light.FULL
    muted: bool = False

    pages: Pages = Pages()
    setup: Page | None = None
    """The page that is shown while no match is in play; None is the start page."""
    notice: str = ""
    """The line over the page."""
    notice_until_s: float = 0.0
    since: tuple[Page, float] | None = None
    """The page in front that goes on by itself, and since when it is there."""
    seen: Mapping[Moment, frozenset[str]] = field(default_factory=dict)
    """Which results people have acknowledged. It is stored nowhere."""

    scanned: tuple[str, float] = ("", float("-inf"))
    """The newest code, and when it was scanned."""
    turn: TurnClock = TurnClock()
    choice: ChoiceClock = ChoiceClock()
    early: tuple[int, EarlyCard] | None = None
    """The newest card that came right after a ruling, with the number of its step."""

    def has_seen(self, result: str, at: Moment) -> bool:
        """Whether people have acknowledged this result of a step."""
        return result in self.seen.get(at, ())

    def noting(self, result: str, at: Moment) -> Table:
        """The table once people have seen what a step led to."""
        seen = {**self.seen, at: self.seen.get(at, frozenset()) | {result}}
        if len(seen) > _MOST_SEEN:
            del seen[next(iter(seen))]
        return replace(self, seen=seen)

    def following(self, front: Page, usual_s: float) -> tuple[Table, bool]:
        """The table, and whether it is time that another page follows this one, which is in front.

        People had the time to read it: `usual_s`, if the page says nothing of it; 0 means never.
        """
        limit_s = usual_s if front.stays_s is None else front.stays_s
        if not front.GOES_ON_BY_ITSELF or not limit_s:
            return (self if self.since is None else replace(self, since=None)), False
        if self.since is None or self.since[0] != front:
            return replace(self, since=(front, self.now_s)), False
        return self, self.now_s - self.since[1] >= limit_s

    def dimmed(self, screen: ScreenOptions) -> Table:
        """The table with a display that is dim or dark once nobody has done anything for long enough."""
        idle_s, light = self.now_s - self.active_s, Light.FULL
        if screen.dim_after_s and idle_s >= screen.dim_after_s:
            light = Light.DIM
        if screen.hide_after_s and idle_s >= screen.hide_after_s:
            light = Light.OFF
        return self if light is self.light else replace(self, light=light)
