"""The units of the box beside those of the packages: they start in the right order, and may touch little."""

import re
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from image.initrd import MODULES

from firmware.card.faults import FILE as FAULTS
from firmware.card.first_start import PANELS, PanelFound, names_a_display
from firmware.cli.main import INSTALLED
from firmware.commands.card import NEW_CARD
from firmware.extensions.update.at_table import PROGRESS, REQUEST
from firmware.extensions.update.last_update import FILE as LAST_UPDATE
from firmware.extensions.update.on_drive import MOUNTED
from firmware.flashed.slots import BOOT, ON_TRIAL
from firmware.service.clock import Clock
from firmware.service.machine import Sources
from hardware.boards import BOARDS
from tests.systemd.test_units import SANDBOX, installed, looked_at, settings

ROOT = Path(__file__).parents[3]
UNITS = "usr/lib/systemd/system"
OURS = ROOT / "packaging/image/root" / UNITS
EXPOSURE = {
    "table-clock.service": 20,
    "table-confirm.service": 25,
    "table-first-picture.service": 15,
    "table-first-start.service": 25,
    "table-grow.service": 25,
    "table-keep.service": 25,
    "table-light.service": 20,
    "table-settings.service": 20,
    "table-ssh.service": 30,
    "table-stick@.service": 40,
    "table-update.service": 30,
}
"""How much a unit may touch at most, in tenths of the scale of `systemd-analyze security`."""


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A root with these units and those of the game, all enabled."""
    trees = [ROOT / tree for tree in ("packaging/image/root", "systemd/table", "systemd/web")]
    names = ("nimmt", "sh", "mount", "umount", "rmdir", "touch", "timeout")
    programs = [*(f"usr/bin/{name}" for name in names), "bin/sh", "bin/kill", "usr/sbin/sshd"]
    return installed(tmp_path, trees, programs)


def test_what_the_first_start_guesses_is_not_kept_on_the_card(box: Path) -> None:
    # What changes before a path is watched does not start its service.
    path = (box / UNITS / "table-keep.path").read_text()
    assert "table-first-start.service" in path.partition("After=")[2].partition("\n")[0]


@pytest.mark.parametrize("unit", EXPOSURE)
def test_systemd_understands_a_unit_and_finds_that_it_may_touch_little(box: Path, unit: str) -> None:
    looked_at(box, unit.replace("@", "@sda1"), tenths=EXPOSURE[unit])


def test_every_unit_of_the_card_has_a_limit() -> None:
    assert {file.name for file in OURS.glob("*.service")} == EXPOSURE.keys()


def unit(name: str) -> dict[str, list[str]]:
    """The settings of a unit with those of its sandbox; the words of each line one by one."""
    own = OURS / f"table-{name}.service.d/sandbox.conf"
    sandbox = own if own.exists() else OURS / "table-.service.d/sandbox.conf"
    found = settings(OURS / f"table-{name}.service", sandbox)
    return {
        key: [word.lstrip("-") for line in lines for word in line.split()] for key, lines in found.items()
    }


def test_a_unit_may_write_what_its_program_writes() -> None:
    last, faults = LAST_UPDATE.parent, FAULTS.parent
    writes = {
        "settings": {Path("/etc"), Path("/root"), last, faults},
        "update": {BOOT, last, REQUEST.parent, PROGRESS.parent},
        "keep": {BOOT},
        "confirm": {BOOT, last, ON_TRIAL.parent},
        "first-start": {BOOT, INSTALLED.parent},
        "clock": {Clock().folder},
    }
    for name, folders in writes.items():
        found = unit(name)
        assert found["ProtectSystem"] == ["strict"]
        runtime = {Path("/run", folder) for folder in found.get("RuntimeDirectory", ())}
        assert set(map(Path, found["ReadWritePaths"])) | runtime == folders, name
        # Only with this right the first partition can be mounted for writing.
        rights = "CAP_SYS_ADMIN" in found["CapabilityBoundingSet"], "@mount" in found["SystemCallFilter"]
        assert rights == (BOOT in folders, BOOT in folders), name
    # Who looks whether the game is alive must see its process.
    for name in ("update", "confirm", "light"):
        assert not unit(name).keys() & {"ProtectProc", "ProcSubset"}


def test_the_first_start_tries_the_devices_that_the_game_may_have() -> None:
    found = settings(OURS / "table-first-start.service")
    assert found["DeviceAllow"] == settings(SANDBOX)["DeviceAllow"]


@pytest.mark.parametrize(
    "text",
    [
        (ROOT / "packaging/image/card/nimmt.toml").read_text(),
        'board = "hand-wired"\n',
        '[scanner]\ndriver = "auto"\n\n[display]\nchip = "sh1106"\n',
        '# board = "hand-wired"\n# [display]\n',
        'board = ""\n',
        *(PanelFound(panel).added_to("[table]\nnames = []\n") for panel in PANELS),
        *(PanelFound(one.display, one).added_to("[table]\nnames = []\n") for one in BOARDS),
    ],
)
def test_a_start_finds_out_without_the_program_whether_a_display_is_named(tmp_path: Path, text: str) -> None:
    assert begun(tmp_path, {"etc/nimmt/nimmt.toml": text}) == []
    assert (tmp_path / "run/table/display").exists() is names_a_display(tomllib.loads(text))


def begun(root: Path, files: Mapping[str, str]) -> list[str]:
    """What is started where these files are in the root when the settings of the card are applied."""
    usual = {"etc/hostname": "corner\n", "proc/sys/kernel/hostname": "", "etc/nimmt/nimmt.toml": ""}
    for name, text in {**usual, "run/table/last": "", **files}.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    systemctl = root / "bin/systemctl"
    systemctl.parent.mkdir()
    systemctl.write_text(f'#!/bin/sh\necho "$*" >>{root}/asked\n')
    systemctl.chmod(0o755)
    words = [OURS.parents[1] / "table/begin", root]
    done = subprocess.run(
        words, env={"PATH": f"{systemctl.parent}:/usr/bin:/bin"}, capture_output=True, check=True
    )
    assert done.stderr == b""
    assert (root / "proc/sys/kernel/hostname").read_text() == "corner\n"
    asked = root / "asked"
    return asked.read_text().splitlines() if asked.exists() else []


def test_what_the_settings_ask_for_begins_and_nothing_else(tmp_path: Path) -> None:
    for name, file, of_it in (
        ("wifi", "etc/wpa_supplicant/wpa_supplicant-wlan0.conf", "wpa_supplicant@wlan0.service"),
        ("ssh", "root/.ssh/authorized_keys", "table-ssh.service"),
        ("page", "run/table/on/web", "nimmt-web.socket"),
    ):
        (tmp_path / name).mkdir()
        assert begun(tmp_path / name, {file: ""}) == [f"start --no-block {of_it}"]


def test_udev_waits_for_the_first_picture_of_a_new_card_but_not_for_long() -> None:
    waits, note = settings(OURS / "table-first-picture.service"), Path("/", NEW_CARD)
    assert waits["ConditionPathExists"] == [str(note)]
    assert {"systemd-udevd.service", "systemd-udev-trigger.service"} <= set(waits["Before"][0].split())
    (start,) = waits["ExecStart"]
    assert re.fullmatch(rf"-/usr/bin/timeout \d\d /usr/bin/cat {note}", start)


def test_a_stick_is_mounted_with_every_file_system_that_is_known() -> None:
    (start,) = settings(OURS / "table-stick@.service")["ExecStart"]
    mounted = re.findall(r"mount -t (\S+)", start)
    assert tuple(kind for kinds in mounted for kind in kinds.split(",")) == MOUNTED
    rule = (ROOT / "packaging/image/root/etc/udev/rules.d/80-table-stick.rules").read_text()
    assert f'ENV{{ID_FS_TYPE}}=="{"|".join(MOUNTED)}"' in rule


def test_whoever_logs_in_gets_a_process_without_the_limits_of_the_daemon() -> None:
    said = (ROOT / "packaging/image/root/etc/ssh/table_sshd_config").read_text().splitlines()
    login = ROOT / "packaging/image/root/usr/lib/table/login"
    assert "ForceCommand /usr/lib/table/login" in said
    assert not [line for line in said if "internal-sftp" in line]  # it would be run by the daemon itself
    assert login.stat().st_mode & 0o111


def test_the_hardware_watchdog_is_on(box: Path) -> None:
    wanted = Sources().watchdog_wanted.relative_to("/")
    assert "RuntimeWatchdogSec=" in (box / (box / wanted).readlink().relative_to("/")).read_text()
    assert "bcm2835_wdt" in MODULES  # there before systemd looks for it
