"""A serial line with a simulated barcode scanner; the USB ports of a machine.

The line is a pseudo terminal: a real tty of the kernel, with the real termios, select, flock and hang-up.
Pulling the plug closes the master side, which looks to the program like a USB adapter that was unplugged.
"""

import glob
import os
import select
import shutil
import termios
import time
import tty
from pathlib import Path
from typing import Any, Final, Self

import serial.tools.list_ports_linux as library

from hardware.simulation.uart import heard_at

_FULL_S: Final = 300.0


class ScannerLine:
    """A scanner that can be plugged in and unplugged; its port is always `path`, as with a udev link.

    `folder` is an existing folder of the caller. The scanner is plugged in from the start. For one thread.
    At another speed than `sends_at` the program hears noise, as from a scanner on serial wires; None: any
    speed will do, as with a USB plug. `end` is sent after each code. Set-up codes change the two at any time.
    """

    def __init__(
        self, folder: Path, name: str = "nimmt-scanner", *, sends_at: int | None = None, end: bytes = b"\r"
    ) -> None:
        self.path: Final = str(folder / name)
        self.sends_at = sends_at
        self.end = end
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

    def scan(self, text: str) -> None:
        """Scan a code: send its characters, and what the scanner is set to send after them."""
        data = text.encode("ascii") + self.end
        self.write(heard_at(data, self.sends_at, self.baud) if self.sends_at and self.baud else data)

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
