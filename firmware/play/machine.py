"""The machine under the table: switching it off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.session.switch import Hold

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.session.switch import Power


class TableMachine:
    """What pages may do with the machine (`firmware.screens.parts.base.Machine`). `now_s` gives the time."""

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
