"""The units of the box beside those of the packages: they start in the right order."""

import shutil
import subprocess
from pathlib import Path

import pytest
from image.initrd import MODULES

from firmware.service.clock import Clock
from firmware.service.machine import Sources

ROOT = Path(__file__).parents[3]
UNITS = "usr/lib/systemd/system"


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A root with these units and those of the game, all enabled, and the targets of this machine."""
    for tree in ("packaging/image/root", "systemd/table", "systemd/web"):
        shutil.copytree(ROOT / tree, tmp_path, symlinks=True, dirs_exist_ok=True)
    for target in Path("/", UNITS).glob("*.target"):
        shutil.copy(target, tmp_path / UNITS)
    for program in ("usr/bin/nimmt", "bin/sh", "usr/bin/sh"):
        path = tmp_path / program
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("#!/bin/sh\n")
            path.chmod(0o755)
    return tmp_path


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="apt install systemd")
def test_what_the_first_start_guesses_is_not_kept_on_the_card(box: Path) -> None:
    # What changes before a path is watched does not start its service.
    path = (box / UNITS / "table-keep.path").read_text()
    assert "table-first-start.service" in path.partition("After=")[2].partition("\n")[0]
    enable = ["systemctl", f"--root={box}", "enable", "table-keep.path", "table-first-start.service"]
    assert subprocess.run(enable, capture_output=True, check=False).returncode == 0
    assert (box / "etc/systemd/system/multi-user.target.wants/table-keep.path").is_symlink()
    verify = [
        "systemd-analyze",
        "--man=no",
        f"--root={box}",
        "verify",
        "multi-user.target",
        "table-keep.path",
    ]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert "ordering cycle" not in done.stderr
    assert "table-keep.path" not in done.stderr, done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="apt install systemd")
def test_what_sets_the_clock_may_do_nothing_else(box: Path) -> None:
    verify = [
        "systemd-analyze",
        "--man=no",
        f"--root={box}",
        "verify",
        "table-clock.path",
        "table-clock.service",
    ]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert "table-clock" not in done.stderr, done.stderr
    looks = ["systemd-analyze", "security", "--no-pager", "--offline=true", f"--root={box}", "--threshold=20"]
    done = subprocess.run([*looks, "table-clock.service"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "CAP_SYS_TIME" in (box / UNITS / "table-clock.service").read_text()


def test_the_hardware_watchdog_is_on(box: Path) -> None:
    wanted = Sources().watchdog_wanted.relative_to("/")
    assert "RuntimeWatchdogSec=" in (box / (box / wanted).readlink().relative_to("/")).read_text()
    assert "bcm2835_wdt" in MODULES  # there before systemd looks for it


def test_a_phone_offers_its_time_where_the_page_may_write_and_the_box_looks(box: Path) -> None:
    clock = Clock()
    offered = clock.folder / "offered"
    assert f"PathExists={offered}/time" in (box / UNITS / "table-clock.path").read_text().splitlines()
    sandbox = (box / UNITS / "nimmt-web.service.d/sandbox.conf").read_text().splitlines()
    assert f"ReadWritePaths=-{offered}" in sandbox
    assert f"ReadWritePaths={clock.folder}" in (box / UNITS / "table-clock.service").read_text().splitlines()
    folders = (box / "usr/lib/tmpfiles.d/table-clock.conf").read_text()
    assert f"d {clock.folder} 0755 root root" in folders
    assert f"d {offered} 0775 nimmt root" in folders
