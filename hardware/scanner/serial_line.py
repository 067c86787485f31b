"""What all serial scanners do: find the port, open it, read from it, wait until it is quiet, explain a fault.

pyserial is imported when a port is opened: it costs time at the start, and a box with a scanner that acts as
a keyboard need not have it.
"""

import errno
import os
import termios
from collections.abc import Callable
from typing import Final, Protocol

from hardware.errors import sentence
from hardware.scanner.serial_ports import absent, device_file
from hardware.scanner.source import Source

SETTLE_S: Final = 0.05
"""After opening, the line must have been silent for so long: what comes before that was scanned while the
port was closed, or is the second half of a code. `LONGEST_SETTLE_S` limits this on a line that never
stops."""
LONGEST_SETTLE_S: Final = 1.0

_CHUNK: Final = 4096

# pyserial's own SerialException is an OSError. termios.error is none (reset_input_buffer on a pulled plug);
# TypeError comes from list_ports when a device vanishes during the search, and from a port that was
# closed under a read (https://github.com/pyserial/pyserial/issues/341). ValueError: a URL it cannot read.
LOST: Final = (OSError, termios.error, TypeError, ValueError)
"""What pyserial raises when the line is lost or cannot be opened."""


class Port(Protocol):
    """An open serial port, as pyserial has it."""

    timeout: float | None
    baudrate: int

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read without waiting."""

    def read(self, size: int = 1) -> bytes:
        """`size` bytes, or fewer after `timeout` seconds or `cancel_read`."""

    def write(self, data: bytes, /) -> int | None:
        """Send."""

    def reset_input_buffer(self) -> None:
        """Drop what has come."""

    def cancel_read(self) -> None:
        """End a waiting read, or the next one; any thread."""

    def close(self) -> None:
        """Free it.

        pyserial keeps a port open that was unplugged. The kernel then gives the scanner another number when
        it comes back, because the old one is still in use.
        """


class SerialSource(Source):
    """A source on a serial port; a driver adds what it does with the open port.

    `port` is the configured one, such as "/dev/nimmt-scanner", "usb:6666:7777" or "auto"; `baud` the speed it
    is opened with. `now_s` is a monotonic clock in seconds.
    """

    def __init__(self, port: str, baud: int, now_s: Callable[[], float]) -> None:
        self._configured = port
        self._baud = baud
        self._now_s = now_s
        self._port: Port | None = None

    @property
    def port(self) -> Port:
        """The open port. Raises `OSError` where it is not open."""
        if self._port is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._port

    def connect(self) -> tuple[str, Port]:
        """Open the port; gives its device file as well. Raises one of `LOST`, `ImportError`.

        It is locked against other programs that ask (flock).
        """
        import serial
        from serial.tools.list_ports import comports

        place = device_file(self._configured, comports)
        # Not serial_for_url: it would do whatever a URL says.
        port: Port = serial.Serial(place, baudrate=self._baud, timeout=SETTLE_S, exclusive=True)
        self._port = port
        return place, port

    def interrupt(self) -> None:
        """End a read that waits, or the next one."""
        if (port := self._port) is not None:
            port.cancel_read()

    def close(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def explain(self, lost: BaseException) -> tuple[str, str] | None:
        """The fault and what to check, for people; None for what is neither of `LOST` nor `ImportError`."""
        port = self._configured
        if isinstance(lost, ImportError):
            return sentence("the Python package pyserial is not installed"), sentence("install pyserial")
        if not isinstance(lost, LOST):
            return None
        # pyserial wraps termios.error and drops its number.
        cause = lost if isinstance(lost, OSError) and lost.errno is not None else lost.__context__ or lost
        number = next((value for value in cause.args[:1] if isinstance(value, int)), None)
        if number in (errno.EAGAIN, errno.EBUSY):
            return sentence("another program uses {port}", port=port), sentence(
                "close it; `fuser -v {port}` shows which one it is", port=port
            )
        if number in (errno.EACCES, errno.EPERM):
            return (
                sentence("no permission to open {port}", port=port),
                sentence("install the udev rule of nimmt-companion, or add your user to the group dialout"),
            )
        if number in (errno.ENOTTY, errno.EINVAL, errno.EISDIR):
            return (
                sentence("{port} is not a serial port", port=port),
                sentence("set port under [scanner]; `ls -l /dev/serial/by-id` shows them"),
            )
        if isinstance(lost, ValueError):
            return sentence("{port} cannot be opened: {lost}", port=port, lost=lost), sentence(
                "set port and baud under [scanner]"
            )
        # Unplugged in the middle of a read, or not there at all: the same for people, so the same words.
        return absent(port)


def read_some(port: Port, wait_s: float | None) -> bytes:
    """The bytes that arrive within `wait_s` (None: wait forever); may be empty."""
    if port.timeout != wait_s:
        port.timeout = wait_s
    data = port.read(1)
    if data:
        data += port.read(min(port.in_waiting, _CHUNK))
    return data


def settle(port: Port, now_s: Callable[[], float]) -> None:
    """Drop what comes until the line has been silent for `SETTLE_S`."""
    port.timeout = SETTLE_S
    port.reset_input_buffer()
    until_s = now_s() + LONGEST_SETTLE_S
    while port.read(_CHUNK) and now_s() < until_s:
        pass
