"""USB serial devices under the real pyserial: a machine's /dev and /sys in a folder; nothing is said here.

pyserial finds serial devices by looking for /dev/ttyACM* and reading /sys/class/tty. Its two doors to the
kernel's file system, `glob` and `os`, lead into the folder while the context is entered.
"""

from __future__ import annotations

import glob
import os
import shutil
from pathlib import Path
from typing import Any, Final, Self

import serial.tools.list_ports_linux as library


class SimulatedUsbSerial:
    """The USB serial devices of a machine whose file system begins in `folder`, as a context manager."""

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
        """Take it out."""
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
    """Where a path of the machine is; what lies in the folder already stays."""
    return path if path.startswith(str(folder)) else f"{folder}{path}"


class _Globs:
    """Python's glob as pyserial sees it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def glob(self, pattern: str) -> list[str]:
        return glob.glob(_within(self._folder, pattern))  # noqa: PTH207 - it stands in for this function


class _Paths:
    """Python's os, and os.path, as pyserial sees them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.path = self

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever os.path has
        return getattr(os.path, name)

    def islink(self, path: str) -> bool:
        """A node in /dev is none: here it has to be one, because only root can make nodes."""
        return Path(path).parent != self._folder / "dev" and Path(_within(self._folder, path)).is_symlink()

    def exists(self, path: str) -> bool:
        return Path(_within(self._folder, path)).exists()

    def realpath(self, path: str) -> str:
        return str(Path(_within(self._folder, path)).resolve())
