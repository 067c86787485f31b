"""What serial scanners do alike with an open port: read, wait for quiet, explain; it is opened elsewhere.

The port is pyserial's by its shape. Where it is, `serial_places` knows.
"""

from __future__ import annotations

import errno
import termios
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from hardware.errors import HardwareError
from hardware.scanner.serial_places import absent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SETTLE_S: Final = 0.05
"""After opening, the line must have been silent for so long: what comes before that was read by the scanner
while nobody looked, or is the rear half of a code. `LONGEST_SETTLE_S` ends it on a line that babbles."""
LONGEST_SETTLE_S: Final = 1.0

_CHUNK: Final = 4096

# pyserial's own SerialException is an OSError. termios.error is none (reset_input_buffer on a pulled plug);
# TypeError comes from list_ports when a device vanishes during the search, and from a port that was
# closed under a read (https://github.com/pyserial/pyserial/issues/341). ValueError: a URL it cannot read.
LOST: Final = (OSError, termios.error, TypeError, ValueError)
"""What pyserial raises when the line is lost or cannot be opened."""


class Port(Protocol):
    """An open serial port, as pyserial makes it."""

    timeout: float | None
    baudrate: int

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read without waiting."""

    def read(self, size: int = 1) -> bytes:
        """So many bytes, fewer after `timeout` seconds or `cancel_read`."""

    def write(self, data: bytes, /) -> int | None:
        """Send."""

    def reset_input_buffer(self) -> None:
        """Forget what has come."""

    def cancel_read(self) -> None:
        """End a read that waits, or the next one; any thread."""

    def close(self) -> None:
        """Free it. pyserial leaves a lost port open; then the scanner would come back under another name."""


def read_some(port: Port, wait_s: float | None) -> bytes:
    """What comes first within `wait_s` (None: wait for ever), and what has come with it; may be empty."""
    if port.timeout != wait_s:
        port.timeout = wait_s
    data = port.read(1)
    if data:
        data += port.read(min(port.in_waiting, _CHUNK))
    return data


def settle(port: Port, now_s: Callable[[], float]) -> None:
    """Forget what comes until the line has been silent."""
    port.timeout = SETTLE_S
    port.reset_input_buffer()
    until_s = now_s() + LONGEST_SETTLE_S
    while port.read(_CHUNK) and now_s() < until_s:
        pass


@contextmanager
def told(port: str) -> Iterator[None]:
    """Turn what pyserial raises inside into a `HardwareError`."""
    try:
        yield
    except HardwareError:
        raise
    except (ImportError, *LOST) as lost:
        raise HardwareError(
            "scanner", *(explained(port, lost) or (str(lost), "please report this"))
        ) from lost


def explained(port: str, lost: BaseException) -> tuple[str, str] | None:
    """The fault and what to check, for people; None if it is neither one of `LOST` nor an `ImportError`."""
    if isinstance(lost, ImportError):
        return "the Python package pyserial is not installed", "install pyserial"
    if not isinstance(lost, LOST):
        return None
    # pyserial wraps termios.error and drops its number.
    cause = lost if isinstance(lost, OSError) and lost.errno is not None else lost.__context__ or lost
    number = next((value for value in cause.args[:1] if isinstance(value, int)), None)
    if number in (errno.EAGAIN, errno.EBUSY):
        return f"another program uses {port}", f"close it; `fuser -v {port}` shows which one it is"
    if number in (errno.EACCES, errno.EPERM):
        return (
            f"no permission to open {port}",
            "install the udev rule of nimmt-companion, or add your user to the group dialout",
        )
    if number in (errno.ENOTTY, errno.EINVAL, errno.EISDIR):
        return (
            f"{port} is not a serial port",
            "set port under [scanner]; `ls -l /dev/serial/by-id` shows them",
        )
    if isinstance(lost, ValueError):
        return f"{port} cannot be opened: {lost}", "set port and baud under [scanner]"
    # Gone in the middle of a read, or not there at all: the same to people, and so told once.
    return absent(port)
