"""Our overlays compile, and switch on what the displays need in a device tree such as Debian's."""

import subprocess
from pathlib import Path

import pytest
from image.kernel import overlays
from image.layout import TREES

from tests.packaging.image.debian_tools import EPOCH, needs

pytestmark = needs("dtc", "fdtoverlay")

# As those of Debian's kernel: with labels, I2C slow, SPI off, its pins held by another
# group as on a Zero 2 W. Without __overrides__, so dtparam does nothing.
TREE = """\
/dts-v1/;
/ {
    compatible = "brcm,bcm2837";
    soc {
        i2c1: i2c@7e804000 { compatible = "brcm,bcm2835-i2c"; clock-frequency = <100000>; status = "okay"; };
        spi: spi@7e204000 { compatible = "brcm,bcm2835-spi"; status = "disabled"; };
        gpio: gpio@7e200000 {
            compatible = "brcm,bcm2835-gpio";
            #gpio-cells = <2>;
            pinctrl-names = "default";
            pinctrl-0 = <&alt0>;
            alt0: alt0 { brcm,pins = <4 5 7 8 9 10 11>; brcm,function = <4>; };
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


def spi_has_its_pins(made: Path) -> None:
    """SPI is on, with three pins that no other group holds, and both chip selects, active low."""
    spi, gpio = (value(made, "/__symbols__", label) for label in ("spi", "gpio"))
    assert value(made, spi, "status") == "okay"
    group = value(made, spi, "pinctrl-0", "u")
    groups = {
        value(made, f"{gpio}/{name}", "phandle", "u"): value(made, f"{gpio}/{name}", "brcm,pins", "u")
        for name in ("nimmt-spi", "alt0")
    }
    assert groups.pop(group) == "9 10 11"
    assert list(groups.values()) == ["4 5"]
    chip = value(made, gpio, "phandle", "u")
    assert value(made, spi, "cs-gpios", "u") == f"{chip} 8 1 {chip} 7 1"
    assert [value(made, f"{spi}/spidev@{number}", "reg", "u") for number in (0, 1)] == ["0", "1"]


def test_i2c_is_fast_and_spi_has_its_two_devices(tree: Path, tmp_path: Path) -> None:
    made = applied(tree, tmp_path)
    assert value(made, "/soc/i2c@7e804000", "clock-frequency", "u") == "400000"
    spi_has_its_pins(made)


@pytest.mark.skipif(not REAL, reason="no image was built here: make image")
@pytest.mark.parametrize("tree", REAL, ids=lambda path: path.stem)
def test_they_fit_every_tree_of_the_card(tree: Path, tmp_path: Path) -> None:
    made = applied(tree, tmp_path)
    assert value(made, value(made, "/__symbols__", "i2c1"), "clock-frequency", "u") == "400000"
    spi_has_its_pins(made)
