"""Files go to the stick that was plugged in last, whole or not at all, and what is in the way is said."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.text.errors import CompanionError
from firmware.bounded_file import write_whole
from firmware.history.usb_stick import Mount, newest
from tests.firmware.journal.journal_device import ROOT

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


def on_usb(machine: Machine, name: str) -> None:
    """A disk that is there is a link to a device on USB, as in /sys/block."""
    device = machine.blocks.parent / "devices/platform/soc/3f980000.usb/usb1/1-1/1-1:1.0/block" / name
    device.parent.mkdir(parents=True)
    (machine.blocks / name).rename(device)
    (machine.blocks / name).symlink_to(device)


def test_a_drive_on_usb_counts_also_if_it_says_that_it_is_fixed(machine: Machine) -> None:
    machine.disk("sda", "sda1", removable=False)
    on_usb(machine, "sda")
    machine.mount("sda1", "/media/sda1")
    assert machine.newest() == Mount("sda1", Path("/media/sda1"), writable=True)


@pytest.mark.parametrize("removable", [False, True])
def test_the_drive_that_the_machine_runs_from_is_no_stick(machine: Machine, removable: bool) -> None:
    machine.disk("sda", "sda1", "sda2", removable=removable)
    on_usb(machine, "sda")
    machine.mount("sda1", "/boot/firmware")
    machine.mount("sda2", "/")
    assert told(machine).startswith("no USB drive is plugged in")


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


@pytest.mark.parametrize(
    ("number", "reason", "fix"),
    [
        (errno.ENOSPC, "there is no space left", "free some space there"),
        (errno.EROFS, "it is read-only", "unlock it or mount it for writing"),
        (errno.EACCES, "this user has no permission for that", "or use sudo"),
        (errno.ENOTDIR, "a part of its path is not a folder", "choose a folder"),
        (errno.EIO, "the disk reports an error", "try another disk"),
    ],
)
def test_why_a_file_was_not_written_is_said_and_the_old_one_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, reason: str, fix: str
) -> None:
    path = tmp_path / "report.html"
    write_whole(path, b"old")

    def failing(_descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(CompanionError) as refused:
        write_whole(path, b"new")
    assert refused.value.fault == f"{path} cannot be written: {reason}"
    assert fix in refused.value.fix
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("report.html", b"old")]


def test_a_write_that_is_killed_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"before")
    killed = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from firmware.bounded_file import write_whole\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\nwrite_whole(Path(sys.argv[1]), b'after')"
    )
    done = subprocess.run(
        [sys.executable, "-c", killed, str(path)], check=False, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert done.returncode < 0
    assert path.read_bytes() == b"before"
