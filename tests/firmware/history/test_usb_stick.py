"""Files go to the stick that was plugged in last, whole or not at all, and what is in the way is said."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.text.errors import CompanionError
from firmware.history.atomic_file import write_whole
from firmware.history.usb_stick import Mount, newest
from tests.firmware.journal.journal_device import NOBODY, ROOT

SYSTEM = (
    "proc /proc proc rw 0 0\n"
    "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n"
    "/dev/mmcblk0p1 /boot/firmware vfat rw 0 0\n"
    "tmpfs /run tmpfs rw 0 0\n"
)


class Machine:
    """Tables and folders such as the kernel shows them."""

    def __init__(self, folder: Path) -> None:
        self.mounts, self.blocks = folder / "mounts", folder / "block"
        self.mounts.write_text(SYSTEM)
        self.disk("mmcblk0", "mmcblk0p1", "mmcblk0p2", removable=False)
        (self.blocks / "loop0").mkdir()  # has no such files

    def disk(self, name: str, *parts: str, removable: bool = True, size: int = 15_000_000) -> None:
        for part in parts:
            (self.blocks / name / part).mkdir(parents=True)
            (self.blocks / name / part / "partition").write_text("1\n")
        (self.blocks / name).mkdir(parents=True, exist_ok=True)
        (self.blocks / name / "removable").write_text(f"{int(removable)}\n")
        (self.blocks / name / "size").write_text(f"{size}\n")

    def mount(self, device: str, folder: str, options: str = "rw,nosuid,uid=1000") -> None:
        with self.mounts.open("a") as table:
            table.write(f"/dev/{device} {folder} vfat {options} 0 0\n")

    def newest(self) -> Mount:
        return newest(self.mounts, self.blocks)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


STICKS = {
    "the stick that was mounted last": (
        [("sda", "sda1", "sda2"), ("sdb", "sdb1")],
        [("sdb1", "/media/older"), ("sda1", "/media/newer")],
        Mount("sda1", Path("/media/newer"), writable=True),
    ),
    "a stick without partitions": ([("sda",)], [("sda", "/mnt")], Mount("sda", Path("/mnt"), writable=True)),
    "a name with a blank as it is": (
        [("sda", "sda1")],
        [("sda1", r"/media/my\040stick\134")],
        Mount("sda1", Path("/media/my stick\\"), writable=True),
    ),
    "one that can be written rather than another": (
        [("sda", "sda1"), ("sdb", "sdb1")],
        [("sda1", "/media/good"), ("sdb1", "/media/locked", "ro,nosuid")],
        Mount("sda1", Path("/media/good"), writable=True),
    ),
}


@pytest.mark.parametrize(("disks", "mounts", "taken"), STICKS.values(), ids=STICKS)
def test_the_stick_that_is_taken(
    machine: Machine, disks: list[tuple[str, ...]], mounts: list[tuple[str, ...]], taken: Mount
) -> None:
    for disk in disks:
        machine.disk(*disk)
    for mount in mounts:
        machine.mount(*mount)
    assert machine.newest() == taken


def told(machine: Machine) -> str:
    with pytest.raises(CompanionError) as refused:
        machine.newest()
    return f"{refused.value.fault} ({refused.value.fix})"


def test_no_stick_at_all_is_said(machine: Machine) -> None:
    machine.disk("sdc", size=0)  # a reader without a card
    assert told(machine).startswith("no USB drive is plugged in (plug one in")


def test_a_stick_that_is_not_mounted_is_named_with_the_command_that_mounts_it(machine: Machine) -> None:
    machine.disk("sda", "sda1")
    assert told(machine) == (
        "a USB drive is plugged in (sda1), but it is not mounted (mount it: sudo mount /dev/sda1 /mnt; "
        "or give a folder with --to)"
    )


def test_a_stick_that_can_only_be_read_is_named(machine: Machine) -> None:
    machine.disk("sda", "sda1")
    machine.mount("sda1", "/media/locked", "ro,nosuid,rwx")
    assert "the USB drive at /media/locked is read-only (unlock its write-protect switch" in told(machine)


def test_the_disk_of_the_device_is_no_stick(machine: Machine) -> None:
    machine.disk("sda", "sda1", removable=False)
    machine.mount("sda1", "/media/backup")
    assert "no USB drive" in told(machine)


def test_a_machine_that_shows_no_mounts_is_said(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="cannot be read"):
        newest(tmp_path / "none", tmp_path)


# --- whole files


def test_a_file_takes_the_place_of_the_old_one_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    for content in (b"old", b"new"):
        write_whole(path, content)
    assert path.read_bytes() == b"new"
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert path.stat().st_mode & 0o777 == 0o644


def test_who_has_the_old_file_open_goes_on_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_whole(path, b"old")
    with path.open("rb") as file:
        write_whole(path, b"new")
        assert file.read() == b"old"


PROGRAM = """
import sys
from pathlib import Path
from companion.text.errors import CompanionError
from firmware.history.atomic_file import write_whole
try:
    write_whole(Path(sys.argv[1]), bytes(int(sys.argv[2])))
except CompanionError as bad:
    print(bad)
"""


def written_in(setup: str, disk: Path, size: int) -> str:
    """What writing so many bytes says on a small disk that vanishes afterwards; then what lies there."""
    alone = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    script = f'{setup} && "$@" && ls -A {disk} && cat {disk}/old'
    words = ["sh", sys.executable, "-c", PROGRAM, str(disk / "old"), str(size)]
    try:
        subprocess.run([*alone, f"mount -t tmpfs none {disk}"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this machine lets nobody mount a small disk")
    done = subprocess.run(
        [*alone, script, *words],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return done.stdout


def test_on_a_full_stick_the_old_file_stays_and_nothing_else(tmp_path: Path) -> None:
    setup = f"mount -t tmpfs -o size=64k none {tmp_path} && echo before > {tmp_path}/old"
    said = written_in(setup, tmp_path, 200_000).splitlines()
    assert (
        "was not written: there is no space left (free some space there, or choose another place" in said[0]
    )
    assert said[1:] == ["old", "before"]


def test_on_a_stick_that_is_locked_the_old_file_stays(tmp_path: Path) -> None:
    setup = (
        f"mount -t tmpfs none {tmp_path} && echo before > {tmp_path}/old"
        f" && mount -o remount,ro none {tmp_path}"
    )
    said = written_in(setup, tmp_path, 10).splitlines()
    assert "was not written: it is read-only" in said[0]
    assert said[1:] == ["old", "before"]


def test_a_folder_of_somebody_else_is_said(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o755)
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    become = f"import os; os.setgid({NOBODY}); os.setuid({NOBODY})\n"
    early = "import sys; sys.path.insert(0, sys.argv[3])\n"
    imports = "import tempfile, companion.text.errors, firmware.history.atomic_file\n"
    done = subprocess.run(
        [sys.executable, "-c", early + imports + become + PROGRAM, str(folder / "new"), "3", str(ROOT)],
        check=True,
        capture_output=True,
        text=True,
    )
    assert "was not written: this user has no permission to write there" in done.stdout


def test_a_write_that_is_killed_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"before")
    killed = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from firmware.history.atomic_file import write_whole\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\nwrite_whole(Path(sys.argv[1]), b'after')"
    )
    done = subprocess.run(
        [sys.executable, "-c", killed, str(path)],
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode < 0
    assert path.read_bytes() == b"before"
