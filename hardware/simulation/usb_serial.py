"""USB serial devices under the real pyserial: /dev and /sys of a machine, in a folder.

pyserial finds serial devices by looking for /dev/ttyACM* and reading /sys/class/tty. The two modules that it
uses for that, `glob` and `os`, are replaced inside the context by ones that look into the folder.
"""

import glob
import os
import shutil
from pathlib import Path
from typing import Any, Final, Self

import serial.tools.list_ports_linux as library


class SimulatedUsbSerial:
    """The USB serial devices of a machine whose file system root is `folder`, as a context manager."""

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
