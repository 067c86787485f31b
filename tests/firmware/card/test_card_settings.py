"""The files on the card, as any computer writes them, become files of the root; faults are told."""

import os
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest
from image.layout import HERE
from image.root import DISABLED, OURS, SETTINGS, settle

from companion.text.errors import CompanionError
from firmware.card import faults, settings, text_files
from firmware.card.settings import WPA_SUPPLICANT
from firmware.card.text_files import Network, Wifi
from firmware.cli.main import main
from firmware.commands.card import keep_settings
from firmware.flashed.slots import BootPartition

ROOT: Final = Path(__file__).parents[3]
KEY = f"ssh-ed25519 {'A' * 68} ana@laptop"


class Box:
    """A first partition, and a root such as that of the image."""

    def __init__(self, folder: Path) -> None:
        self.boot, self.root = folder / "boot", folder / "root"
        self.boot.mkdir()
        for name, content in {
            "etc/nimmt/nimmt.toml": '[display]\ndriver = "oled"\n',
            "usr/share/zoneinfo/Europe/Berlin": "TZif2",
            "etc/localtime": "TZif2",
            "etc/shadow": "root:*:",
        }.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(content)
        self.before = self.files()

    def start(self, **files: str | bytes) -> dict[str, str]:
        """Put files on the card and start; gives the files of the root that are new or other."""
        for name, content in files.items():
            place = self.boot / name.replace("_txt", ".txt").replace("_toml", ".toml")
            place.write_bytes(content.encode() if isinstance(content, str) else content)
        assert main(["card", "settings", "--boot", str(self.boot), "--root", str(self.root)]) == 0
        return {name: one for name, one in self.files().items() if self.before.get(name) != one}

    def files(self, but: str = "/") -> dict[str, str]:
        return {
            name: str(file.readlink()) if file.is_symlink() else file.read_text()
            for file in self.root.rglob("*")
            if (file.is_file() or file.is_symlink())
            and not (name := str(file.relative_to(self.root))).startswith(but)
        }

    def faults(self) -> list[tuple[str, str]]:
        kept = faults.kept(self.root / "run/table/faults.json")
        return [(name, f"{bad.fault} ({bad.fix})") for name, bad in kept]


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


class StartedBox(Box):
    """A box of the image, which is started as its unit does it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for name in SETTINGS:
            shutil.copy(HERE / "card" / name, self.boot)
        (self.root / "var/lib/dpkg").mkdir(parents=True)
        (self.root / "var/lib/dpkg/status").write_text("Package: nimmt-companion\nVersion: 1\n")
        (self.root / "data").mkdir()
        settle(HERE / "card", self.root)
        self.before = self.files()
        self.image = folder / "image"
        shutil.copytree(self.root, self.image, symlinks=True)
        self.log = folder / "log"
        program = folder / "bin/nimmt"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\necho "$@" >>{self.log}\nexec {sys.executable} -m firmware.cli "$@"\n')
        program.chmod(0o755)

    def starts(self) -> tuple[int, dict[str, str]]:
        """Start it with a fresh root; how often the program ran, and what is new in the root."""
        for folder in self.root.iterdir():
            if folder.name != "data":
                shutil.rmtree(folder)
        shutil.copytree(self.image, self.root, symlinks=True, dirs_exist_ok=True)
        self.log.unlink(missing_ok=True)
        path = f"{self.log.parent}/bin:{os.environ['PATH']}"
        env = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
        scripts = OURS / "usr/lib/table"
        if subprocess.run([scripts / "new-card", self.boot, self.root], env=env, check=False).returncode:
            subprocess.run([scripts / "settings", self.boot, self.root], check=True, env=env)
        ran = len(self.log.read_text().splitlines()) if self.log.exists() else 0
        new = {
            name: one
            for name, one in self.files(but="data/").items()
            if self.before.get(name) != one and not name.startswith("run/table/seen")
        }
        return ran, new


@pytest.mark.slow
def test_a_start_reads_the_files_of_the_card_only_if_they_say_something_new(tmp_path: Path) -> None:
    box = StartedBox(tmp_path)
    assert box.starts() == (0, {})
    assert main(["card", "settings", "--boot", str(box.boot), "--root", str(box.root)]) == 0
    assert {name for name, one in box.files().items() if box.before.get(name) != one} == {
        "run/table/faults.json"  # so nothing was left out
    }
    (box.boot / "nimmt.toml").write_text('board = "hand-wired"\n[web]\non = true\n')
    (box.boot / "wifi.txt").write_text("network = free\nnetwork = x\npassword = 12345678\ncountry = FR\n")
    (box.boot / "host.txt").write_text("name = corner\ntimezone = Europe/Berlin\nlanguage = de\n")
    (box.boot / "authorized_keys").write_text(f"{KEY}\n")
    ran, said = box.starts()
    assert ran == 1
    assert {"etc/hostname", "etc/localtime", "root/.ssh/authorized_keys", "run/table/on/web"} <= set(said)
    assert box.starts() == (0, said)
    assert stat.S_IMODE((box.root / WPA_SUPPLICANT).stat().st_mode) == 0o600
    assert stat.S_IMODE((box.root / "data/table/settings.tar").stat().st_mode) == 0o600
    (box.image / "var/lib/dpkg/status").write_text("Package: nimmt-companion\nVersion: 2\n")
    assert box.starts()[0] == 1  # another version may understand them otherwise
    (box.root / "data/table/last-update.json").write_text("{}")
    assert box.starts()[0] == 1
    (box.boot / "authorized_keys").unlink()
    ran, said = box.starts()
    assert (ran, "root/.ssh/authorized_keys" in said) == (1, False)
    with (box.root / "data/table/settings.tar").open("r+b") as kept:
        kept.truncate(700)
    assert box.starts() == (1, said)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_every_file_is_read_however_an_editor_writes_it(box: Box, encoding: str) -> None:
    def as_written(text: str) -> bytes:
        return text.replace("\n", "\r\n").encode(encoding)

    done = box.start(
        nimmt_toml=as_written('board = “adafruit-bonnet”\n[table]\nnames = ["Jörg"]\n'),
        wifi_txt=as_written("# at home\nnetwork = Café\npassword = “correct horse”\nCountry=de\n"),
        host_txt=as_written("name = Spieltisch\ntimezone = Europe/Berlin\nlanguage = de\n"),
        authorized_keys=as_written(f"# mine\n{KEY}\n"),
    )
    assert box.faults() == []
    assert done["etc/hostname"] == "spieltisch\n"
    assert done["etc/localtime"] == "/usr/share/zoneinfo/Europe/Berlin"
    assert done["root/.ssh/authorized_keys"] == f"{KEY}\n"
    assert tomllib.loads(done["etc/nimmt/nimmt.toml"]) == {
        "board": "adafruit-bonnet",
        "table": {"names": ["Jörg"]},
        "screen": {"language": "de"},
    }
    # The 256 bits of wpa_passphrase Café "correct horse"
    made = done["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"]
    assert made.startswith("country=DE\n")
    assert f"ssid={'Café'.encode().hex()}" in made
    assert "correct horse" not in made
    for secret in ("etc/wpa_supplicant/wpa_supplicant-wlan0.conf", "root/.ssh/authorized_keys"):
        assert stat.S_IMODE((box.root / secret).stat().st_mode) == 0o600


def test_the_key_of_a_network_is_the_one_of_the_standard() -> None:
    # IEEE 802.11-2020, J.4.2, test case 1
    said = text_files.read_wifi(b"network=IEEE\npassword=password\ncountry=US")
    assert said is not None
    assert "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e" in said.as_wpa_supplicant()


def test_several_networks_are_tried_in_their_order_and_an_open_one_needs_no_password() -> None:
    said = text_files.read_wifi(b'country = FR\nnetwork = " two "\npassword = "12345678"\nnetwork = free')
    assert said == Wifi("FR", (Network(" two ", "12345678"), Network("free")))
    made = said.as_wpa_supplicant()
    assert made.index("priority=2") < made.index("key_mgmt=NONE") < made.index("priority=1")


def test_what_is_changed_while_the_box_runs_is_on_the_card_for_the_next_start(
    box: Box, capsys: pytest.CaptureFixture[str]
) -> None:
    remounts: list[str] = []
    card = BootPartition(box.boot, remount=lambda _boot, how: remounts.append(how))
    installed, on_card = box.root / "etc/nimmt/nimmt.toml", box.boot / "nimmt.toml"
    old = "# ours\n[table]\nchoice_s = 9\n"
    box.start(nimmt_toml=old, host_txt="language = de\n")
    assert keep_settings(card, box.root) == 0
    assert remounts == []  # nothing was changed
    installed.write_text(installed.read_text().replace("choice_s = 9", "choice_s = 12"))
    assert keep_settings(card, box.root) == 0
    assert remounts == ["rw", "ro"]
    assert tomllib.loads(on_card.read_text()) == {"table": {"choice_s": 12}, "screen": {}}
    assert on_card.read_text().startswith("# ours\n")
    assert (box.boot / "nimmt.toml.previous").read_text() == old
    assert keep_settings(card, box.root) == 0
    before = installed.read_text()
    assert box.start()["etc/nimmt/nimmt.toml"].split() == before.split()  # as after a power cut
    assert keep_settings(card, box.root) == 0
    assert len(remounts) == 2
    installed.write_text('[screen]\nlanguage = "fa"\n')
    assert keep_settings(card, box.root) == 0
    assert 'language = "fa"' in on_card.read_text()  # somebody has chosen it
    installed.write_text("[table]\nchoice_s = -1\n")
    assert keep_settings(card, box.root) == 1
    assert "choice_s" in capsys.readouterr().err
    assert 'language = "fa"' in on_card.read_text()
    installed.write_text("[table]\nchoice_s = 15\n")
    on_card.write_text("#" * 70_000)  # nobody can read it, and it stands in nobody's way
    assert keep_settings(card, box.root) == 0
    assert "choice_s = 15" in on_card.read_text()
    assert len((box.boot / "nimmt.toml.previous").read_text()) == 70_000
    assert sorted(one.name for one in box.boot.iterdir()) == ["host.txt", "nimmt.toml", "nimmt.toml.previous"]


def test_a_configuration_that_was_replaced_by_a_link_or_by_a_long_file_is_not_kept(box: Box) -> None:
    box.start(nimmt_toml="# ours\n")
    card = BootPartition(box.boot, remount=lambda *_: None)
    installed, other = box.root / "etc/nimmt/nimmt.toml", box.root / "etc/other"
    other.write_text("# of root alone\n")
    installed.unlink()
    installed.symlink_to(other)
    with pytest.raises(OSError, match="it is a link"):
        keep_settings(card, box.root)
    installed.unlink()
    installed.write_bytes(b"#" * 64_001)
    with pytest.raises(OSError, match="larger than 64 kB"):
        keep_settings(card, box.root)
    assert (box.boot / "nimmt.toml").read_text() == "# ours\n"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        (
            "wifi_txt",
            "network: Home",
            "wifi.txt, line 1: 'network: Home' has no = (write it like this: network =",
        ),
        ("wifi_txt", "netwrok = Home", "line 1: there is no 'netwrok' (did you mean 'network'?)"),
        ("wifi_txt", "password = 12345678\nnetwork = a", "the password comes before its network"),
        ("wifi_txt", "network = a\npassword = 1234567\ncountry = DE", "the password has 7 characters"),
        ("wifi_txt", "network = a\npassword = 12345678", "the country is missing"),
        ("wifi_txt", f"network = {'é' * 17}\ncountry = DE", "cannot be a network name"),
        ("wifi_txt", "country = Germany\nnetwork = a", "'GERMANY' is not a country code"),
        ("wifi_txt", "country = UK\nnetwork = a", "'UK' is not a country code"),
        ("wifi_txt", b"network = \xff\xfa\nx", "wifi.txt is not UTF-8 text in line 1, character 11"),
        ("host_txt", "name = my table", "'my table' cannot be a host name"),
        ("host_txt", "timezone = ../../etc/shadow", "no time zone"),
        ("host_txt", "timezone = Europe/Brelin", "there is no time zone 'Europe/Brelin'"),
        ("host_txt", "language = deutsch", "there is no language 'deutsch'"),
        ("authorized_keys", "-----BEGIN OPENSSH PRIVATE KEY-----", "a line that is not a key"),
        ("authorized_keys", f"{KEY}\nsomething", "a line that is not a key"),
        ("nimmt_toml", b"#" * 70_000, "it is larger than 64 kB"),
    ],
)
def test_a_file_with_a_fault_has_no_effect_and_says_what_came_and_what_to_do(
    box: Box, name: str, content: str | bytes, says: str
) -> None:
    done = box.start(**{name: content})
    assert done.keys() == {"run/table/faults.json"}
    [(file, told)] = box.faults()
    assert file == "configuration/" + name.replace("_txt", ".txt").replace("_toml", ".toml")
    assert says in told


def test_a_password_is_never_quoted() -> None:
    with pytest.raises(CompanionError) as refused:
        text_files.read_wifi(b"network = a\npassword = secr\xc3\xa9t12\ncountry = DE")
    assert "secr" not in str(refused.value)


def test_the_game_judges_its_own_configuration(box: Box) -> None:
    assert box.start(nimmt_toml="\ufeffboard = \r\n")["etc/nimmt/nimmt.toml"] == "board = \n"
    assert box.faults() == []


@pytest.mark.parametrize(
    ("toml", "screen"),
    [
        ("", {"language": "fa"}),
        ('[screen]\nsize = "large"', {"language": "fa", "size": "large"}),
        ("  [ screen ] # x\n\n[table]\nnames = []\n", {"language": "fa"}),
        ('[screen]\nlanguage = "ask"\n', {"language": "ask"}),
        ('screen = {size = "large"}\n', {"size": "large"}),
        ('screen.size = "large"\n', {"size": "large"}),
        ('[web]\nlanguage = "en"', {"language": "fa"}),
    ],
)
def test_the_language_of_the_box_holds_where_nimmt_toml_has_none(toml: str, screen: dict[str, str]) -> None:
    assert tomllib.loads(text_files.with_language(toml.encode(), "fa").decode())["screen"] == screen


def test_no_port_is_opened_unless_the_configuration_on_the_card_says_so_itself(box: Box) -> None:
    page = box.root / settings.ON / "web"
    for closed in (
        "",
        "[web]\n",
        "[web]\nport = 8066\n",
        "[web]\non = false\n",
        "web = 3\n",
        "[web]\non = true\n[",
        '["../web"]\non = true\n',
    ):
        box.start(nimmt_toml=closed)
        assert not page.exists(), closed
    box.start(nimmt_toml="[web]\non = true\n")
    assert page.exists()
    begin = (ROOT / "packaging/image/root/usr/lib/table/begin").read_text()
    assert f'[ ! -e "$root/{settings.ON}/web" ] || systemctl start --no-block nimmt-web.socket' in begin
    assert "nimmt-web.socket" in DISABLED
    box.start(nimmt_toml="[web]\non = false\n")
    assert not page.exists()


def test_a_file_that_is_gone_has_no_effect_any_more(box: Box) -> None:
    box.start(host_txt="name = other")
    (box.boot / "host.txt").unlink()
    fresh = box.root.parent / "fresh"  # the layer in memory is empty at each start
    (fresh / "etc/nimmt").mkdir(parents=True)
    assert settings.apply(box.boot, fresh) == []
    assert [one.name for one in fresh.rglob("*") if one.is_file()] == []


def test_a_card_that_cannot_be_applied_is_said(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    (box.boot / "host.txt").write_text("name = a")
    nowhere = box.root / "etc/shadow"
    assert main(["card", "settings", "--boot", str(box.boot), "--root", str(nowhere)]) == 1
    assert "cannot be applied" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content", ["[[", '[["oled", {}, {}]]', '[["oled", {"text": "{a}"}, {"text": 1}]]', "{}"]
)
def test_a_damaged_file_of_faults_stops_no_start(tmp_path: Path, content: str) -> None:
    (tmp_path / "faults.json").write_text(content)
    assert faults.kept(tmp_path / "faults.json") == []
