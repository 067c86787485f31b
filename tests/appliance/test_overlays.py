"""What the Raspberry Pi must lend: read from a config.txt, and written into it only when somebody says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.cli import main
from firmware.config.configuration import load, parse
from firmware.service import overlays

DOCS = Path(__file__).parents[2] / "docs"

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


def lacking(config: str, text: str) -> list[str]:
    needs = overlays.wanted(parse(config, "the test"))
    return [need.line for need in overlays.missing(needs, text)]


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
    assert lacking(OLED, text) == lines


def test_a_panel_on_spi_and_a_scanner_on_pins_ask_for_their_own() -> None:
    config = '[display]\ndriver = "oled"\nbus = "spi"\n[scanner]\ndriver = "serial"\nport = "/dev/ttyAMA0"\n'
    assert lacking(config, FRESH) == ["dtparam=spi=on", "enable_uart=1"]
    assert lacking(config, FRESH + "dtparam=spi=on\nenable_uart=1\n") == []


def test_a_laptop_asks_for_nothing() -> None:
    assert overlays.wanted(load(None)) == ()


@pytest.mark.parametrize("example", sorted(DOCS.glob("examples/*.toml")), ids=lambda path: path.name)
def test_every_example_gets_what_it_needs(tmp_path: Path, example: Path) -> None:
    needs = overlays.wanted(load(example))
    file = tmp_path / "config.txt"
    file.write_text(FRESH)
    overlays.add(overlays.missing(needs, FRESH), file)
    assert overlays.missing(needs, file.read_text()) == ()


@pytest.fixture
def box(tmp_path: Path) -> list[str]:
    (tmp_path / "config.txt").write_text(FRESH)
    (tmp_path / "nimmt.toml").write_text(OLED)
    return ["overlays", "--config", str(tmp_path / "nimmt.toml"), "--boot", str(tmp_path / "config.txt")]


def test_looking_changes_nothing_and_says_how_to_change_it(
    tmp_path: Path, box: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(box) == 1
    said = capsys.readouterr().out
    assert "!!  dtparam=i2c_arm_baudrate=400000" in said
    assert "sudo nimmt overlays --write" in said
    assert (tmp_path / "config.txt").read_text() == FRESH
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.txt", "nimmt.toml"]


def test_writing_adds_what_is_missing_once_and_keeps_the_file_as_it_was(
    tmp_path: Path, box: list[str]
) -> None:
    (tmp_path / "config.txt").chmod(0o755)
    assert main([*box, "--write"]) == 0
    written = (tmp_path / "config.txt").read_text()
    assert written.startswith(FRESH.rstrip())
    assert written.count("i2c_arm_baudrate") == 1
    assert (tmp_path / "config.txt.before-nimmt").read_text() == FRESH
    assert (tmp_path / "config.txt").stat().st_mode & 0o777 == 0o755
    assert main([*box, "--write"]) == 0
    assert main(box) == 0
    assert (tmp_path / "config.txt").read_text() == written


def test_the_first_copy_is_kept_when_more_is_written_later(tmp_path: Path, box: list[str]) -> None:
    assert main([*box, "--write"]) == 0
    (tmp_path / "nimmt.toml").write_text(OLED + 'bus = "spi"\n')
    assert main([*box, "--write"]) == 0
    assert "dtparam=spi=on" in (tmp_path / "config.txt").read_text()
    assert (tmp_path / "config.txt.before-nimmt").read_text() == FRESH


def test_a_file_that_may_not_be_read_says_to_become_root(
    tmp_path: Path, box: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.txt").unlink()
    (tmp_path / "config.txt").mkdir()
    assert main(box) == 1
    assert "sudo" in capsys.readouterr().err
