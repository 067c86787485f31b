"""The whole card as one file: the partition table, the boot partition, the empty data partition."""

import shutil
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.paper.ready_sheets import ready_files
from image.commands import run
from image.layout import (
    BOOT_ID,
    BOOT_LABEL,
    BOOT_SIZE,
    DATA_HASH_SEED,
    DATA_LABEL,
    DATA_SIZE,
    DATA_UUID,
    DISK_ID,
    HERE,
    MIB,
    SECTOR,
    START,
)


def for_people(work: Path) -> dict[str, Path]:
    """What people read and print on the card, by name: its own files, and the sheets, made in `work`."""
    files = {file.name: file for file in sorted((HERE / "card").iterdir())}
    for sheet in ready_files():
        files[sheet.name] = work / sheet.name.replace("/", "-")
        files[sheet.name].write_bytes(sheet.pdf())
    return files


def write_boot_partition(files: Mapping[str, Path], to: Path, epoch: int, size: int = BOOT_SIZE) -> None:
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


_FAT32: Final = 0x0C
_LINUX: Final = 0x83
_ACTIVE: Final = 0x80
_BEYOND_CHS: Final = b"\xfe\xff\xff"


def table(boot_size: int, data_size: int) -> bytes:
    """The first sector, with the two partitions. An MBR: a Pi 3 knows no other table."""
    entries = b"".join(
        struct.pack("<B3sB3sII", flag, _BEYOND_CHS, kind, _BEYOND_CHS, start // SECTOR, size // SECTOR)
        for flag, kind, start, size in (
            (_ACTIVE, _FAT32, START, boot_size),
            (0, _LINUX, START + boot_size, data_size),
        )
    )
    return bytes(440) + struct.pack("<IH", DISK_ID, 0) + entries.ljust(64, b"\0") + b"\x55\xaa"


def data_partition(to: Path, epoch: int, size: int = DATA_SIZE) -> None:
    to.unlink(missing_ok=True)
    with to.open("wb") as empty:
        empty.truncate(size)
    # All of it is written now; a box does not go on making its file system while it is played on.
    extended = f"hash_seed={DATA_HASH_SEED},lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0"
    run("mke2fs", "-q", "-t", "ext4", "-L", DATA_LABEL, "-U", DATA_UUID, "-E", extended, to, epoch=epoch)


def write(boot: Path, data: Path, to: Path) -> None:
    """Put the parts into one file; where they are empty, it is too."""
    boot_size, data_size = boot.stat().st_size, data.stat().st_size
    draft = to.with_name(f"{to.name}.new")
    with draft.open("wb") as card:
        card.truncate(START + boot_size + data_size)
        card.write(table(boot_size, data_size))
        for part, start in ((boot, START), (data, START + boot_size)):
            with part.open("rb") as content:
                for at in range(start, start + part.stat().st_size, MIB):
                    if (piece := content.read(MIB)).strip(b"\0"):
                        card.seek(at)
                        card.write(piece)
    shutil.move(draft, to)
