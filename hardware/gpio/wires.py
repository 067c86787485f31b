"""From the edges of one wire to messages for the program: a key, or one contact of a knob.

A `Wire` filters noise, its `EdgeListener` makes messages of the rest. A contact is True while it is closed,
whether the pin is pulled up or down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from hardware.errors import sentence
from hardware.gpio.noise import NoiseGuard, WireState
from hardware.gpio.presses import PressDetector, Released
from hardware.gpio.rotary import RotaryDecoder
from hardware.ports import DeviceFault, DeviceRecovered, Key, KeyPressed, KeyReleased, Press

if TYPE_CHECKING:
    from hardware.gpio.noise import Limits
    from hardware.gpio.presses import Pressed, Timing
    from hardware.ports import Message

_NS: Final = 1_000_000_000


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


class KeyListener:
    """A key on a wire of its own."""

    def __init__(self, key: Key, timing: Timing) -> None:
        self._key = key
        self._presses = PressDetector(timing)

    @property
    def contact(self) -> bool:
        """Whether the contact is closed, by the newest edge."""
        return self._presses.contact

    @property
    def due_ns(self) -> int | None:
        """When `until` has something to do if no edge comes before."""
        return self._presses.due_ns

    @property
    def stuck(self) -> bool:
        """Whether it was closed at the start and has not opened since."""
        return self._presses.held_from_start

    def begin(self, *, down: bool, at_ns: int) -> None:
        """Start again with this level."""
        self._presses.begin(down=down, at_ns=at_ns)

    def edge(self, *, down: bool, at_ns: int) -> list[Message]:
        """The level changed."""
        return self._as_messages(self._presses.edge(down=down, at_ns=at_ns))

    def until(self, now_ns: int) -> list[Message]:
        """Time passed."""
        return self._as_messages(self._presses.until(now_ns))

    def _as_messages(self, events: list[Pressed | Released]) -> list[Message]:
        return [
            KeyReleased(self._key, one.at_ns / _NS)
            if isinstance(one, Released)
            else KeyPressed(self._key, one.press, one.at_ns / _NS)
            for one in events
        ]


class Knob:
    """A rotary encoder; its contacts `a` and `b` are the listeners of two wires."""

    def __init__(self, steps: int) -> None:
        self._decoder = RotaryDecoder(steps)
        self.a = KnobContact(self)
        self.b = KnobContact(self)

    def begin(self) -> None:
        """Both contacts have the level that they know of, and nothing was turned yet."""
        self._decoder.begin(a=self.a.contact, b=self.b.contact)

    def moved(self, at_ns: int) -> list[Message]:
        """One of the contacts has a new level."""
        turned = self._decoder.contacts(a=self.a.contact, b=self.b.contact)
        if not turned:
            return []
        return [KeyPressed(Key.TURN_RIGHT if turned > 0 else Key.TURN_LEFT, Press.SHORT, at_ns / _NS)]


class KnobContact:
    """One of the two contacts of a `Knob`. It may rest closed, so it is never `stuck`."""

    stuck = False
    due_ns = None

    def __init__(self, knob: Knob) -> None:
        self._knob = knob
        self.contact = False

    def begin(self, *, down: bool, at_ns: int) -> None:
        """Start again with this level."""
        self.contact = down
        self._knob.begin()

    def edge(self, *, down: bool, at_ns: int) -> list[Message]:
        """The level changed."""
        self.contact = down
        return self._knob.moved(at_ns)

    def until(self, now_ns: int) -> list[Message]:
        """Time passed."""
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
        """Whether the contact is closed, by the newest edge."""
        return self._listener.contact

    @property
    def used(self) -> bool:
        """Whether its edges mean anything."""
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
        """The pin cannot be claimed."""
        return [self._fault(fault, check)]

    def edge(self, *, down: bool, at_ns: int) -> list[Message]:
        """The contact closed or opened at `at_ns`."""
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
