"""The boards that QEMU emulates, as far as it does: what is said of each to QEMU and to Linux."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from image.commands import run

from tests.packaging.try_image.card_file import CardFile
from tests.packaging.try_image.device_tree import apply, named


@dataclass(frozen=True, slots=True)
class Board:
    """A board, by the machine of QEMU that comes nearest."""

    name: str
    machine: str
    tree: str
    """Its device tree on the card."""
    revision: str
    """What the firmware tells of it, in hexadecimal: "New-style revision codes" of the documentation."""
    drive: str = "if=sd"
    """Where QEMU puts the card."""
    devices: tuple[str, ...] = ()
    """More words for QEMU."""
    unswitched: tuple[str, ...] = ()
    """What has its power by pins of the firmware, which QEMU does not emulate: labels of the tree."""
    words: str = ""
    """More words for the kernel."""

    def made_tree(self, card: CardFile, work: Path) -> str:
        """The device tree as the firmware hands it over: with the overlays of config.txt and the model."""
        made = work / "pi.dtb"
        with_overlays(card, self.tree, work, made)
        for label in self.unswitched:
            run("fdtput", "-d", made, _node(made, label), "vmmc-supply", "vqmmc-supply", epoch=0)
        run("fdtput", "-p", "-t", "x", made, "/system", "linux,revision", self.revision, epoch=0)
        return made.name


def with_overlays(card: CardFile, tree: str, work: Path, to: Path) -> None:
    """A tree of the card with the overlays that its config.txt names, as the firmware lays them over it."""
    base, files = work / "base.dtb", []
    base.write_bytes(card.read(tree))
    for name in named(card.read("config.txt").decode(), tree):
        files.append(work / f"{name}.dtbo")
        files[-1].write_bytes(card.read(f"overlays/{name}.dtbo"))
    apply(base, files, to)


def _node(tree: Path, label: str) -> str:
    return run("fdtget", tree, "/__symbols__", label, epoch=0).decode().strip()


PI_3: Final = Board("Pi 3 B", "raspi3b", "bcm2837-rpi-3-b.dtb", "a02082")
PI_ZERO_2: Final = Board(
    "Zero 2 W",
    "raspi3b",
    "bcm2837-rpi-zero-2-w.dtb",
    "902120",
    words="mem=436M",  # what the firmware leaves of its 512 MB
)
PI_4: Final = Board(
    "Pi 4 B",
    "raspi4b",
    "bcm2711-rpi-4-b.dtb",
    "c03112",
    # Built-in drivers of parts that QEMU has not: Linux stops when they touch these.
    words="initcall_blacklist=brcmstb_l2_driver_init,brcmstb_i2c_driver_init,clk_dvp_driver_init",
    drive="if=none,id=card",
    devices=("-device", "sd-card,drive=card,bus=/generic-sdhci/sd-bus"),
    unswitched=("emmc2",),
)
"""QEMU's machine of this name has no PCIe, so no USB, no Ethernet, no Wi-Fi and no HDMI."""
