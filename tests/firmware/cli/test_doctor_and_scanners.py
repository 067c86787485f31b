"""`nimmt doctor` before a scanner of each kind: which it is, or what to do."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware.cli.main import main
from hardware.simulation.scanner_line import ScannerLine


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


def test_a_serial_port_is_named_and_what_is_to_be_done_to_try_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ScannerLine(tmp_path)
    found = told_of_scanner(tmp_path, capsys, f'driver = "serial"\nport = "{line.path}"')
    assert found["ok"]
    assert found["says"] == f"{line.path} can be opened; scan a code to see what it sends"
    line.close()


def test_a_keyboard_that_is_not_there_is_told_with_those_that_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told_of_scanner(tmp_path, capsys, 'driver = "hid"\ndevice = "name:no such scanner at all"')
    assert not found["ok"]
    assert "found: " in found["fix"]
