"""Switching the machine off, and the key that is held for it.

The program has no rights of its own for it. It asks logind, and a polkit rule lets the user `nimmt` do so:
no sudo, so that the service may forbid itself every new privilege.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from hardware.ports import DeviceFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.ports import Message

HOLD_S: Final = 3.0
"""Longer than any other kind of press, and short enough to be comfortable."""
ASK_S: Final = 60.0
"""How long logind may take to answer; on a slow machine it starts polkit first."""

SYSTEMCTL: Final = "/usr/bin/systemctl"
DEVICE: Final = "power"
_BY_HAND: Final = "log in and type: sudo poweroff"


class Power(Protocol):
    """The power switch of the machine. Both methods return at once and raise nothing.

    The end comes as a SIGTERM. A refusal is a `DeviceFault` of "power", posted from a thread.
    """

    def off(self) -> None:
        """Switch off."""

    def restart(self) -> None:
        """Switch off and on again."""


class Logind:
    """The power switch of a machine with systemd; faults go to `post`."""

    def __init__(self, post: Callable[[Message], None], systemctl: str = SYSTEMCTL) -> None:
        self._post = post
        self._systemctl = systemctl

    def off(self) -> None:
        """Switch off."""
        self._ask("poweroff")

    def restart(self) -> None:
        """Switch off and on again."""
        self._ask("reboot")

    def _ask(self, verb: str) -> None:
        """Ask in a separate thread: the game continues until the machine ends it."""
        threading.Thread(target=self._asking, args=(verb,), name="power", daemon=True).start()

    def _asking(self, verb: str) -> None:
        import subprocess  # only the last minute of an evening needs it

        try:
            answer = subprocess.run(  # noqa: S603 - a path and a word of ours
                [self._systemctl, "--no-ask-password", "--no-wall", verb],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=ASK_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            self._post(DeviceFault(DEVICE, f"the machine does not answer: {error}", _BY_HAND))
            return
        if answer.returncode:
            said = answer.stdout.strip().splitlines()
            why = said[-1] if said else "no reason given"
            self._post(DeviceFault(DEVICE, f"the machine refused: {why}", _BY_HAND))


@dataclass(slots=True)
class SimulatedPower:
    """A simulated switch: `asked` records the orders."""

    asked: list[str] = field(default_factory=list)

    def off(self) -> None:
        """Record the request."""
        self.asked.append("off")

    def restart(self) -> None:
        """Record the request."""
        self.asked.append("restart")


class Hold:
    """A key that has to be held down. Times are monotonic seconds, passed in.

    `begin` when the page has seen a long press, `let_go` when the key was released, `due` once per turn of
    the loop.
    """

    def __init__(self, hold_s: float = HOLD_S) -> None:
        self._hold_s = hold_s
        self._since_s: float | None = None

    @property
    def held(self) -> bool:
        """Whether the countdown runs."""
        return self._since_s is not None

    def begin(self, now_s: float) -> None:
        """The key is held: start the countdown."""
        self._since_s = now_s

    def let_go(self) -> None:
        """The key was released: cancel."""
        self._since_s = None

    def left(self, now_s: float) -> int:
        """The number on the display: whole seconds from 3 down to 1; 0 when it is time or nobody holds."""
        if self._since_s is None:
            return 0
        return max(0, math.ceil(self._hold_s - (now_s - self._since_s)))

    def due(self, now_s: float) -> bool:
        """True once, when it was held for long enough."""
        if self._since_s is None or now_s - self._since_s < self._hold_s:
            return False
        self._since_s = None
        return True
