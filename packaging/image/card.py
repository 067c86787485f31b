"""The whole card as one file: the partition table, the boot partition, the empty data partition."""

from __future__ import annotations

import shutil
import struct
from typing import TYPE_CHECKING, Final

from image.commands import run
from image.layout import DATA_HASH_SEED, DATA_LABEL, DATA_SIZE, DATA_UUID, DISK_ID, MIB, SECTOR, START

if TYPE_CHECKING:
    from pathlib import Path

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
    """Make the empty ext4 of the second partition."""
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
