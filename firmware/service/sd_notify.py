"""Messages to the service manager: ready, alive, status, stopping.

The protocol is a datagram of lines to the socket in `$NOTIFY_SOCKET` (man 3 sd_notify). Started by hand there
is no such socket, and all of this does nothing.
"""

import logging
from collections.abc import Mapping
from typing import Final

_LOG: Final = logging.getLogger(__name__)
_LONGEST_STATUS: Final = 200
_BUSY_S: Final = 0.2
"""How long a busy manager may block the loop; its queue has room for hundreds of datagrams."""


class Notifier:
    """Sends to the service manager at `address`; sends nothing where that is empty. Any thread."""

    def __init__(self, address: str = "") -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address

    @property
    def listening(self) -> bool:
        """Whether there is a service manager."""
        return bool(self._address)

    def starting(self, longest_s: float) -> None:
        """The start takes longer than usual, at most `longest_s` from now."""
        self._tell(f"EXTEND_TIMEOUT_USEC={longest_s * 1e6:.0f}")

    def ready(self) -> None:
        """Everything is open and the first picture is drawn."""
        self._tell("READY=1")

    def status(self, text: str) -> None:
        """One line for `systemctl status`."""
        self._tell("STATUS=" + text.replace("\n", " ")[:_LONGEST_STATUS])

    def watchdog(self) -> None:
        """The program is alive. To be called three times within `WatchdogSec` of the unit."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        self._tell("STOPPING=1")

    def _tell(self, line: str) -> None:
        if not self._address:
            return
        import socket  # five milliseconds on a Zero, needed here only

        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as wire:
                wire.settimeout(_BUSY_S)
                wire.sendto(line.encode(), self._address)
        except OSError as error:
            # The manager restarts the service if it hears nothing; ending the game here would not help.
            _LOG.warning("%s could not be sent to the service manager: %s", line, error)


def notifier(environ: Mapping[str, str]) -> Notifier:
    """The service manager that started this process, if any."""
    return Notifier(environ.get("NOTIFY_SOCKET", ""))
