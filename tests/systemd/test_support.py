"""The bundle for a bug report: everything that explains a fault, and nothing that names a person."""

import json
import tarfile
from pathlib import Path

import pytest

from firmware.cli.main import main
from firmware.service import support_bundle
from firmware.service.support_bundle import Redaction
from tests.firmware.evening import EXAMPLE_1, device

NAMES = ("Ana", "Bo", "Doña Élodie", "O'Neil")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Ana is asked", "P1 is asked"),
        ("ANA: SCAN A CARD", "P1: SCAN A CARD"),
        ("names = ['Doña Élodie', \"O'Neil\"]", "names = ['P3', \"P4\"]"),
        ("Boris and banana stay", "Boris and banana stay"),
        ("tombola kernel: usb 1-1", "[name] kernel: usb 1-1"),
        ('mqtt_password = "hunter2"', "mqtt_password = [removed]"),
        ("Token: abc.def-ghi next", "Token: [removed] next"),
        ("--psk s3cret --x", "--psk [removed] --x"),
        ("mqtts://bob:hunter2@broker:8883/x", "mqtts://[removed]@broker:8883/x"),
        ("from 192.168.1.20 port 22", "from [address] port 22"),
        ("gpiod==2.5.0.1", "gpiod==2.5.0.1"),
        ("link/ether dc:a6:32:01:02:03 brd", "link/ether [address] brd"),
        ("inet6 fe80::dea6:32ff:fe01:203/64", "inet6 [address]/64"),
        ("2001:db8:85a3::8a2e:370:7334 up", "[address] up"),
        ("Serial\t\t: 10000000abcdef01", "Serial\t\t: [removed]"),
        ("[   12.345678] 6N055Y at 12:30:45 row 3", "[   12.345678] 6N055Y at 12:30:45 row 3"),
    ],
)
def test_names_secrets_and_addresses_are_taken_out_and_facts_stay(text: str, clean: str) -> None:
    assert Redaction(players=NAMES, others=("tombola",))(text) == clean


def unpacked(file: Path) -> dict[str, str]:
    with tarfile.open(file) as tar:
        return {
            member.name.removeprefix("nimmt-support/"): tar.extractfile(member).read().decode()  # type: ignore[union-attr]
            for member in tar.getmembers()
        }


@pytest.fixture
def box(tmp_path: Path) -> list[str]:
    with device(tmp_path, EXAMPLE_1):
        pass
    (tmp_path / "nimmt.toml").write_text(
        '[display]\ndriver = "simulated"\n[table]\nnames = [\n  "Ana",  # the eldest\n  "Bo",\n]\n'
    )
    given = ("--config", tmp_path / "nimmt.toml", "--journal", tmp_path / "journal.sqlite")
    return ["support", *map(str, given), str(tmp_path / "bundle.tar.gz")]


def test_the_bundle_tells_versions_devices_log_and_the_newest_match(
    tmp_path: Path, box: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*box[:-1], str(tmp_path / "none" / "bundle.tar.gz")]) == 1
    assert "choose another file" in capsys.readouterr().err
    assert main(box) == 0
    assert "check it before you send it" in capsys.readouterr().out
    texts = unpacked(tmp_path / "bundle.tar.gz")
    assert {"versions.txt", "doctor.json", "match.txt", "nimmt.toml", "log.txt", "kernel.txt"} <= texts.keys()
    assert "pillow" in texts["versions.txt"].lower()
    assert {one["device"] for one in json.loads(texts["doctor.json"])} >= {"display", "journal", "config.txt"}
    (tmp_path / "match.jsonl").write_text(texts["match.txt"])
    assert main(["replay", str(tmp_path / "match.jsonl")]) == 0


@pytest.mark.parametrize("also", ["", "[broken", "[table", '[screen]\nlanguage = "Ana"'])
def test_no_name_is_in_a_bundle_with_a_broken_nimmt_toml(tmp_path: Path, box: list[str], also: str) -> None:
    file = tmp_path / "nimmt.toml"
    file.write_text(file.read_text() + also)
    assert main(box) == 0
    texts = unpacked(tmp_path / "bundle.tar.gz")
    assert "names = []" in texts["nimmt.toml"]
    for name, text in texts.items():
        if name != "versions.txt":  # packages have names, too
            assert "Ana" not in text, name
            assert '"Bo"' not in text, name


def test_what_the_machine_cannot_tell_is_said_in_its_place(tmp_path: Path) -> None:
    assert "no-such-command" in support_bundle.asked(["no-such-command"])
    assert "No such file" in support_bundle.read(tmp_path / "none")
    assert "sh: " in support_bundle.asked(["sh", "-c", "no-such-command-either"])


def test_of_a_long_log_the_end_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support_bundle, "LARGEST", 20_000)
    text = "old\n" * support_bundle.LARGEST + "the fault\n"
    support_bundle.bundle([("log.txt", text)], Redaction(), tmp_path / "bundle.tar.gz", 0)
    kept = unpacked(tmp_path / "bundle.tar.gz")["log.txt"]
    assert kept.endswith("the fault\n")
    assert len(kept) == support_bundle.LARGEST
