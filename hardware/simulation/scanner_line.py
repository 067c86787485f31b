"""A serial line with a simulated barcode scanner, or with a module that answers; the USB ports of a machine.

The line is a pseudo terminal: a real tty of the kernel, with the real termios, select, flock and hang-up.
Pulling the plug closes the master side, which looks to the program like a USB adapter that was unplugged.
"""

import glob
import os
import queue
import select
import shutil
import termios
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, Self, TypeVar

import serial.tools.list_ports_linux as library

from hardware.background import WakePipe

_FULL_S: Final = 300.0


class ScannerLine:
    """A scanner that can be plugged in and unplugged; its port is always `path`, as with a udev link.

    `folder` is an existing folder of the caller. The scanner is plugged in from the start. For one thread.
    """

    def __init__(self, folder: Path, name: str = "nimmt-scanner") -> None:
        self.path: Final = str(folder / name)
        self._master = -1
        self.plug()

    def plug(self) -> None:
        """Plug the scanner in; the link leads to a new tty."""
        if self._master >= 0:
            return
        self._master, slave = os.openpty()
        tty.setraw(slave)
        Path(self.path).symlink_to(os.ttyname(slave))
        os.close(slave)  # otherwise the line would never hang up

    def unplug(self) -> None:
        """Unplug it, even in the middle of a code: the tty hangs up and the link is removed."""
        if self._master >= 0:
            Path(self.path).unlink(missing_ok=True)
            os.close(self._master)
            self._master = -1

    def scan(self, text: str, end: bytes = b"\r") -> None:
        """Scan a code: send its characters, and what the scanner is set to send after them."""
        self.write(text.encode("ascii") + end)

    def write(self, data: bytes) -> None:
        """Send any bytes. Raises `TimeoutError` if nobody reads them for minutes."""
        deadline_s = time.monotonic() + _FULL_S
        rest = memoryview(data)
        os.set_blocking(self._master, False)
        while rest:
            _, free, _ = select.select([], [self._master], [], max(0.0, deadline_s - time.monotonic()))
            if not free:
                raise TimeoutError(f"nobody reads {self.path}: {len(rest)} bytes are left")
            rest = rest[os.write(self._master, rest) :]

    def heard(self, timeout_s: float, *also: int) -> bytes | None:
        """What the program has sent by now, or within `timeout_s`; None while it is unplugged.

        A byte in one of the files `also` ends the wait.
        """
        files = [self._master] if self._master >= 0 else []
        ready, _, _ = select.select([*files, *also], [], [], timeout_s)
        if self._master < 0:
            return None
        if self._master not in ready:
            return b""
        try:
            return os.read(self._master, 4096)
        except OSError:  # the program has closed its end, or never opened it
            return b""

    @property
    def baud(self) -> int:
        """The speed the program has set the tty to, in bits per second; 0 while it is unplugged."""
        if self._master < 0:
            return 0
        speed = termios.tcgetattr(self._master)[5]
        names = (name for name in dir(termios) if name[0] == "B" and name[1:].isdigit())
        return next((int(name[1:]) for name in names if getattr(termios, name) == speed), 0)

    def close(self) -> None:
        self.unplug()


T = TypeVar("T")

_TURN_S: Final = 0.005
_PATIENCE_S: Final = 300.0


class Firmware(Protocol):
    """The protocol of a module, and what it remembers. One thread uses it."""

    @property
    def baud(self) -> int:
        """Its speed in bits per second."""

    def power_on(self) -> None:
        """Start with what was saved."""

    def hear(self, data: bytes, now_s: float) -> bytes:
        """Take bytes from the program; gives the answer."""

    def scan(self, text: str, now_s: float) -> bytes:
        """A code is in front of the window; gives what is sent now."""

    def late(self, now_s: float) -> bytes:
        """What is sent because time has passed."""


class ScannerModule:
    """A module that answers commands, with its line; the port is always `path`. Any thread.

    What differs between modules is their `Firmware`. Here are the line, its speed (a module and a program at
    different speeds receive noise from each other), the plug, and one thread in which all of it happens. It
    is plugged in from the start.
    """

    def __init__(self, folder: Path, firmware: Firmware, name: str = "nimmt-scanner") -> None:
        self.firmware: Final = firmware
        self.ran_s = 0.0
        """How long it has run, in seconds: like a clock that stands still while its thread does."""
        self._line = ScannerLine(folder, name)
        self.path: Final = self._line.path
        self._plugged = True
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake = WakePipe()
        self._closed = False
        firmware.power_on()
        self._thread = threading.Thread(target=self._run, name="scanner-module", daemon=True)
        self._thread.start()

    def scan(self, text: str) -> None:
        """Hold a code in front of its window."""
        self.do(lambda: self._send(self.firmware.scan(text, time.monotonic())))

    def write(self, data: bytes) -> None:
        """Send any bytes, as a module may that loses power or has a loose wire."""
        self.do(lambda: self._send(data))

    def plug(self) -> None:
        """Plug it in; it starts with what it has saved."""

        def plugging() -> None:
            self.firmware.power_on()
            self._line.plug()
            self._plugged = True

        self.do(plugging)

    def unplug(self) -> None:

        def unplugging() -> None:
            self._plugged = False
            self._line.unplug()

        self.do(unplugging)

    def do(self, order: Callable[[], T]) -> T:
        """Call `order` in the module's thread, between two messages; gives its result."""
        done = threading.Event()
        results: list[T] = []

        def doing() -> None:
            results.append(order())
            done.set()

        self._orders.put(doing)
        self._wake.wake()
        if not done.wait(_PATIENCE_S):
            raise TimeoutError("the simulated module hangs")
        return results[0]

    def close(self) -> None:
        """Stop the thread, and remove the line. More than once does no harm."""
        if not self._closed:
            self._closed = True
            self._wake.wake()
            self._thread.join()
            self._line.close()
            self._wake.close()

    # ----------------------------------------------------------------------------- the thread

    def _run(self) -> None:
        began_s = time.monotonic()
        while not self._closed:
            before_s, began_s = began_s, time.monotonic()
            self.ran_s += min(began_s - before_s, 4 * _TURN_S)
            data = self._line.heard(_TURN_S, self._wake.file)
            if data and self._line.baud == self.firmware.baud:
                self._send(self.firmware.hear(data, time.monotonic()))
            if self._plugged:
                self._send(self.firmware.late(time.monotonic()))
            if not data:
                self._obey()

    def _obey(self) -> None:
        try:
            self._orders.get(timeout=_TURN_S)()
            os.read(self._wake.file, 1)
        except queue.Empty:
            pass

    def _send(self, data: bytes) -> None:
        if data and self._plugged:
            clear = self._line.baud == self.firmware.baud
            self._line.write(data if clear else bytes(byte ^ 0x2A | 0x80 for byte in data))


class SimulatedUsbSerial:
    """The USB serial devices of a machine whose file system root is `folder`, as a context manager.

    pyserial finds them by looking for /dev/ttyACM* and reading /sys/class/tty. The two modules that it uses
    for that, `glob` and `os`, are replaced inside the context by ones that look into the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder.resolve()
        self._real: dict[str, Any] = {}
        for place in ("dev", "sys/class/tty", "sys/devices", "sys/bus/usb"):
            (self._folder / place).mkdir(parents=True, exist_ok=True)

    def plug(self, name: str, leads_to: str, *, vendor: int, product: int, text: str = "") -> str:
        """A device /dev/<name> ("ttyACM0") with these ids, which is the tty `leads_to`; gives its path."""
        interface = self._folder / "sys/devices" / f"usb-{name}" / "1-1:1.0"
        interface.mkdir(parents=True)
        (interface / "subsystem").symlink_to(self._folder / "sys/bus/usb")
        facts = {"idVendor": f"{vendor:04x}", "idProduct": f"{product:04x}", "bNumInterfaces": " 2"}
        for fact, value in (facts | {"product": text}).items():
            (interface.parent / fact).write_text(value + "\n", encoding="ascii")
        tty = self._folder / "sys/class/tty" / name
        tty.mkdir()
        (tty / "device").symlink_to(interface)
        node = self._folder / "dev" / name
        node.symlink_to(leads_to)
        return str(node)

    def unplug(self, name: str) -> None:
        (self._folder / "dev" / name).unlink()
        shutil.rmtree(self._folder / "sys/class/tty" / name)
        shutil.rmtree(self._folder / "sys/devices" / f"usb-{name}")

    def __enter__(self) -> Self:
        names = vars(library)
        self._real = {"glob": names["glob"], "os": names["os"]}
        names["glob"], names["os"] = _Globs(self._folder), _Paths(self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        vars(library).update(self._real)


def _within(folder: Path, path: str) -> str:
    """The path in the folder for a path of the machine; a path in the folder stays."""
    return path if path.startswith(str(folder)) else f"{folder}{path}"


class _Globs:
    """Python's glob for pyserial."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def glob(self, pattern: str) -> list[str]:
        return glob.glob(_within(self._folder, pattern))  # noqa: PTH207 - it stands in for this function


class _Paths:
    """Python's os, and os.path, for pyserial."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.path = self

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever os.path has
        return getattr(os.path, name)

    def islink(self, path: str) -> bool:
        """False for device files: here they are links, because only root can make device files."""
        return Path(path).parent != self._folder / "dev" and Path(_within(self._folder, path)).is_symlink()

    def exists(self, path: str) -> bool:
        return Path(_within(self._folder, path)).exists()

    def realpath(self, path: str) -> str:
        return str(Path(_within(self._folder, path)).resolve())
