"""The units of the box beside those of the packages: they start in the right order."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNITS = "usr/lib/systemd/system"


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A root with these units and those of the game, all enabled, and the targets of this machine."""
    for tree in ("image/root", "systemd", "systemd-web"):
        shutil.copytree(ROOT / tree, tmp_path, dirs_exist_ok=True)
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
