"""A serial scanner: which port a configuration means, how it is opened and read, what a fault says.

A USB scanner that speaks serial (USB-CDC) is /dev/ttyACM0 today and /dev/ttyACM1 after its plug was pulled.
So a port is best a stable link, of our udev rule or in /dev/serial/by-id. Where there is no link,
`usb:VID:PID` finds the device by the ids that `lsusb` prints, and `auto` takes the only one.

pyserial is imported when a port is opened: it costs time at the start, and a box with a scanner that acts as
a keyboard need not have it.
"""

from __future__ import annotations

import errno
import os
import re
import termios
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from hardware.errors import HardwareError, sentence
from hardware.options import option
from hardware.scanner.framing import Framer
from hardware.scanner.input_devices import names_a_scanner
from hardware.scanner.source import UNREADABLE_LIMIT, Receiver, Source
from hardware.scanner.speed import SpeedSearch

if TYPE_CHECKING:
    from serial.tools.list_ports_common import ListPortInfo


AUTO: Final = "auto"
LINK: Final = "/dev/nimmt-scanner"
"""The link that the udev rule gives to a scanner; where there is none, this means `auto`."""

_USB: Final = re.compile(r"usb:([0-9a-f]{4}):([0-9a-f]{4})", re.IGNORECASE)
_DEVICE: Final = "scanner"


PORT: Final = option(
    "the device file, preferably the stable link of the udev rule or of /dev/serial/by-id; "
    "usb:<vendor>:<product> finds a USB id as printed by lsusb; auto uses the device whose name says that it "
    "is a scanner, or the only USB serial device"
)
"""The field `port` of a driver."""


def check_port(port: str) -> None:
    """Raise `ValueError` for a text that names no port."""
    if not port:
        raise ValueError("port is empty")
    # pyserial takes URLs as well: some call other machines, one writes files.
    if not port.startswith("/") and port != AUTO and not port.lower().startswith("usb:"):
        raise ValueError(f"port {port!r} is not a device file, usb:<vendor>:<product> or auto")
    if os.path.isdir(port) or os.path.isfile(port):  # noqa: PTH112, PTH113 - they raise nothing, for any name
        raise ValueError(f"port {port!r} is a file or a folder, not a device")
    if port.lower().startswith("usb:") and not _USB.fullmatch(port):
        raise ValueError(
            f"port {port!r} is not a USB id of the form usb:<vendor>:<product>, such as usb:6666:7777"
        )


def device_file(port: str, comports: Callable[[], Iterable[ListPortInfo]], link: str = LINK) -> str:
    """The device file that `port` means at this moment; `comports` is that of pyserial.

    Raises `HardwareError` where there is no such device, or several that `auto` may mean.
    """
    if match := _USB.fullmatch(port):
        wanted = tuple(int(part, 16) for part in match.groups())
        found = [usb for usb in comports() if (usb.vid, usb.pid) == wanted]
        if not found:
            raise HardwareError(_DEVICE, *absent(port))
        return min(usb.device for usb in found)
    if port.lower() != AUTO and (port != LINK or Path(link).exists()):
        return port
    if (only := only_device(comports, link)) is None:
        raise HardwareError(_DEVICE, *absent(port))
    return only


def only_device(comports: Callable[[], Iterable[ListPortInfo]], link: str = LINK) -> str | None:
    """The scanner as of `named_device`, else the only USB serial device.

    None where none is plugged in; raises `HardwareError` where there are several.
    """
    if named := named_device(comports, link):
        return named
    found = [usb for usb in comports() if usb.vid is not None]
    if len(found) > 1:
        raise HardwareError(
            _DEVICE,
            sentence(
                "{found} USB serial devices are plugged in: {devices}",
                found=len(found),
                devices=", ".join(
                    sorted(f"usb:{usb.vid:04x}:{usb.pid:04x} ({usb.description})" for usb in found)
                ),
            ),
            sentence("set port under [scanner] to one of them"),
        )
    return found[0].device if found else None


def named_device(comports: Callable[[], Iterable[ListPortInfo]], link: str = LINK) -> str | None:
    """The device file behind the link of the udev rule, else that of the only one whose name says scanner."""
    if Path(link).exists():
        return link
    found = [usb.device for usb in comports() if names_a_scanner(f"{usb.manufacturer} {usb.product}")]
    return found[0] if len(found) == 1 else None


def absent(port: str) -> tuple[str, str]:
    """The fault and what to check, for people, where there is no device at `port`."""
    if port.lower() == AUTO:
        check = sentence(
            "plug it in, and set it to USB serial; a scanner that acts as a keyboard needs the driver hid"
        )
        return sentence("no USB serial device is plugged in"), check
    if _USB.fullmatch(port):
        check = sentence("plug it in, and set it to USB serial, not to keyboard; `lsusb` shows the ids")
        return sentence("no USB serial device {usb} is plugged in", usb=port[4:].lower()), check
    return sentence("no scanner at {port}", port=port), sentence(
        "plug it in, or set port under [scanner] if it is on another one"
    )


SETTLE_S: Final = 0.05
"""After opening, the line must have been silent for so long: what comes before that was scanned while the
port was closed, or is the second half of a code. `LONGEST_SETTLE_S` limits this on a line that never
stops."""
LONGEST_SETTLE_S: Final = 1.0

_CHUNK: Final = 4096
_SHEET: Final = sentence("set the scanner up with the sheet from `nimmt print scanner`")

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
    """Reads a scanner on a serial port, and cuts its bytes into codes with a `framer`.

    `port` is the configured one, such as "/dev/nimmt-scanner", "usb:6666:7777" or "auto". `speed` keeps what
    it has found, also for the next source. `now_s` is a monotonic clock in seconds.
    """

    def __init__(self, port: str, speed: SpeedSearch, framer: Framer, now_s: Callable[[], float]) -> None:
        self._configured = port
        self._search = self._speed = speed
        self._framer = framer
        self._now_s = now_s
        self._port: Port | None = None
        self._direct = False

    def open(self, receiver: Receiver) -> None:
        place = self._connect()
        # The scanner's own USB plug: there is no wire whose speed could be wrong.
        self._direct = any(path.name.startswith("ttyACM") for path in (Path(place), Path(place).resolve()))
        self._speed = SpeedSearch(self._search.baud) if self._direct else self._search
        self._settle()

    def read(self, receiver: Receiver) -> None:
        framer, port, due_s = self._framer, self._opened(), self._framer.due_s
        port.timeout = None if due_s is None else max(0.0, due_s - self._now_s())
        data = port.read(1)
        if data:
            data += port.read(min(port.in_waiting, _CHUNK))
        unsure = False
        for code in framer.feed(data, self._now_s()):
            if self._speed.accepts(code.text):
                receiver.scanned(code)
            else:
                unsure = True
        if framer.rejected >= UNREADABLE_LIMIT or (not self._speed.known and (unsure or framer.rejected)):
            self._unreadable(receiver)

    def _unreadable(self, receiver: Receiver) -> None:
        baud = self._speed.baud
        fault = sentence("data arrives at {baud} baud, but no readable code", baud=baud)
        if self._speed.fixed:
            wire = sentence("set baud and end under [scanner] to what the scanner sends")
            receiver.unreadable(fault, _SHEET if self._direct else wire)
            return
        self._opened().baudrate = self._speed.move_on()
        self._settle()  # the rest of a code at the right speed would be half a code
        check = (
            _SHEET
            if self._speed.exhausted
            else sentence("scan again; now trying {baud} baud", baud=self._speed.baud)
        )
        receiver.unreadable(fault, check)

    def interrupt(self) -> None:
        if (port := self._port) is not None:
            port.cancel_read()

    def close(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def check(self) -> str:
        """Open the port and close it again. A scanner cannot be queried."""
        try:
            place = self._connect()
            self._opened().reset_input_buffer()
        finally:
            self.close()
        return f"{place} can be opened; scan a code to see what it sends"

    def _connect(self) -> str:
        """Open the port; gives its device file. Raises one of `LOST`, `ImportError`.

        It is locked against other programs that ask (flock).
        """
        import serial
        from serial.tools.list_ports import comports

        place = device_file(self._configured, comports)
        # Not serial_for_url: it would do whatever a URL says.
        self._port = serial.Serial(place, baudrate=self._search.baud, timeout=SETTLE_S, exclusive=True)
        return place

    def _opened(self) -> Port:
        """The open port. Raises `OSError` where it is not open."""
        if self._port is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._port

    def _settle(self) -> None:
        """Drop what comes until the line has been silent for `SETTLE_S`."""
        port = self._opened()
        port.timeout = SETTLE_S
        port.reset_input_buffer()
        until_s = self._now_s() + LONGEST_SETTLE_S
        while port.read(_CHUNK) and self._now_s() < until_s:
            pass
        self._framer.forget()

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
            return sentence("another program is using {port}", port=port), sentence(
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
                sentence("set port under [scanner]; `ls -l /dev/serial/by-id` shows the serial ports"),
            )
        if isinstance(lost, ValueError):
            return sentence("{port} cannot be opened: {lost}", port=port, lost=lost), sentence(
                "set port and baud under [scanner]"
            )
        # Unplugged in the middle of a read, or not there at all: the same for people, so the same words.
        return absent(port)
