"""Our overlays compile, and switch on what the displays need in a device tree such as Debian's."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from image.kernel import overlays
from image.layout import TREES
from tests.image.debian_tools import EPOCH, needs

pytestmark = needs("dtc", "fdtoverlay")

# As those of Debian's kernel: with labels, I2C slow, SPI off. Without __overrides__, so dtparam does nothing.
TREE = """\
/dts-v1/;
/ {
    compatible = "brcm,bcm2837";
    soc {
        i2c1: i2c@7e804000 { compatible = "brcm,bcm2835-i2c"; clock-frequency = <100000>; status = "okay"; };
        spi: spi@7e204000 { compatible = "brcm,bcm2835-spi"; status = "disabled"; };
    };
};
"""
REAL = sorted(
    file
    for file in Path("build/image").glob("base-*/boot/usr/lib/linux-image-*/broadcom/*.dtb")
    if file.stem in TREES
)
"""Those of Debian, where an image was built."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A compiled tree with labels."""
    source, made = tmp_path / "tree.dts", tmp_path / "tree.dtb"
    source.write_text(TREE)
    subprocess.run(["dtc", "-q", "-@", "-O", "dtb", "-o", made, source], check=True)
    return made


def applied(tree: Path, folder: Path) -> Path:
    """The tree with both overlays."""
    made = folder / "applied.dtb"
    files = overlays(folder / "overlays", EPOCH).values()
    subprocess.run(["fdtoverlay", "-i", tree, "-o", made, *files], check=True)
    return made


def value(tree: Path, node: str, name: str, kind: str = "s") -> str:
    asked = ["fdtget", "-t", kind, str(tree), node, name]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()


def test_i2c_is_fast_and_spi_has_its_two_devices(tree: Path, tmp_path: Path) -> None:
    made = applied(tree, tmp_path)
    assert value(made, "/soc/i2c@7e804000", "clock-frequency", "u") == "400000"
    spi = "/soc/spi@7e204000"
    assert value(made, spi, "status") == "okay"
    assert [value(made, f"{spi}/spidev@{number}", "reg", "u") for number in (0, 1)] == ["0", "1"]


@pytest.mark.skipif(not REAL, reason="no image was built here: make image")
@pytest.mark.parametrize("tree", REAL, ids=lambda path: path.stem)
def test_they_fit_every_tree_of_the_card(tree: Path, tmp_path: Path) -> None:
    made = applied(tree, tmp_path)
    spi = value(made, "/__symbols__", "spi")
    assert value(made, spi, "status") == "okay"
    assert value(made, value(made, "/__symbols__", "i2c1"), "clock-frequency", "u") == "400000"
