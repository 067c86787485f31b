"""`nimmt doctor` before a scanner of each kind: which it is, at which speed, or what to do."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware.cli.main import main
from hardware.simulation.gm65_module import SimulatedGm65
from hardware.simulation.gm67_module import SimulatedGm67
from hardware.simulation.scanner_line import ScannerLine, ScannerModule


@pytest.fixture(autouse=True)
def _no_box_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))


def told_of_scanner(folder: Path, capsys: pytest.CaptureFixture[str], scanner: str) -> dict[str, Any]:
    """What doctor finds of the scanner that a file with these lines in [scanner] names."""
    file = folder / "table.toml"
    file.write_text(f'[display]\ndriver = "none"\n[scanner]\n{scanner}\n', encoding="utf-8")
    main(["doctor", "--json", "--config", str(file)])
    found = json.loads(capsys.readouterr().out)
    scanners: list[dict[str, Any]] = [one for one in found if one["device"] == "scanner"]
    assert len(scanners) == 1
    return scanners[0]


@pytest.mark.slow
@pytest.mark.parametrize("baud", [9600, 115_200])
@pytest.mark.parametrize(("name", "firmware"), [("gm65", SimulatedGm65), ("gm67", SimulatedGm67)])
def test_a_module_is_named_with_the_speed_it_was_found_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, firmware: Any, baud: int
) -> None:
    module = ScannerModule(tmp_path, firmware())
    module.do(lambda: module.firmware.set_baud(baud))  # type: ignore[attr-defined]
    found = told_of_scanner(tmp_path, capsys, f'driver = "{name}"\nport = "{module.path}"')
    assert found["ok"]
    assert found["says"].startswith(f"a {name.upper()} ")
    assert f" at {module.path}, {baud} baud; " in found["says"]
    module.close()


@pytest.mark.slow
def test_what_is_no_module_of_this_kind_is_told_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ScannerLine(tmp_path)
    found = told_of_scanner(tmp_path, capsys, f'driver = "gm65"\nport = "{line.path}"')
    assert not found["ok"]
    assert "tried at 9600 and 115200 baud" in found["says"]
    assert 'driver = "serial"' in found["fix"]
    line.close()


def test_a_keyboard_that_is_not_there_is_told_with_those_that_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told_of_scanner(tmp_path, capsys, 'driver = "hid"\ndevice = "name:no such scanner at all"')
    assert not found["ok"]
    assert "found: " in found["fix"]
