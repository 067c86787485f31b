"""The boards that QEMU emulates, as far as it does: what is said of each to QEMU and to Linux."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.packaging.try_image.card_file import CardFile

OVERLAYS: Final = ("overlays/nimmt-i2c.dtbo", "overlays/nimmt-spi.dtbo")
BLUETOOTH: Final = "/soc/serial@7e201000/bluetooth"


@dataclass(frozen=True, slots=True)
class Board:
    """A board, by the machine of QEMU that comes nearest."""

    name: str
    machine: str
    tree: str
    """Its device tree on the card."""
    revision: str
    """What the firmware tells of it, in hexadecimal: "New-style revision codes" of the documentation."""
    shell: str
    """The serial line on which the trial has its shell."""
    drive: str = "if=sd"
    """Where QEMU puts the card."""
    devices: tuple[str, ...] = ()
    """More words for QEMU."""
    missing: tuple[str, ...] = ()
    """What QEMU does not emulate and Linux stops at: labels of the tree."""
    unswitched: tuple[str, ...] = ()
    """What has its power by pins that QEMU does not emulate: labels of the tree."""
    words: str = ""
    """More words for the kernel."""

    @property
    def has_scanner(self) -> bool:
        """Whether the UART of the pins is free for a scanner: the shell is on the other line."""
        return self.shell == "ttyS1"

    def made_tree(self, card: CardFile, work: Path) -> str:
        """The device tree as the firmware hands it over: with the overlays of config.txt and the model."""
        base, made = work / "base.dtb", work / "pi.dtb"
        base.write_bytes(card.read(self.tree))
        files = []
        for name in OVERLAYS:
            file = work / name.rpartition("/")[2]
            file.write_bytes(card.read(name))
            files.append(str(file))
        subprocess.run(["fdtoverlay", "-i", base, "-o", made, *files], check=True)
        # The UART of the pins, as with dtoverlay=disable-bt.
        subprocess.run(["fdtput", "-r", made, BLUETOOTH], check=True)
        for label in self.missing:
            put = ["fdtput", "-t", "s", str(made), _node(made, label), "status", "disabled"]
            subprocess.run(put, check=True)
        for label in self.unswitched:
            put = ["fdtput", "-d", str(made), _node(made, label), "vmmc-supply", "vqmmc-supply"]
            subprocess.run(put, check=True)
        subprocess.run(
            ["fdtput", "-p", "-t", "x", made, "/system", "linux,revision", self.revision], check=True
        )
        return made.name


def _node(tree: Path, label: str) -> str:
    asked = ["fdtget", str(tree), "/__symbols__", label]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()


PI_3: Final = Board("Pi 3 B", "raspi3b", "bcm2837-rpi-3-b.dtb", "a02082", "ttyS1")
PI_ZERO_2: Final = Board(
    "Zero 2 W",
    "raspi3b",
    "bcm2837-rpi-zero-2-w.dtb",
    "902120",
    "ttyS1",
    words="mem=436M",  # what the firmware leaves of its 512 MB
)
PI_4: Final = Board(
    "Pi 4 B",
    "raspi4b",
    "bcm2711-rpi-4-b.dtb",
    "c03112",
    "ttyAMA0",
    words="console=ttyAMA0,115200",  # that of the card is on the other line, where no shell can be
    drive="if=none,id=card",
    devices=("-device", "sd-card,drive=card,bus=/generic-sdhci/sd-bus"),
    missing=("aon_intr", "avs_monitor", "ddc0", "ddc1", "dvp", "hdmi0", "hdmi1", "hvs", "sdhci", "v3d"),
    unswitched=("emmc2",),
)
"""QEMU's machine of this name has no PCIe, so no USB, no Ethernet, no Wi-Fi and no HDMI."""
