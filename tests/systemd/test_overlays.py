"""What the Raspberry Pi must lend: read from a config.txt, and written into it only when somebody says so."""

import shutil
import subprocess
from pathlib import Path

import pytest
from image.layout import OVERLAYS

from firmware.cli.main import main
from firmware.config.configuration import Config, load, parse
from firmware.service import overlays
from firmware.service.overlays import DeviceTree, OverlayLine, State

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PACKAGED = ROOT / "systemd/table/usr/share/nimmt-companion/overlays"
I2C = ["dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"]
OLED = '[display]\ndriver = "oled"\n'
FRESH = """\
# For more options and information see
# http://rptl.io/configtxt
#dtparam=i2c_arm=on
#dtparam=spi=on
dtparam=audio=on
auto_initramfs=1

[cm4]
otg_mode=1

[all]
"""
"""As it comes on a new card, shortened."""


def lacking(config: Config, text: str) -> list[OverlayLine]:
    found = overlays.states(overlays.wanted(config), text, DeviceTree(Path("/nowhere")))
    return [need for need, state in found if state is State.MISSING]


def lines_lacking(config: str, text: str) -> list[str]:
    return [need.line() for need in lacking(parse(config, "the test"), text)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (FRESH, I2C),
        (FRESH + "dtparam=i2c_arm=on\n", I2C[1:]),
        (FRESH + "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n", []),
        (FRESH + "dtparam=i2c=on\ndtparam=i2c_baudrate=1000000\n", []),
        (FRESH + "dtparam=i2c_arm\ndtparam=i2c_arm_baudrate=400000  # fast\n", []),
        (FRESH + "dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=100000\n", I2C[1:]),
        (FRESH + "dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\ndtparam=i2c_arm=off\n", I2C[:1]),
        # a filter ends at the next one, and only [all] is everywhere
        (FRESH + "[pi4]\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n", I2C),
        ("[pi4]\ndtparam=i2c_arm=on\n[all]\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n", []),
    ],
)
def test_what_a_panel_on_i2c_lacks_is_found(text: str, lines: list[str]) -> None:
    assert lines_lacking(OLED, text) == lines


def test_a_panel_on_spi_and_a_scanner_on_pins_ask_for_their_own_and_a_laptop_for_nothing() -> None:
    config = '[display]\ndriver = "oled"\nbus = "spi"\n[scanner]\ndriver = "serial"\nport = "/dev/ttyAMA0"\n'
    assert lines_lacking(config, FRESH) == ["dtparam=spi=on", "enable_uart=1"]
    assert lines_lacking(config, FRESH + "dtparam=spi=on\nenable_uart=1\n") == []
    assert lines_lacking("", FRESH) == []


@pytest.mark.parametrize("example", sorted(DOCS.glob("examples/*.toml")), ids=lambda path: path.name)
def test_every_example_gets_what_it_needs(tmp_path: Path, example: Path) -> None:
    config, file = load(example), tmp_path / "config.txt"
    file.write_text(FRESH)
    overlays.add(lacking(config, FRESH), file)
    assert lacking(config, file.read_text()) == []


@pytest.fixture
def box(tmp_path: Path) -> list[str]:
    (tmp_path / "config.txt").write_text(FRESH)
    (tmp_path / "nimmt.toml").write_text(OLED)
    return words(tmp_path, "no-tree")


def words(folder: Path, tree: str) -> list[str]:
    return [
        "overlays",
        *("--config", str(folder / "nimmt.toml")),
        *("--boot", str(folder / "config.txt")),
        *("--tree", str(folder / tree)),
    ]


def test_looking_changes_nothing_and_writing_adds_what_is_missing_once_and_keeps_the_file_as_it_was(
    tmp_path: Path, box: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file, first = tmp_path / "config.txt", tmp_path / "config.txt.before-nimmt"
    file.chmod(0o755)
    assert main(box) == 1
    said = capsys.readouterr().out
    assert "!!  dtparam=i2c_arm_baudrate=400000" in said
    assert "sudo nimmt overlays --write" in said
    assert file.read_text() == FRESH
    assert not first.exists()
    assert main([*box, "--write"]) == 0
    written = file.read_text()
    assert written.startswith(FRESH.rstrip())
    assert written.count("i2c_arm_baudrate") == 1
    assert file.stat().st_mode & 0o777 == 0o755
    assert main([*box, "--write"]) == 0
    assert main(box) == 0
    assert file.read_text() == written
    (tmp_path / "nimmt.toml").write_text(OLED + 'bus = "spi"\n')
    assert main([*box, "--write"]) == 0
    assert "dtparam=spi=on" in file.read_text()
    assert first.read_text() == FRESH


def test_a_file_that_may_not_be_read_says_to_become_root(
    tmp_path: Path, box: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.txt").unlink()
    (tmp_path / "config.txt").mkdir()
    assert main(box) == 1
    assert "sudo" in capsys.readouterr().err


class Tree:
    """A device tree such as the kernel shows it, with I2C and SPI off, and the UART given to Bluetooth."""

    def __init__(self, folder: Path, *, parameters: bool) -> None:
        self.root = folder
        for node, values in {
            "": {"compatible": b"raspberrypi,3-model-b\0brcm,bcm2837\0"},
            "soc/i2c@7e804000": {"status": b"disabled\0"},
            "soc/spi@7e204000": {"status": b"disabled\0"},
            "soc/serial@7e201000": {"status": b"okay\0"},
            "soc/serial@7e201000/bluetooth": {},
            **({"__overrides__": {}, "aliases": {"i2c1": b"/soc/i2c@7e804000\0"}} if parameters else {}),
        }.items():
            self.set(node, **values)

    def set(self, node: str, **values: bytes) -> None:
        (self.root / node).mkdir(parents=True, exist_ok=True)
        for name, value in values.items():
            (self.root / node / name.replace("_", "-")).write_bytes(value)

    def load(self, text: str) -> None:
        """What the firmware makes of the lines of a config.txt."""
        has_parameters = (self.root / "__overrides__").exists()
        if "dtoverlay=nimmt-i2c" in text or (has_parameters and "dtparam=i2c_arm_baudrate=400000" in text):
            self.set("soc/i2c@7e804000", status=b"okay\0", clock_frequency=(400_000).to_bytes(4, "big"))
        if "dtoverlay=nimmt-spi" in text or (has_parameters and "dtparam=spi=on" in text):
            self.set("soc/spi@7e204000", status=b"okay\0")
            self.set("soc/spi@7e204000/spidev@0", compatible=b"rohm,dh2228fv\0", status=b"okay\0")
        if "dtoverlay=nimmt-uart" in text:
            self.set("soc/serial@7e201000/bluetooth", status=b"disabled\0")


@pytest.mark.parametrize(
    ("toml", "sees_parameter"),
    [
        (f'{OLED}bus = "i2c"\n', True),
        (f'{OLED}bus = "spi"\n', True),
        ('[scanner]\ndriver = "serial"\nport = "/dev/ttyAMA0"\n', False),
    ],
    ids=["i2c", "spi", "uart"],
)
@pytest.mark.parametrize("parameters", [True, False], ids=["raspberry-pi-os", "debian"])
def test_what_is_written_switches_the_bus_on_with_either_kernel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], toml: str, *, sees_parameter: bool, parameters: bool
) -> None:
    tree, file = Tree(tmp_path / "tree", parameters=parameters), tmp_path / "config.txt"
    lines = (
        "" if parameters else "".join(f"{line}\n" for line in (*I2C, "dtparam=spi=on", "enable_uart=1"))
    )  # without effect
    file.write_text(FRESH + lines)
    (tmp_path / "nimmt.toml").write_text(toml)
    look = words(tmp_path, "tree")
    (tmp_path / "overlays").mkdir()
    for name in OVERLAYS:
        (tmp_path / "overlays" / f"{name}.dtbo").write_bytes(b"as on the card")
    assert main(look) == 1
    assert main([*look, "--write"]) == 0
    capsys.readouterr()
    if sees_parameter or not parameters:
        assert main(look) == 1  # it is in the file, but the kernel has not seen it
        assert "restart the machine" in capsys.readouterr().out
    tree.load(file.read_text())
    assert main(look) == 0
    assert ("dtoverlay=nimmt" in file.read_text()) is not parameters
    assert "!!" not in capsys.readouterr().out


def test_overlays_that_are_not_on_the_card_come_from_the_package(tmp_path: Path) -> None:
    file, name = tmp_path / "config.txt", "nimmt-i2c.dtbo"
    file.write_text(FRESH)
    overlays.add(overlays.wanted(parse(OLED, "")), file, parameters=False, overlays=PACKAGED)
    assert file.read_text().count("dtoverlay=nimmt-i2c\n") == 1
    assert (tmp_path / "overlays" / name).read_bytes() == (PACKAGED / name).read_bytes()


@pytest.mark.skipif(shutil.which("dtc") is None, reason="needs dtc of the package device-tree-compiler")
# `nimmt-card` is for the U-Boot of the image; Raspberry Pi OS has its own way to start.
@pytest.mark.parametrize("name", [name for name in OVERLAYS if name != "nimmt-card"])
def test_the_overlays_of_the_package_are_those_of_the_image(name: str) -> None:
    source = ROOT / f"packaging/image/overlays/{name}.dts"
    made = subprocess.run(
        ["dtc", "-q", "-@", "-I", "dts", "-O", "dtb", str(source)], check=True, capture_output=True
    )
    assert made.stdout == (PACKAGED / f"{name}.dtbo").read_bytes()
