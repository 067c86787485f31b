"""Switching the machine off, and the key that is held for it; what is drawn meanwhile is a page's matter.

The program has no rights of its own for it. It asks logind, and a polkit rule lets the user `nimmt` do so:
no sudo, so that the service may forbid itself every new privilege.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, Protocol

from companion.errors import CompanionError

HOLD_S: Final = 3.0
"""Longer than any press that means something else, and short enough to be done on purpose."""
ASK_S: Final = 5.0
"""How long logind may take to answer."""

SYSTEMCTL: Final = "/usr/bin/systemctl"


class Power(Protocol):
    """The switch of the machine. Both return at once: the end comes as a SIGTERM."""

    def off(self) -> None:
        """Switch off. Raises `CompanionError` if the machine will not."""

    def restart(self) -> None:
        """Switch off and on again. Raises `CompanionError` if the machine will not."""


class Logind:
    """The switch of a machine with systemd. Blocks for the answer, at most `ASK_S`."""

    def __init__(self, systemctl: str = SYSTEMCTL) -> None:
        self._systemctl = systemctl

    def off(self) -> None:
        """Switch off."""
        self._ask("poweroff")

    def restart(self) -> None:
        """Switch off and on again."""
        self._ask("reboot")

    def _ask(self, verb: str) -> None:
        import subprocess  # only the last minute of an evening needs it

        try:
            answer = subprocess.run(  # noqa: S603 - a path and a word of ours
                [self._systemctl, "--no-ask-password", "--no-wall", verb],
                capture_output=True,
                text=True,
                timeout=ASK_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CompanionError(f"the machine does not answer: {error}", _BY_HAND) from error
        if answer.returncode:
            why = answer.stderr.strip().splitlines()
            raise CompanionError(f"the machine will not: {why[0] if why else 'no reason given'}", _BY_HAND)


_BY_HAND: Final = "log in and type: sudo poweroff"


@dataclass(slots=True)
class SimulatedPower:
    """A switch that nothing hangs on: `asked` has what it was told. With `refuses` it does not obey."""

    asked: list[str] = field(default_factory=list)
    refuses: str = ""

    def off(self) -> None:
        """Note it."""
        self._note("off")

    def restart(self) -> None:
        """Note it."""
        self._note("restart")

    def _note(self, what: str) -> None:
        if self.refuses:
            raise CompanionError(self.refuses, _BY_HAND)
        self.asked.append(what)


class Hold:
    """A key that is held down until something happens. Times are monotonic seconds, passed in.

    `begin` when the page has seen a long press, `let_go` when the key was released, `due` once a turn.
    """

    def __init__(self, hold_s: float = HOLD_S) -> None:
        self._hold_s = hold_s
        self._since_s: float | None = None

    @property
    def held(self) -> bool:
        """Whether the countdown runs."""
        return self._since_s is not None

    def begin(self, now_s: float) -> None:
        """The finger is down, and means it."""
        self._since_s = now_s

    def let_go(self) -> None:
        """The finger is up: nothing happens."""
        self._since_s = None

    def left(self, now_s: float) -> int:
        """The number on the glass: whole seconds from 3 down to 1; 0 when it is time or nobody holds."""
        if self._since_s is None:
            return 0
        return max(0, math.ceil(self._hold_s - (now_s - self._since_s)))

    def due(self, now_s: float) -> bool:
        """True once, when it was held for long enough."""
        if self._since_s is None or now_s - self._since_s < self._hold_s:
            return False
        self._since_s = None
        return True
