"""The board that QEMU emulates, as far as it does: what the firmware would hand over to U-Boot and Linux."""

from pathlib import Path
from typing import Final

from image.commands import run

from tests.packaging.try_image.card_file import CardFile
from tests.packaging.try_image.device_tree import apply, named

MACHINE: Final = "raspi3b"
_TREE: Final = "bcm2837-rpi-3-b.dtb"
_REVISION: Final = "a02082"
"""In hexadecimal: "New-style revision codes" of the documentation."""


def made_tree(card: CardFile, work: Path) -> str:
    """The device tree as the firmware hands it over: with the overlays of config.txt and the model."""
    made = work / "pi.dtb"
    with_overlays(card, _TREE, work, made)
    run("fdtput", "-p", "-t", "x", made, "/system", "linux,revision", _REVISION, epoch=0)
    return made.name


def with_overlays(card: CardFile, tree: str, work: Path, to: Path) -> None:
    """A tree of the card with the overlays that its config.txt names, as the firmware lays them over it."""
    base, files = work / "base.dtb", []
    base.write_bytes(card.read(tree))
    for name in named(card.read("config.txt").decode(), tree):
        files.append(work / f"{name}.dtbo")
        files[-1].write_bytes(card.read(f"overlays/{name}.dtbo"))
    apply(base, files, to)
