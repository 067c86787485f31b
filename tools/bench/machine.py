"""What the figures were measured on: processor, kernel, Python, disk; nothing is measured here."""

from __future__ import annotations

import os
import platform
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

HOUSE: Final = Path(__file__).parents[2]
"""The folder of the project; programs are started in it."""

DISK: Final = HOUSE / "build" / "bench"
"""Where files lie that must be on a real disk; the folder for temporary files may be in memory."""

MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a private folder is made in it
"""A file system without a disk, where a sync costs nothing."""


def described() -> dict[str, Any]:
    """The machine in a few words, for people and for the file."""
    cpu = _field("/proc/cpuinfo", "model name") or platform.processor() or platform.machine()
    return {
        "model": _text("/proc/device-tree/model") or _text("/sys/class/dmi/id/product_name") or "unknown",
        "processor": cpu,
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "virtual": "hypervisor" in _field("/proc/cpuinfo", "flags").split(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "disk": file_system(DISK),
    }


@contextmanager
def fresh_folder(place: Path) -> Iterator[Path]:
    """A new folder within a place, which is made if need be; gone with all that is in it at the end."""
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place, prefix="nimmt-bench-") as folder:
        yield Path(folder)


def file_system(place: Path) -> str:
    """The kind of file system at a place, such as ext4 or tmpfs."""
    best = ("", "unknown")
    for line in _text("/proc/mounts").splitlines():
        _, mount, kind, *_ = line.split(" ")
        if (place == Path(mount) or Path(mount) in place.parents) and len(mount) >= len(best[0]):
            best = (mount, kind)
    return best[1]


def _text(place: str) -> str:
    with suppress(OSError):
        return Path(place).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    return ""


def _field(place: str, name: str) -> str:
    for line in _text(place).splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""
