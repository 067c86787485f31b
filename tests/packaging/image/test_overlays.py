"""Our overlays compile, and switch on what the displays need in a device tree such as Debian's."""

import subprocess
from pathlib import Path

import pytest
from image.kernel import overlays
from image.layout import HERE, OVERLAYS, TREES

from tests.packaging.image.debian_tools import EPOCH, needs
from tests.packaging.image.device_tree import NEEDED, apply, lacking, named

pytestmark = needs("dtc", "fdtoverlay")

# As that of a Pi 4 of Debian's kernel: with labels, I2C slow, SPI off, its pins held by another
# group as on a Zero 2 W, Bluetooth at the PL011 and the mini UART at its pins, and the
# reader of the card without a number. Without __overrides__, so dtparam does nothing.
TREE = """\
/dts-v1/;
/ {
    compatible = "brcm,bcm2711";
    aliases { };
    emmc2bus { emmc2: mmc@7e340000 { }; };
    soc {
        i2c1: i2c@7e804000 { compatible = "brcm,bcm2835-i2c"; clock-frequency = <100000>; status = "okay"; };
        spi: spi@7e204000 { compatible = "brcm,bcm2835-spi"; status = "disabled"; };
        gpio: gpio@7e200000 {
            compatible = "brcm,bcm2835-gpio";
            #gpio-cells = <2>;
            pinctrl-names = "default";
            pinctrl-0 = <&alt0>;
            alt0: alt0 { brcm,pins = <4 5 7 8 9 10 11>; brcm,function = <4>; };
            uart0_gpio32: uart0-gpio32 { brcm,pins = <32 33>; brcm,function = <7>; };
            uart1_gpio14: uart1-gpio14 { brcm,pins = <14 15>; brcm,function = <2>; };
        };
        uart0: serial@7e201000 {
            compatible = "arm,pl011";
            pinctrl-names = "default";
            pinctrl-0 = <&uart0_gpio32>;
            status = "okay";
            bluetooth { compatible = "brcm,bcm43438-bt"; };
        };
        uart1: serial@7e215040 {
            compatible = "brcm,bcm2835-aux-uart";
            pinctrl-names = "default";
            pinctrl-0 = <&uart1_gpio14>;
            status = "okay";
        };
    };
};
"""
REAL = sorted(
    file
    for file in Path("build/image").glob("base-*/boot/usr/lib/linux-image-*/broadcom/*.dtb")
    if file.stem in TREES
)
"""Those of Debian, where an image was built."""


def compiled(text: str, made: Path) -> Path:
    """The tree with labels."""
    subprocess.run(["dtc", "-q", "-@", "-O", "dtb", "-o", made, "-"], input=text.encode(), check=True)
    return made


def applied(tree: Path, folder: Path) -> Path:
    """The tree with the overlays that config.txt names for its board."""
    made, all_of_them = folder / "applied.dtb", overlays(folder / "overlays", EPOCH)
    names = named((HERE / "boot/config.txt").read_text(), tree.name)
    assert set(names) <= set(OVERLAYS)
    apply(tree, [all_of_them[f"overlays/{name}.dtbo"] for name in names], made)
    return made


def test_they_give_the_displays_and_the_scanner_what_they_need(tmp_path: Path) -> None:
    pi_4 = compiled(TREE, tmp_path / "bcm2711-rpi-4-b.dtb")
    assert len(list(lacking(pi_4))) == len(NEEDED)
    assert list(lacking(applied(pi_4, tmp_path))) == []


def test_a_board_without_the_card_reader_of_a_pi_4_keeps_number_0_for_its_own(tmp_path: Path) -> None:
    pi_3 = compiled(
        TREE.replace("emmc2bus { emmc2: mmc@7e340000 { }; };", ""), tmp_path / "bcm2837-rpi-3-b.dtb"
    )
    assert list(lacking(applied(pi_3, tmp_path))) == []


@pytest.mark.skipif(not REAL, reason="no image was built here: make image")
@pytest.mark.parametrize("tree", REAL, ids=lambda path: path.stem)
def test_they_fit_every_tree_of_the_card(tree: Path, tmp_path: Path) -> None:
    assert list(lacking(applied(tree, tmp_path))) == []
