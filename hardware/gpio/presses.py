"""From the edges of one key to presses: bounce, holding and double presses. See `hardware.gpio`."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from hardware.ports import Press

SPIKE_NS: Final = 3_000_000
"""A quick tap closes a contact for 40 ms and more; interference lasts microseconds."""

_NS: Final = 1_000_000_000


class Timing(Struct, frozen=True):
    """The times in seconds: 0 <= `bounce_s` < `hold_s`."""

    hold_s: float = 0.8
    bounce_s: float = 0.03
    double_s: float = 0.3
    doubles: bool = False
    at_once: bool = False


class Pressed(Struct, frozen=True):
    """A press; `at_ns` is the time of the edge that decided it (of a long one: when it became long)."""

    press: Press
    at_ns: int


class Released(Struct, frozen=True):
    """The end of a long press at the edge `at_ns`."""

    at_ns: int


class PressDetector:
    """The state of one key. Times are nanoseconds of one clock, passed in. Not thread-safe."""

    def __init__(self, timing: Timing = Timing()) -> None:
        self._hold_ns = round(timing.hold_s * _NS)
        self._bounce_ns = round(timing.bounce_s * _NS)
        self._double_ns = round(timing.double_s * _NS)
        self._doubles = timing.doubles
        self._at_once = timing.at_once
        self.begin(down=False, at_ns=0)

    def begin(self, *, down: bool, at_ns: int) -> None:
        """Forget everything. A key that is `down` now reports nothing until it was released once."""
        self._contact = down  # the newest level, bounces included
        self._contact_ns = at_ns
        self._pressed = down  # whether the key counts as pressed: the contact without its bounces
        self._down_ns = at_ns
        self._up_ns = at_ns - self._bounce_ns
        self._locked_until_ns = at_ns
        self._used = down  # this press was reported, or never will be
        self._long = False  # a long press was reported, and its end was not
        self._first_ns: int | None = None  # the release of a short press that may become a double
        self.held_from_start = down

    @property
    def contact(self) -> bool:
        """Whether the contact was closed by the newest edge."""
        return self._contact

    @property
    def due_ns(self) -> int | None:
        """When `until` has something to do if no edge comes before; None: only an edge matters."""
        return min(self._dues(), default=None)

    def edge(self, *, down: bool, at_ns: int) -> list[Pressed | Released]:
        """The contact closed (`down`) or opened at `at_ns`. An edge to the level it has is ignored."""
        events = self.until(at_ns)
        if down != self._contact:
            self._contact, self._contact_ns = down, at_ns
            if at_ns >= self._locked_until_ns:
                events += self._follow_contact(at_ns)
        return events

    def until(self, now_ns: int) -> list[Pressed | Released]:
        """Time passed until `now_ns` without an edge; gives what this decided, oldest first."""
        events: list[Pressed | Released] = []
        while (due_ns := self.due_ns) is not None and due_ns <= now_ns:
            events += self._decide(due_ns)
        return events

    def _dues(self) -> list[int]:
        dues = []
        if self._contact != self._pressed:
            dues.append(self._locked_until_ns)
        elif self._pressed and not self._used:
            dues.append(self._down_ns + (SPIKE_NS if self._at_once else self._hold_ns))
        if self._first_ns is not None and (not self._pressed or self._used):
            dues.append(self._first_ns + self._double_ns)
        return dues

    def _decide(self, due_ns: int) -> list[Pressed | Released]:
        if self._contact != self._pressed and due_ns >= self._locked_until_ns:
            return self._follow_contact(self._contact_ns)
        if self._at_once:
            self._used = True
            return [Pressed(Press.SHORT, self._down_ns)]
        events = self._end_double()
        if self._pressed and not self._used and due_ns >= self._down_ns + self._hold_ns:
            self._used = self._long = True
            events.append(Pressed(Press.LONG, self._down_ns + self._hold_ns))
        return events

    def _follow_contact(self, at_ns: int) -> list[Pressed | Released]:
        """The key counts as pressed or released, like its contact, since `at_ns`."""
        self._pressed = self._contact
        self._locked_until_ns = at_ns + self._bounce_ns
        if self._pressed:
            # Closed again so soon after it opened: the contact chatters, and this is still the same press.
            self._used = at_ns - self._up_ns < self._bounce_ns
            self._down_ns = at_ns
            return []
        self._up_ns = at_ns
        self.held_from_start = False
        if self._long:
            self._long = False
            return [Released(at_ns)]
        if self._used or at_ns - self._down_ns < SPIKE_NS:
            return []
        if not self._doubles:
            return [Pressed(Press.SHORT, at_ns)]
        if self._first_ns is None:
            self._first_ns = at_ns
            return []
        self._first_ns = None
        return [Pressed(Press.DOUBLE, at_ns)]

    def _end_double(self) -> list[Pressed | Released]:
        """No second press came in time: the first one was a short press."""
        if self._first_ns is None:
            return []
        first_ns, self._first_ns = self._first_ns, None
        return [Pressed(Press.SHORT, first_ns)]
