"""What an input wire says, as messages: a key, or one side of a knob; no GPIO library is known here.

A `Wire` keeps the noise out, its `Listener` understands the rest. Contacts are True while closed,
whichever way they are pulled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from hardware.gpio.gestures import Gestures, LetGo
from hardware.gpio.noise import Ear, NoiseGuard
from hardware.gpio.turning import Turning
from hardware.ports import DeviceFault, DeviceRecovered, Key, KeyPressed, KeyReleased, Press

if TYPE_CHECKING:
    from hardware.gpio.gestures import Given, Timing
    from hardware.gpio.noise import Limits
    from hardware.ports import Message

_NS: Final = 1_000_000_000


class Listener(Protocol):
    """Understands the edges of one wire. Times are nanoseconds of the monotonic clock."""

    @property
    def contact(self) -> bool:
        """The level it was told last."""

    @property
    def due_ns(self) -> int | None:
        """When `until` has something to do if no edge comes before."""

    @property
    def stuck(self) -> bool:
        """Whether it was closed at the start and is not believed until it opens."""

    def begin(self, *, down: bool, at_ns: int) -> None:
        """Forget everything; this is the level now."""

    def edge(self, *, down: bool, at_ns: int) -> list[Message]:
        """The level changed."""

    def until(self, now_ns: int) -> list[Message]:
        """Time passed."""


class KeyListener:
    """A key on a wire of its own."""

    def __init__(self, key: Key, timing: Timing) -> None:
        self._key = key
        self._gestures = Gestures(timing)

    @property
    def contact(self) -> bool:
        """The level it was told last."""
        return self._gestures.contact

    @property
    def due_ns(self) -> int | None:
        """When `until` has something to do if no edge comes before."""
        return self._gestures.due_ns

    @property
    def stuck(self) -> bool:
        """Whether it was closed at the start and has not opened since."""
        return self._gestures.held_from_start

    def begin(self, *, down: bool, at_ns: int) -> None:
        """Forget everything; this is the level now."""
        self._gestures.begin(down=down, at_ns=at_ns)

    def edge(self, *, down: bool, at_ns: int) -> list[Message]:
        """The level changed."""
        return self._named(self._gestures.edge(down=down, at_ns=at_ns))

    def until(self, now_ns: int) -> list[Message]:
        """Time passed."""
        return self._named(self._gestures.until(now_ns))

    def _named(self, given: list[Given | LetGo]) -> list[Message]:
        return [
            KeyReleased(self._key, one.at_ns / _NS)
            if isinstance(one, LetGo)
            else KeyPressed(self._key, one.press, one.at_ns / _NS)
            for one in given
        ]


class Knob:
    """A rotary encoder; give its two `sides` to two wires."""

    def __init__(self, steps: int) -> None:
        self._turning = Turning(steps)
        self.a = KnobSide(self)
        self.b = KnobSide(self)

    def begin(self) -> None:
        """The contacts are as the sides know them, and nothing was turned yet."""
        self._turning.begin(a=self.a.contact, b=self.b.contact)

    def moved(self, at_ns: int) -> list[Message]:
        """A side has a new level."""
        turned = self._turning.contacts(a=self.a.contact, b=self.b.contact)
        if not turned:
            return []
        return [KeyPressed(Key.TURN_RIGHT if turned > 0 else Key.TURN_LEFT, Press.SHORT, at_ns / _NS)]


class KnobSide:
    """One of the two contacts of a `Knob`. It may rest closed, so it is never stuck."""

    stuck = False
    due_ns = None

    def __init__(self, knob: Knob) -> None:
        self._knob = knob
        self.contact = False

    def begin(self, *, down: bool, at_ns: int) -> None:
        """Forget everything; this is the level now."""
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
    """One input: its noise guard, its listener and what the program was told about it.

    `name` is the device id in the messages, `where` how people find the wire ("GPIO 17"). Times are
    nanoseconds of the monotonic clock. Not for several threads.
    """

    def __init__(self, name: str, where: str, listener: Listener, limits: Limits) -> None:
        self.name = name
        self._where = where
        self._listener = listener
        self._guard = NoiseGuard(limits)
        self._told = False  # a fault is open

    @property
    def contact(self) -> bool:
        """Whether the contact is closed, as far as the edges tell."""
        return self._listener.contact

    @property
    def used(self) -> bool:
        """Whether its edges are believed."""
        return self._guard.ear is Ear.USED

    @property
    def wanted(self) -> bool:
        """Whether the chip is to report its edges at all."""
        return self._guard.ear is not Ear.OFF

    @property
    def due_ns(self) -> int | None:
        """When `until` has something to do if no edge comes before."""
        dues = (self._guard.due_ns, self._listener.due_ns if self.used else None)
        return min((due for due in dues if due is not None), default=None)

    def begin(self, *, down: bool, at_ns: int) -> list[Message]:
        """The wire is there, and this is its level. A key that is held is a fault: it may be a short."""
        self._listener.begin(down=down, at_ns=at_ns)
        if self._listener.stuck:
            return [
                self._fault(
                    "held down since the start",
                    "release it; if nobody is pressing it, its wire touches another one",
                )
            ]
        return self._recovered()

    def absent(self, fault: str, check: str) -> list[Message]:
        """The pin cannot be had."""
        return [self._fault(fault, check)]

    def edge(self, *, down: bool, at_ns: int) -> list[Message]:
        """The contact closed or opened at `at_ns`."""
        if self.used and self._guard.edge(at_ns) is Ear.OFF:
            return [
                self._fault(
                    "the signal is noisy; it is ignored until it settles",
                    "look for a loose wire or a missing connection to ground",
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

    def _fault(self, fault: str, check: str) -> DeviceFault:
        self._told = True
        return DeviceFault(self.name, f"{self._where}: {fault}", check)

    def _recovered(self) -> list[Message]:
        if not self._told:
            return []
        self._told = False
        return [DeviceRecovered(self.name)]
