"""Switching the machine off by asking logind.

The program has no rights of its own for it. A polkit rule lets the user `nimmt` ask logind. There is no sudo,
so that the service can run without any way to gain privileges.
"""

import threading
from collections.abc import Callable
from typing import Final

from hardware.errors import sentence
from hardware.ports import DeviceFault, Message

ASK_S: Final = 300.0
"""How long logind may take to answer, unless it hangs; on a slow machine it starts polkit first."""

SYSTEMCTL: Final = "/usr/bin/systemctl"
DEVICE: Final = "power"
_BY_HAND: Final = sentence("log in and type: sudo poweroff")


class Logind:
    """The power switch of a machine with systemd; faults go to `post`."""

    def __init__(self, post: Callable[[Message], None], systemctl: str = SYSTEMCTL) -> None:
        self._post = post
        self._systemctl = systemctl

    def off(self) -> None:
        self._ask("poweroff")

    def restart(self) -> None:
        self._ask("reboot")

    def _ask(self, verb: str) -> None:
        """Ask in a thread: the game goes on until the machine ends the program."""
        threading.Thread(target=self._run, args=(verb,), name="power", daemon=True).start()

    def _run(self, verb: str) -> None:
        import subprocess  # only needed to switch off: the start is faster without it

        try:
            answer = subprocess.run(  # noqa: S603 - both words are constants of this file
                [self._systemctl, "--no-ask-password", "--no-wall", verb],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=ASK_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            fault = sentence("the machine does not answer: {error}", error=error)
        else:
            if not answer.returncode:
                return
            said = answer.stdout.strip().splitlines()
            fault = sentence(
                "the machine refused: {why}", why=said[-1] if said else sentence("no reason given")
            )
        self._post(DeviceFault(DEVICE, fault, _BY_HAND))
