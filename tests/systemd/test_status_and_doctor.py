"""The commands of the owner of the box: `nimmt status` and `nimmt doctor`."""

import json
import os
import re
from pathlib import Path

import pytest

from firmware.cli.main import INSTALLED, INSTALLED_STATE, main
from firmware.config.sections import JournalOptions
from firmware.service import status
from firmware.service.health import PAGE
from hardware.ports import DeviceFault
from tests.firmware.evening import EXAMPLE_1
from tests.systemd.box import Box, box


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def _nothing_else_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "xdg"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def now_is(at: Box, monkeypatch: pytest.MonkeyPatch, later_s: float = 0.0) -> None:
    """The clock of the reader of the status: that of the box, or so much later."""
    monkeypatch.setattr(status.seen, "__defaults__", (lambda: at.now_s + later_s,))


def test_a_box_that_is_off_is_not_running(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "--file", str(tmp_path / "none")]) == 3
    told = said(capsys)
    assert told.startswith("not running: this command asks the installed service\n")
    assert "Only the user who started a game in a terminal" in told
    assert main(["status", "--json"]) == 3
    assert json.loads(said(capsys)) == {"running": False}


def test_a_box_that_plays_tells_match_and_faults_no_name_and_that_it_hangs(
    at: Box, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now_is(at, monkeypatch)
    assert "STATUS=no match" in at.beat()
    assert json.loads(at.status.read_text())["playing"] is False
    at.people(EXAMPLE_1)
    assert "STATUS=deal 1, turn 2" in at.beat()
    assert main(["status", "--file", str(at.status)]) == 0
    text = said(capsys)
    assert "4 players, deal 1, turn 2, waiting for: play a card" in text
    assert "no problems" in text
    assert re.search(r"journal: 1 match, \d+\.\d MB \(\d+ kB a match, room for about [1-9]\d* more\)", text)
    at.runtime.app.post(DeviceFault("buttons/ok", "GPIO 26: the signal is noisy", "look for a loose wire"))
    at.beat(0.0)
    assert "STATUS=deal 1, turn 2: GPIO 26: the signal is noisy" in at.beat()
    assert main(["status", "--file", str(at.status)]) == 1
    assert "warning  buttons (ok): GPIO 26: the signal is noisy" in said(capsys)
    assert main(["status", "--json", "--file", str(at.status)]) == 1
    found = json.loads(said(capsys))
    assert (found["running"], found["hangs"], found["playing"], found["mode"]) == (
        True,
        False,
        True,
        "normal",
    )
    assert found["issues"] == [
        {
            "id": "buttons",
            "part": "ok",
            "severity": "warning",
            "says": "GPIO 26: the signal is noisy",
            "fix": "look for a loose wire",
            "link": f"{PAGE}#buttons",
        }
    ]
    now_is(at, monkeypatch, later_s=100.0)
    assert main(["status", "--file", str(at.status)]) == 1
    assert "but has not responded for 100" in said(capsys)
    assert "Ana" not in at.status.read_text()
    assert oct(at.status.stat().st_mode & 0o777) == "0o644"


def test_who_means_the_installed_box_means_its_matches_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if INSTALLED.exists():
        pytest.skip("there is a box on this machine")
    monkeypatch.setenv("STATE_DIRECTORY", "")  # so that it is as before, after this
    monkeypatch.delenv("STATE_DIRECTORY")
    assert main(["matches", "--config", str(INSTALLED)]) == 1  # there is no such file here
    assert str(INSTALLED) in capsys.readouterr().err
    assert JournalOptions().place(os.environ).parent == Path(INSTALLED_STATE)


def test_doctor_tells_of_devices_journal_and_wires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "nimmt.toml"
    config.write_text(
        f'[display]\ndriver = "simulated"\n[scanner]\ndriver = "serial"\nport = "{tmp_path}/no"\n'
    )
    assert main(["doctor", "--json", "--config", str(config)]) == 1
    found = {one["device"]: one for one in json.loads(said(capsys))}
    assert found["display"]["ok"]
    assert not found["scanner"]["ok"]
    assert found["scanner"]["link"] == f"{PAGE}#scanner"
    assert found["journal"]["ok"]
    assert found["config.txt"]["ok"]  # this is no Raspberry Pi
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert main(["doctor", "--config", str(config)]) == 1
    told = said(capsys)
    assert "!!    no scanner at" in told
    assert "note  GPIOZERO_PIN_FACTORY is not used" in told


def test_doctor_asks_a_box_that_is_running_and_does_not_take_its_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "xdg").symlink_to(tmp_path)
    config = tmp_path / "nimmt.toml"
    config.write_text('[scanner]\ndriver = "serial"\nport = "/dev/null"\n')
    with box(tmp_path) as at:
        now_is(at, monkeypatch)
        at.runtime.app.post(
            DeviceFault("buttons/ok", "GPIO 26: the signal is noisy", "look for a loose wire")
        )
        at.beat()
        at.beat()
        (tmp_path / "nimmt").symlink_to(at.status.parent)
        assert main(["doctor", "--json", "--config", str(config)]) == 1
        found = {one["device"]: one for one in json.loads(said(capsys))}
        assert "running" in found["service"]["says"]
        assert found["buttons/ok"]["says"] == "GPIO 26: the signal is noisy"
        assert "scanner" not in found
