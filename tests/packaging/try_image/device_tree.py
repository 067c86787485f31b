"""The device tree as the firmware would hand it over, and whether the box finds in it what its devices need.

It is made, and looked at, with Debian's tools.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from image.commands import CannotBuild, run

from tests.packaging.try_image.card_file import CardFile

MACHINE: Final = "raspi3b"
"""The board that QEMU emulates."""
_TREE: Final = "bcm2837-rpi-3-b.dtb"
_REVISION: Final = "a02082"
"""In hexadecimal: "New-style revision codes" of the documentation."""


def made_tree(card: CardFile, work: Path) -> str:
    """The tree of that board, with its model."""
    made = work / "pi.dtb"
    with_overlays(card, _TREE, work, made)
    run("fdtput", "-p", "-t", "x", made, "/system", "linux,revision", _REVISION, epoch=0)
    return made.name


def with_overlays(card: CardFile, tree: str, work: Path, to: Path) -> None:
    """A tree of the card with the overlays that its config.txt names; `CannotBuild` if one does not fit."""
    base, files = work / "base.dtb", []
    base.write_bytes(card.read(tree))
    for name in named(card.read("config.txt").decode(), tree):
        files.append(work / f"{name}.dtbo")
        files[-1].write_bytes(card.read(f"overlays/{name}.dtbo"))
    run("fdtoverlay", "-i", base, "-o", to, *files, epoch=0)


def named(config: str, tree: str) -> list[str]:
    """The overlays that this config.txt names for the board of a tree: the firmware has filters by model."""
    names, model, section = list[str](), "pi4" if tree.startswith("bcm2711") else "pi3", "all"
    for line in config.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line.startswith("dtoverlay=") and section in {"all", model}:
            names.append(line.removeprefix("dtoverlay="))
    return names


def lacking(tree: Path) -> Iterator[str]:
    """What the tree does not give to U-Boot, display and scanner, in words; nothing where it gives all."""
    return (what for what, is_there in NEEDED.items() if not is_there(_Tree(tree)))


class _Tree:
    def __init__(self, file: Path) -> None:
        self._file = file

    def node(self, label: str) -> str:
        return self.text("/__symbols__", label)

    def text(self, node: str, name: str, kind: str = "s") -> str:
        """A property; empty if it is empty or not there."""
        try:
            return run("fdtget", "-t", kind, self._file, node, name, epoch=0).decode().strip()
        except CannotBuild:
            return ""

    def numbers(self, node: str, name: str) -> list[int]:
        return [int(word) for word in self.text(node, name, "u").split()]

    def is_on(self, node: str) -> bool:
        return self.text(node, "status") in {"", "okay"}

    def children(self, node: str) -> list[str]:
        return [f"{node}/{name}" for name in run("fdtget", "-l", self._file, node, epoch=0).decode().split()]

    def pins(self, node: str) -> list[int]:
        """The pins of all groups that a device has, or the pins' own node holds for none."""
        gpio = self.node("gpio")
        groups = {handle: one for one in self.children(gpio) for handle in self.numbers(one, "phandle")}
        given = self.numbers(node, "pinctrl-0")
        return sorted(pin for handle in given for pin in self.numbers(groups[handle], "brcm,pins"))


def _i2c(tree: _Tree) -> bool:
    return tree.is_on(tree.node("i2c1")) and tree.numbers(tree.node("i2c1"), "clock-frequency") == [400_000]


def _spi(tree: _Tree) -> bool:
    """On, with three pins that no other group holds, both chip selects active low, and a device for each."""
    spi, gpio = tree.node("spi"), tree.node("gpio")
    chip = tree.numbers(gpio, "phandle")
    return (
        tree.is_on(spi)
        and tree.pins(spi) == [9, 10, 11]
        and not {7, 8, 9, 10, 11} & set(tree.pins(gpio))
        and tree.numbers(spi, "cs-gpios") == [*chip, 8, 1, *chip, 7, 1]
        and sorted(tree.numbers(child, "reg") for child in tree.children(spi)) == [[0], [1]]
    )


def _uart(tree: _Tree) -> bool:
    """The PL011 is on at pins 14 and 15, which nothing else has, and bound to no device."""
    uart, other = tree.node("uart0"), tree.node("uart1")
    return (
        tree.is_on(uart)
        and tree.pins(uart) == [14, 15]
        and not {14, 15} & {*tree.pins(tree.node("gpio")), *tree.pins(other)}
        and not any(tree.is_on(child) for child in tree.children(uart))
    )


def _card(tree: _Tree) -> bool:
    """The reader of a Pi 4 has number 0; on other boards none takes it from the first, which is theirs."""
    return tree.text("/aliases", "mmc0") == tree.node("emmc2")


NEEDED: Final[dict[str, Callable[[_Tree], bool]]] = {
    "the number of the card": _card,
    "I2C at 400 kHz": _i2c,
    "SPI with its pins and chip selects": _spi,
    "the scanner's UART at its pins": _uart,
}
