"""From the edges of one key to presses of the finger; which pin it is and what it means is not known here.

Everything about bounce, holding and double presses lives here. The rules:

- The first edge counts, and the `bounce_s` after it are locked out. lgpio's own debounce would stamp the
  *last* bounce and report every press `bounce_s` late; so a key that chatters would lose to one that was
  pressed after it.
- What the contact is at the end of the lock-out counts again: a tap shorter than that is not lost.
- A contact that closes again within `bounce_s` of its opening chatters: no finger is that quick. It stays
  the same press and acts once.
- A contact that closed for less than `SPIKE_NS` in all was no finger but a spark on a long wire.
- A short press acts when the key is released, a long one as soon as it has been held for `hold_s`.
- A key that acts `at_once` gives a short press as soon as it cannot be a spark any more, with the time of
  the edge that closed it: so two such keys can be compared to see which was first.
- The end of a long press is told, too: some things are to be held for on purpose.
- A double press is looked for where `doubles` says so only, because there a short one has to wait for
  `double_s` after its release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware.ports import Press

SPIKE_NS: Final = 3_000_000
"""A quick tap closes a contact for 40 ms and more; a spark lasts microseconds."""

_NS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things take, in seconds: 0 <= `bounce_s` < `hold_s`."""

    hold_s: float = 0.8
    bounce_s: float = 0.03
    double_s: float = 0.3
    doubles: bool = False
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """A press; `at_ns` is the time of the edge that decided it (of a long one: when it was long enough)."""

    press: Press
    at_ns: int


@dataclass(frozen=True, slots=True)
class LetGo:
    """The end of a long press at the edge `at_ns`."""

    at_ns: int


class Gestures:
    """The automaton of one key. Times are nanoseconds of one clock, passed in. Not for several threads."""

    def __init__(self, timing: Timing = Timing()) -> None:
        self._hold_ns = round(timing.hold_s * _NS)
        self._bounce_ns = round(timing.bounce_s * _NS)
        self._double_ns = round(timing.double_s * _NS)
        self._doubles = timing.doubles
        self._at_once = timing.at_once
        self.begin(down=False, at_ns=0)

    def begin(self, *, down: bool, at_ns: int) -> None:
        """Forget everything. A key that is `down` now gives nothing until it was released once."""
        self._contact = down  # the newest level, bounces included
        self._contact_ns = at_ns
        self._pressed = down  # what is believed of the finger
        self._down_ns = at_ns
        self._up_ns = at_ns - self._bounce_ns
        self._locked_until_ns = at_ns
        self._used = down  # this press has acted, or never will
        self._long = False  # a long press was told, and its end was not
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

    def edge(self, *, down: bool, at_ns: int) -> list[Given | LetGo]:
        """The contact closed (`down`) or opened at `at_ns`. An edge to the level it has is nothing."""
        given = self.until(at_ns)
        if down != self._contact:
            self._contact, self._contact_ns = down, at_ns
            if at_ns >= self._locked_until_ns:
                given += self._believe(at_ns)
        return given

    def until(self, now_ns: int) -> list[Given | LetGo]:
        """Nothing but time passed until `now_ns`; gives what it decided, oldest first."""
        given: list[Given | LetGo] = []
        while (due_ns := self.due_ns) is not None and due_ns <= now_ns:
            given += self._decide(due_ns)
        return given

    def _dues(self) -> list[int]:
        dues = []
        if self._contact != self._pressed:
            dues.append(self._locked_until_ns)
        elif self._pressed and not self._used:
            dues.append(self._down_ns + (SPIKE_NS if self._at_once else self._hold_ns))
        if self._first_ns is not None and (not self._pressed or self._used):
            dues.append(self._first_ns + self._double_ns)
        return dues

    def _decide(self, due_ns: int) -> list[Given | LetGo]:
        if self._contact != self._pressed and due_ns >= self._locked_until_ns:
            return self._believe(self._contact_ns)
        if self._at_once:
            self._used = True
            return [Given(Press.SHORT, self._down_ns)]
        given = self._give_up_double()
        if self._pressed and not self._used and due_ns >= self._down_ns + self._hold_ns:
            self._used = self._long = True
            given.append(Given(Press.LONG, self._down_ns + self._hold_ns))
        return given

    def _believe(self, at_ns: int) -> list[Given | LetGo]:
        """The finger follows the contact, since `at_ns`."""
        self._pressed = self._contact
        self._locked_until_ns = at_ns + self._bounce_ns
        if self._pressed:
            self._used = at_ns - self._up_ns < self._bounce_ns
            self._down_ns = at_ns
            return []
        self._up_ns = at_ns
        self.held_from_start = False
        if self._long:
            self._long = False
            return [LetGo(at_ns)]
        if self._used or at_ns - self._down_ns < SPIKE_NS:
            return []
        if not self._doubles:
            return [Given(Press.SHORT, at_ns)]
        if self._first_ns is None:
            self._first_ns = at_ns
            return []
        self._first_ns = None
        return [Given(Press.DOUBLE, at_ns)]

    def _give_up_double(self) -> list[Given | LetGo]:
        if self._first_ns is None:
            return []
        first_ns, self._first_ns = self._first_ns, None
        return [Given(Press.SHORT, first_ns)]
