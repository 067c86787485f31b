"""From the edges of one wire to messages for the program: a key, or one contact of a knob.

A `Wire` filters noise, its `EdgeListener` makes messages of the rest. A contact is True while it is closed,
whether the pin is pulled up or down. Times are nanoseconds of one clock and are passed in; nothing here is
thread-safe. See `hardware.gpio`.
"""

from collections import deque
from enum import Enum
from typing import Final, Protocol

from msgspec import Struct

from hardware.errors import sentence
from hardware.ports import DeviceFault, DeviceRecovered, Key, KeyPressed, KeyReleased, Message, Press

_NS: Final = 1_000_000_000
_POSITION: Final = {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}
"""Where in its cycle the encoder is, by which of the contacts A and B are closed. Clockwise, A closes first;
where the knob turns the wrong way, the two wires are swapped."""


class Limits(Struct, frozen=True):
    """`edges` within `window_s` are noise. The wire is off for `rest_s`, then on trial for `window_s`.

    150 in 2 s is more than a child makes that hammers a bad key (eight presses a second with eight edges
    each), and less than the hum of the mains (100 edges a second).
    """

    edges: int = 150
    window_s: float = 2.0
    rest_s: float = 5.0


class WireState(Enum):
    """What to do with a wire."""

    USED = "used"
    OFF = "off"  # the chip is not even asked for its edges
    ON_TRIAL = "on trial"  # its edges are counted, but none of them means anything


class NoiseGuard:
    """Judges one wire. Times are nanoseconds of one clock and are passed in. Not thread-safe."""

    def __init__(self, limits: Limits = Limits()) -> None:
        self.state = WireState.USED
        self._window_ns = round(limits.window_s * _NS)
        self._rest_ns = round(limits.rest_s * _NS)
        self._recent: deque[int] = deque(maxlen=limits.edges)
        self._trial_edges = limits.edges // 10
        self.due_ns: int | None = None
        """When `until` changes the `state` if no edge does; None: it does not."""

    def edge(self, at_ns: int) -> WireState:
        """Count an edge; gives the `state` from now on."""
        self.until(at_ns)
        if self.state is WireState.OFF:
            return self.state  # it was on its way when the wire was switched off
        self._recent.append(at_ns)
        full = len(self._recent) == self._recent.maxlen and at_ns - self._recent[0] <= self._window_ns
        if full or (self.state is WireState.ON_TRIAL and len(self._recent) > self._trial_edges):
            self.state = WireState.OFF
            self.due_ns = at_ns + self._rest_ns
            self._recent.clear()
        return self.state

    def until(self, now_ns: int) -> WireState:
        """Time passed until `now_ns`; gives the `state` from now on."""
        if self.due_ns is not None and now_ns >= self.due_ns:
            if self.state is WireState.OFF:
                self.state = WireState.ON_TRIAL
                # From now, not from when it was due: edges are only reported since they are asked for again.
                self.due_ns = now_ns + self._window_ns
            else:
                self.state = WireState.USED
                self.due_ns = None
            self._recent.clear()
        return self.state


class EdgeListener(Protocol):
    """Makes messages of the edges of one wire. Times are nanoseconds of the monotonic clock."""

    @property
    def contact(self) -> bool:
        """Whether the contact is closed, by the newest edge."""

    @property
    def due_ns(self) -> int | None:
        """When `until` has something to do if no edge comes before."""

    @property
    def stuck(self) -> bool:
        """Whether it was closed at the start and has not opened since; until then it reports nothing."""

    def begin(self, *, down: bool, at_ns: int) -> None:
        """Start again with this level."""

    def edge(self, *, down: bool, at_ns: int) -> list[Message]:
        """The level changed."""

    def until(self, now_ns: int) -> list[Message]:
        """Time passed."""


SPIKE_NS: Final = 3_000_000
"""A quick tap closes a contact for 40 ms and more; interference lasts microseconds."""


class Timing(Struct, frozen=True):
    """The times in seconds: 0 <= `bounce_s` < `hold_s`."""

    hold_s: float = 0.8
    bounce_s: float = 0.03
    double_s: float = 0.3
    doubles: bool = False
    at_once: bool = False


class PressDetector:
    """A key on a wire of its own: an `EdgeListener`."""

    def __init__(self, key: Key, timing: Timing = Timing()) -> None:
        self._key = key
        self._hold_ns = round(timing.hold_s * _NS)
        self._bounce_ns = round(timing.bounce_s * _NS)
        self._double_ns = round(timing.double_s * _NS)
        self._doubles = timing.doubles
        self._at_once = timing.at_once
        self.begin(down=False, at_ns=0)

    def begin(self, *, down: bool, at_ns: int) -> None:
        """Forget everything. A key that is `down` now reports nothing until it was released once."""
        self.contact = down  # the newest level, bounces included
        self._contact_ns = at_ns
        self._pressed = down  # whether the key counts as pressed: the contact without its bounces
        self._down_ns = at_ns
        self._up_ns = at_ns - self._bounce_ns
        self._locked_until_ns = at_ns
        self._used = down  # this press was reported, or never will be
        self._long = False  # a long press was reported, and its end was not
        self._first_ns: int | None = None  # the release of a short press that may become a double
        self.stuck = down

    @property
    def due_ns(self) -> int | None:
        """When `until` has something to do if no edge comes before; None: only an edge matters."""
        return min(self._dues(), default=None)

    def edge(self, *, down: bool, at_ns: int) -> list[Message]:
        """The contact closed (`down`) or opened at `at_ns`. An edge to the level it has is ignored."""
        events = self.until(at_ns)
        if down != self.contact:
            self.contact, self._contact_ns = down, at_ns
            if at_ns >= self._locked_until_ns:
                events += self._follow_contact(at_ns)
        return events

    def until(self, now_ns: int) -> list[Message]:
        """Time passed until `now_ns` without an edge; gives what this decided, oldest first."""
        events: list[Message] = []
        while (due_ns := self.due_ns) is not None and due_ns <= now_ns:
            events += self._decide(due_ns)
        return events

    def _dues(self) -> list[int]:
        dues = []
        if self.contact != self._pressed:
            dues.append(self._locked_until_ns)
        elif self._pressed and not self._used:
            dues.append(self._down_ns + (SPIKE_NS if self._at_once else self._hold_ns))
        if self._first_ns is not None and (not self._pressed or self._used):
            dues.append(self._first_ns + self._double_ns)
        return dues

    def _decide(self, due_ns: int) -> list[Message]:
        if self.contact != self._pressed and due_ns >= self._locked_until_ns:
            return self._follow_contact(self._contact_ns)
        if self._at_once:
            self._used = True
            return [self._press(Press.SHORT, self._down_ns)]
        events = self._end_double()
        if self._pressed and not self._used and due_ns >= self._down_ns + self._hold_ns:
            self._used = self._long = True
            events.append(self._press(Press.LONG, self._down_ns + self._hold_ns))
        return events

    def _follow_contact(self, at_ns: int) -> list[Message]:
        """The key counts as pressed or released, like its contact, since `at_ns`."""
        self._pressed = self.contact
        self._locked_until_ns = at_ns + self._bounce_ns
        if self._pressed:
            # Closed again so soon after it opened: the contact chatters, and this is still the same press.
            self._used = at_ns - self._up_ns < self._bounce_ns
            self._down_ns = at_ns
            return []
        self._up_ns = at_ns
        self.stuck = False
        if self._long:
            self._long = False
            return [KeyReleased(self._key, at_ns / _NS)]
        if self._used or at_ns - self._down_ns < SPIKE_NS:
            return []
        if not self._doubles:
            return [self._press(Press.SHORT, at_ns)]
        if self._first_ns is None:
            self._first_ns = at_ns
            return []
        self._first_ns = None
        return [self._press(Press.DOUBLE, at_ns)]

    def _end_double(self) -> list[Message]:
        """No second press came in time: the first one was a short press."""
        if self._first_ns is None:
            return []
        first_ns, self._first_ns = self._first_ns, None
        return [self._press(Press.SHORT, first_ns)]

    def _press(self, press: Press, at_ns: int) -> KeyPressed:
        """At the edge that decided it; of a long press: when it became long."""
        return KeyPressed(self._key, press, at_ns / _NS)


class Knob:
    """A rotary encoder; its contacts `a` and `b` are the listeners of two wires.

    A contact that bounces goes back and forth between two positions, and cancels itself out: no lock-out
    is needed. `steps` is the number of quarter cycles from one detent to the next: 4 for most encoders,
    2 for those which rest with both contacts open and with both closed, 1 for a few.
    """

    def __init__(self, steps: int = 4) -> None:
        self._steps = steps
        self.a = KnobContact(self)
        self.b = KnobContact(self)
        self.begin()

    def begin(self) -> None:
        """Both contacts have the level that they know of, and nothing was turned yet."""
        self._position = _POSITION[self.a.contact, self.b.contact]
        self._moved = 0  # quarter cycles since the last detent

    def moved(self, at_ns: int) -> list[Message]:
        """One of the contacts has a new level."""
        position = _POSITION[self.a.contact, self.b.contact]
        quarter = (position - self._position) % 4
        self._position = position
        # Two steps at once: an edge was missed, and the direction is unknown. The next detent corrects it.
        self._moved += {0: 0, 1: 1, 2: 0, 3: -1}[quarter]
        if position % self._steps:
            return []  # between two detents
        moved, self._moved = self._moved, 0
        if 2 * abs(moved) < self._steps:
            return []
        return [KeyPressed(Key.TURN_RIGHT if moved > 0 else Key.TURN_LEFT, Press.SHORT, at_ns / _NS)]


class KnobContact:
    """One of the two contacts of a `Knob`. It may rest closed, so it is never `stuck`."""

    stuck = False
    due_ns = None

    def __init__(self, knob: Knob) -> None:
        self._knob = knob
        self.contact = False

    def begin(self, *, down: bool, at_ns: int) -> None:
        self.contact = down
        self._knob.begin()

    def edge(self, *, down: bool, at_ns: int) -> list[Message]:
        self.contact = down
        return self._knob.moved(at_ns)

    def until(self, now_ns: int) -> list[Message]:
        return []


class Wire:
    """One input: its noise guard, its listener, and the fault that was reported about it.

    `name` is the device id in the messages, `where` how people find the wire ("GPIO 17"). Times are
    nanoseconds of the monotonic clock. Not thread-safe.
    """

    def __init__(self, name: str, where: str, listener: EdgeListener, limits: Limits) -> None:
        self.name = name
        self._where = where
        self._listener = listener
        self._guard = NoiseGuard(limits)
        self._faulty = False  # a fault was reported, and its end was not

    @property
    def contact(self) -> bool:
        return self._listener.contact

    @property
    def used(self) -> bool:
        return self._guard.state is WireState.USED

    @property
    def wanted(self) -> bool:
        """Whether the chip should report its edges at all."""
        return self._guard.state is not WireState.OFF

    @property
    def due_ns(self) -> int | None:
        """When `until` has something to do if no edge comes before."""
        dues = (self._guard.due_ns, self._listener.due_ns if self.used else None)
        return min((due for due in dues if due is not None), default=None)

    def begin(self, *, down: bool, at_ns: int) -> list[Message]:
        """The pin is available, with this level. A held key is a fault: it may be a short circuit."""
        self._listener.begin(down=down, at_ns=at_ns)
        if self._listener.stuck:
            return [
                self._fault(
                    sentence("held down since the start"),
                    sentence("release it; if nobody is pressing it, its wire touches another one"),
                )
            ]
        return self._recovered()

    def absent(self, fault: str, check: str) -> list[Message]:
        return [self._fault(fault, check)]

    def edge(self, *, down: bool, at_ns: int) -> list[Message]:
        if self.used and self._guard.edge(at_ns) is WireState.OFF:
            return [
                self._fault(
                    sentence("the signal is noisy; it is ignored until it settles"),
                    sentence("look for a loose wire or a missing connection to ground"),
                    noisy=True,
                )
            ]
        if not self.used:
            self._guard.edge(at_ns)
            return []
        messages: list[Message] = list(self._listener.edge(down=down, at_ns=at_ns))
        return messages + self._released()

    def until(self, now_ns: int, *, down: bool) -> list[Message]:
        """Time passed until `now_ns`; `down` is the level of the contact then."""
        was_used = self.used
        self._guard.until(now_ns)
        if not self.used:
            return []
        if not was_used:
            return self.begin(down=down, at_ns=now_ns)
        messages: list[Message] = list(self._listener.until(now_ns))
        return messages + self._released()

    def _released(self) -> list[Message]:
        return [] if self._listener.stuck else self._recovered()

    def _fault(self, fault: str, check: str, *, noisy: bool = False) -> DeviceFault:
        self._faulty = True
        return DeviceFault(
            self.name, sentence("{where}: {fault}", where=self._where, fault=fault), check, noisy
        )

    def _recovered(self) -> list[Message]:
        if not self._faulty:
            return []
        self._faulty = False
        return [DeviceRecovered(self.name)]
