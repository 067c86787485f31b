"""What the box knows of its slots: U-Boot's variables, which version is on trial, who may write."""

import subprocess
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from image.card import write_boot_partition
from image.layout import MIB

from companion.text.errors import CompanionError
from firmware.flashed import uboot_env
from firmware.flashed.slots import repair_device
from firmware.flashed.versions import is_older
from tests.firmware.flashed.flashed_card import FlashedCard
from tests.packaging.image.debian_tools import EPOCH, needs
from tests.packaging.try_image.card_file import DIRTY_AT


def test_a_slot_that_is_not_confirmed_is_on_trial(tmp_path: Path) -> None:
    flashed = FlashedCard(tmp_path)
    assert (flashed.card.running, flashed.card.confirmed, flashed.card.on_trial) == ("a", "a", False)
    flashed.set_env({"nimmt_slot": "a", "nimmt_try": "b"})
    assert (flashed.card.tried, flashed.restart()) == ("b", "b")
    assert (flashed.card.tried, flashed.card.on_trial) == (None, True)


@needs("mkfs.vfat", "mcopy", "mdir")
def test_a_lost_power_supply_leaves_no_trace_in_the_file_system_after_a_repair(tmp_path: Path) -> None:
    card, file = tmp_path / "card", tmp_path / "root.sfs"
    file.write_bytes(b"half of a root" * 1000)
    write_boot_partition({"root.sfs": file}, card, EPOCH, 64 * MIB)
    whole = card.read_bytes()
    with card.open("r+b") as raw:
        raw.seek(DIRTY_AT)
        raw.write(b"\1")  # it was being written
        raw.seek(whole.index(b"ROOT    SFS"))
        raw.write(b"\xe5")  # its name is gone, its clusters are not
    repair_device(card)
    assert card.read_bytes()[DIRTY_AT] == 0
    assert (
        subprocess.run(["/usr/sbin/fsck.vfat", "-n", card], capture_output=True, check=False).returncode == 0
    )
    listed = subprocess.run(["mdir", "-b", "-i", card], capture_output=True, text=True, check=True).stdout
    assert "root.sfs" not in listed
    (tmp_path / "text").write_text("no file system")
    with pytest.raises(OSError, match=r"."):
        repair_device(tmp_path / "text")


def test_u_boots_variables_are_read_and_written_as_u_boot_does(tmp_path: Path) -> None:
    file = tmp_path / "uboot.env"
    # CRC-32 (little-endian) and texts as mkenvimage -s 64 writes them
    made = uboot_env.written({"bootdelay": "-2", "nimmt_slot": "a"}, 64)
    assert len(made) == 64
    assert made[4:] == b"bootdelay=-2\0nimmt_slot=a\0".ljust(60, b"\0")
    file.write_bytes(made)
    uboot_env.change(file, {"nimmt_try": "b", "bootdelay": ""})
    assert uboot_env.read(file) == {"nimmt_slot": "a", "nimmt_try": "b"}
    assert len(file.read_bytes()) == 64
    with pytest.raises(CompanionError, match="no room"):
        uboot_env.change(file, {"long": "x" * 60})
    assert uboot_env.read(file) == {"nimmt_slot": "a", "nimmt_try": "b"}


def test_who_writes_to_the_card_waits_for_the_other(tmp_path: Path) -> None:
    flashed = FlashedCard(tmp_path)
    begun = threading.Event()

    def other() -> None:
        begun.set()
        with flashed.card.writable():
            pass

    waits = threading.Thread(target=other)
    with flashed.card.writable():
        waits.start()
        begun.wait()
        waits.join(0.05)
        assert waits.is_alive()
        assert flashed.mounted == ["rw"]
    waits.join()
    assert flashed.mounted == ["rw", "ro", "rw", "ro"]


RISING = (  # as Debian says, whose packages the box is made of
    "0.1.0",
    "0.9.0",
    "0.9.1",
    "0.10.0~dev1",
    "0.10.0~rc1",
    "0.10.0~rc2",
    "0.10.0~rc10",
    "0.10.0",
    "0.10.0a",
    "0.10.0+deb1",
    "0.10.0.1",
    "1.0~~",
    "1.0~",
    "1.0",
    "2.0.0",
    "10.0.0",
)


def test_versions_rise_and_none_is_older_than_itself() -> None:
    for older, newer in pairwise(RISING):
        assert is_older(older, newer), (older, newer)
        assert not is_older(newer, older)
    assert not is_older("1.0", "1.00")
    assert not is_older("1.00", "1.0")
