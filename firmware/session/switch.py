"""Switching the machine off from the table: the switch itself, and the key that is held for it.

`Power` is what the program needs of a machine that can be switched off; `firmware.service.power` has the real
one. `Hold` counts the seconds for which a key is held down. Nothing is drawn here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, Protocol

HOLD_S: Final = 3.0
"""Longer than any other kind of press, and short enough to be comfortable."""


class Power(Protocol):
    """The switch of the machine. Both methods return at once and raise nothing.

    The machine ends the program with SIGTERM. If it refuses, a thread posts a `DeviceFault` of "power".
    """

    def off(self) -> None:
        """Switch off."""

    def restart(self) -> None:
        """Switch off and on again."""


class Hold:
    """A key that is held down until something happens. Times are monotonic seconds, passed in.

    Call `begin` when a long press has come, `let_go` when the key was released, and `due` regularly.
    """

    def __init__(self, hold_s: float = HOLD_S) -> None:
        self._hold_s = hold_s
        self._since_s: float | None = None

    @property
    def held(self) -> bool:
        """Whether a countdown runs."""
        return self._since_s is not None

    def begin(self, now_s: float) -> None:
        """The key has been held long enough to be meant: the countdown starts."""
        self._since_s = now_s

    def let_go(self) -> None:
        """The key is released: the countdown ends and nothing happens."""
        self._since_s = None

    def left(self, now_s: float) -> int:
        """Whole seconds that are left, from 3 down to 1; 0 when the time is up or no key is held."""
        if self._since_s is None:
            return 0
        return max(0, math.ceil(self._hold_s - (now_s - self._since_s)))

    def due(self, now_s: float) -> bool:
        """True once, when the key has been held for long enough."""
        if self._since_s is None or now_s - self._since_s < self._hold_s:
            return False
        self._since_s = None
        return True


class Machine:
    """The machine under the table, as far as pages may use it. `now_s` gives monotonic seconds."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self.hold = Hold()
        self.power: Power | None = None
        """The switch of the machine; None where this program may not use it."""

    def tick(self, now_s: float) -> bool:
        """Switch the machine off if its key was held for long enough; whether that is so."""
        if not self.hold.due(now_s) or self.power is None:
            return False
        self.power.off()
        return True

    @property
    def can_switch_off(self) -> bool:
        """Whether the machine can be switched off from here."""
        return self.power is not None

    def begin_switch_off(self) -> None:
        """Start the countdown: the machine goes off unless the key is released before its end."""
        self.hold.begin(self._now_s())

    def switch_off_in_s(self) -> int:
        """Whole seconds left in that countdown; 0 where none runs."""
        return self.hold.left(self._now_s())

    def restart(self) -> None:
        """Switch the machine off and on again, where it can be switched off."""
        if self.power is not None:
            self.power.restart()
