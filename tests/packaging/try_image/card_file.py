"""A card with the built image on it, as people change it at their computer: files on its first partition."""

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from image.commands import CannotBuild, run
from image.layout import BOOT_SIZE, ENVIRONMENT_BYTES, MIB, SECTOR, START

from firmware.flashed import uboot_env

CARD_BYTES: Final = 2 << 30
"""Larger than the image, as every card is; QEMU wants a power of two."""
DIRTY_AT: Final = 65
"""The byte of a FAT32 in which Linux notes that it is being written."""
LOST_CLUSTER: Final = 100_000
"""One that the files of the card do not reach: a cluster has 4 KiB."""
END_OF_FILE: Final = b"\xf8\xff\xff\x0f"


class CardFile:
    """A copy of the image, on a card of 2 GiB. Only while the machine is off."""

    def __init__(self, image: Path, at: Path) -> None:
        self.path: Final = at
        run("cp", "--sparse=always", "--reflink=auto", image, at, epoch=0)
        with at.open("r+b") as card:
            card.truncate(CARD_BYTES)

    def read(self, name: str) -> bytes:
        return self._mtools("mtype", f"::{name}")

    def write(self, name: str, content: bytes) -> None:
        """Write a file there; its folder exists."""
        self._mtools("mcopy", "-o", "-", f"::{name}", stdin=content)

    def exists(self, name: str) -> bool:
        try:
            self._mtools("mdir", "-b", f"::{name}")
        except CannotBuild:
            return False
        return True

    def lose_power(self) -> None:
        """Leave what a plug that is pulled while somebody writes to the first partition leaves there.

        That is the note that it is being written, and a cluster that belongs to no file.
        """
        with self.path.open("r+b") as card:
            card.seek(START)
            first = card.read(512)
            reserved, copies = int.from_bytes(first[14:16], "little"), first[16]
            size = int.from_bytes(first[36:40], "little")  # of a copy of the table; both count sectors
            card.seek(START + DIRTY_AT)
            card.write(b"\1")
            for copy in range(copies):
                card.seek(START + (reserved + copy * size) * SECTOR + LOST_CLUSTER * 4)
                assert card.read(4) == bytes(4), "that cluster is in use"
                card.seek(-4, os.SEEK_CUR)
                card.write(END_OF_FILE)

    @property
    def damage(self) -> str:
        """What is wrong with the file system of the first partition; empty if nothing is."""
        with tempfile.NamedTemporaryFile(dir=self.path.parent) as file:
            words = (f"if={self.path}", f"of={file.name}", "bs=1M", "conv=sparse,notrunc", "status=none")
            run("dd", *words, f"skip={START // MIB}", f"count={BOOT_SIZE // MIB}", epoch=0)
            os.truncate(file.name, BOOT_SIZE)
            seen = subprocess.run(
                ["/sbin/fsck.vfat", "-n", file.name], capture_output=True, text=True, check=False
            )
        return seen.stdout if seen.returncode else ""

    def remove(self, name: str) -> None:
        self._mtools("mdel", f"::{name}")

    @property
    def variables(self) -> dict[str, str]:
        return uboot_env.parsed(self.read(uboot_env.NAME), uboot_env.NAME)

    def set(self, **variables: str) -> None:
        """Change some of U-Boot's variables; an empty one is removed."""
        changed = {name: value for name, value in (self.variables | variables).items() if value}
        self.write(uboot_env.NAME, uboot_env.written(changed, ENVIRONMENT_BYTES))

    def _mtools(self, tool: str, *words: str, stdin: bytes | None = None) -> bytes:
        return run(tool, "-i", f"{self.path}@@{START}", *words, stdin=stdin, epoch=0)
