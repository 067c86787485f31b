"""The first partition: FAT32, made by mtools without mounting anything. Every computer can read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from image.commands import run
from image.layout import BOOT_ID, BOOT_LABEL, BOOT_SIZE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def write(files: Mapping[str, Path], to: Path, epoch: int, size: int = BOOT_SIZE) -> None:
    """Make the file system with these files, by their names with slashes. The same files, the same bytes."""
    to.unlink(missing_ok=True)
    with to.open("wb") as empty:
        empty.truncate(size)
    run(
        *("mkfs.vfat", "--invariant", "-F", "32", "-n", BOOT_LABEL, "-i", f"{BOOT_ID:08X}", to),
        epoch=epoch,
    )
    for folder in sorted({part for name in files for part in _folders(name)}):
        run("mmd", "-i", to, f"::{folder}", epoch=epoch)
    for name, file in sorted(files.items()):
        run("mcopy", "-Q", "-i", to, file, f"::{name}", epoch=epoch)


def _folders(name: str) -> list[str]:
    """The folders that a name is in, the outermost first."""
    parts = name.split("/")[:-1]
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]
