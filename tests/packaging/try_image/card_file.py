"""A card with the built image on it, as people change it at their computer: files on its first partition."""

from pathlib import Path
from typing import Final

from image.commands import CannotBuild, run
from image.layout import ENVIRONMENT_BYTES, START

from firmware.flashed import uboot_env

CARD_BYTES: Final = 2 << 30
"""Larger than the image, as every card is; QEMU wants a power of two."""

DIRTY_AT: Final = 65
"""The byte of a FAT32 in which Linux notes that it is being written."""


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

    def note_writing(self) -> None:
        """Leave the note that the first partition is being written, as a lost power supply does."""
        with self.path.open("r+b") as card:
            card.seek(START + DIRTY_AT)
            card.write(b"\1")

    @property
    def is_noted_as_written(self) -> bool:
        with self.path.open("rb") as card:
            card.seek(START + DIRTY_AT)
            return card.read(1) != b"\0"

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
