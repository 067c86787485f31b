"""Switching the machine off from the table: the switch itself, and the key that is held for it.

`Power` is what the program needs of a machine that can be switched off; `firmware.service.power` has the real
one. `Hold` counts the seconds for which a key is held down.
"""

import math
from typing import Final, Protocol

from companion.values import Value

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


class Hold(Value):
    """A key that is held down until something happens: since when; None while none is. Monotonic seconds."""

    since_s: float | None = None

    @property
    def held(self) -> bool:
        return self.since_s is not None

    def left(self, now_s: float) -> int:
        """Whole seconds that are left, from 3 down to 1; 0 when the time is up or no key is held."""
        return 0 if self.since_s is None else max(0, math.ceil(HOLD_S - (now_s - self.since_s)))

    def due(self, now_s: float) -> bool:
        """Whether the key has been held for long enough."""
        return self.since_s is not None and now_s - self.since_s >= HOLD_S
