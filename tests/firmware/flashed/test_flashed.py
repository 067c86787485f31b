"""What the box knows of its slots: U-Boot's variables, which version is on trial, who may write."""

import threading
from pathlib import Path

import pytest

from companion.text.errors import CompanionError
from firmware.flashed import uboot_env
from firmware.flashed.slots import BootPartition
from tests.firmware.flashed.flashed_card import FlashedCard


def test_a_slot_that_is_not_confirmed_is_on_trial(tmp_path: Path) -> None:
    flashed = FlashedCard(tmp_path)
    assert (flashed.card.running, flashed.card.confirmed, flashed.card.on_trial) == ("a", "a", False)
    flashed.set_env({"nimmt_slot": "a", "nimmt_try": "b"})
    assert (flashed.card.tried, flashed.restart()) == ("b", "b")
    assert (flashed.card.tried, flashed.card.on_trial) == (None, True)
    flashed.env.write_bytes(b"damaged")  # U-Boot cannot read it either
    assert not flashed.card.on_trial


def test_a_machine_that_was_not_flashed_has_no_slot_and_nothing_on_trial(tmp_path: Path) -> None:
    (tmp_path / "cmdline").write_text("console=tty0 nimmt.slot=c")
    for file in ("cmdline", "none"):
        card = BootPartition(tmp_path, tmp_path / file)
        assert (card.running, card.on_trial) == (None, False)


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
