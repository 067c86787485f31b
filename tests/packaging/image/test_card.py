"""The partitions of the card, made of small parts and read back by Debian's own tools."""

import re
import struct
import subprocess
from pathlib import Path

import pytest
from image import card, uboot
from image.layout import BOOT_SIZE, DATA_LABEL, DATA_SIZE, DATA_UUID, DISK_ID, MIB, SECTOR, START

from firmware.paper.ready_sheets import ready_files
from firmware.text.translation import LANGUAGES
from tests.packaging.image.debian_tools import EPOCH, needs

SMALL = 64 * MIB


@pytest.fixture
def parts(tmp_path: Path) -> dict[str, Path]:
    """Files as on a card, but small."""
    made = {}
    for name, content in {
        "config.txt": b"arm_64bit=1\n",
        "uboot.env": uboot.environment(),
        "a/kernel": b"kernel",
        "a/root.sfs": bytes(range(256)) * 5000,
        "a/deeper/still/file.with-a-long-name.dtbo": b"tree",
        "b/empty.txt": b"",
    }.items():
        made[name] = tmp_path / name.replace("/", "-")
        made[name].write_bytes(content)
    return made


def read_back(card_file: Path, name: str, at: int = 0) -> bytes:
    """A file from the FAT that begins there."""
    where = f"{card_file}@@{at}"
    return subprocess.run(["mtype", "-i", where, f"::{name}"], check=True, capture_output=True).stdout


@needs("mkfs.vfat", "mcopy")
def test_the_boot_partition_holds_the_files_and_is_the_same_every_time(
    parts: dict[str, Path], tmp_path: Path
) -> None:
    made, again = tmp_path / "one", tmp_path / "two"
    card.write_boot_partition(parts, made, EPOCH, SMALL)
    for file in parts.values():
        file.touch()  # when they were written does not count
    card.write_boot_partition(dict(reversed(parts.items())), again, EPOCH, SMALL)
    assert made.read_bytes() == again.read_bytes()
    for name, file in parts.items():
        assert read_back(made, name) == file.read_bytes()
    sector = made.read_bytes()[:SECTOR]
    assert sector[82:90] == b"FAT32   "
    assert sector[71:82].rstrip() == b"NIMMT"


@pytest.mark.slow
@needs("mkfs.vfat", "mcopy")
def test_the_card_has_the_sheets_to_print_and_names_the_first_of_each_language(tmp_path: Path) -> None:
    files, made = card.for_people(tmp_path), tmp_path / "fat"
    card.write_boot_partition(files, made, EPOCH, SMALL)
    readme = read_back(made, "README.txt").decode()
    first = [name.replace(" > ", "/") for name in re.findall(r"print > \S+ > \S+\.pdf", readme)]
    assert len(first) == sum(language.complete for language in LANGUAGES.values())
    for name in first:
        assert read_back(made, name) == files[name].read_bytes()
        assert files[name].read_bytes().startswith(b"%PDF")
    assert {name for name in files if name.startswith("print/")} == {sheet.name for sheet in ready_files()}


@needs("mkfs.vfat", "mcopy", "mke2fs")
def test_the_parts_lie_where_the_table_says(parts: dict[str, Path], tmp_path: Path) -> None:
    boot, data, whole = tmp_path / "boot", tmp_path / "data", tmp_path / "card.img"
    card.write_boot_partition(parts, boot, EPOCH, SMALL)
    card.data_partition(data, EPOCH, 16 * MIB)
    card.write(boot, data, whole)
    content = whole.read_bytes()
    assert content[440:444] == DISK_ID.to_bytes(4, "little")
    entries = [struct.unpack("<B3sB3sII", content[446 + 16 * i : 462 + 16 * i]) for i in range(2)]
    assert [(one[0], one[2]) for one in entries] == [(0x80, 0x0C), (0, 0x83)]
    first, second = ((one[4] * SECTOR, one[5] * SECTOR) for one in entries)
    assert first == (START, SMALL)
    assert second == (START + SMALL, 16 * MIB)
    assert len(content) == sum(second)
    assert read_back(whole, "a/root.sfs", first[0]) == parts["a/root.sfs"].read_bytes()
    assert content[second[0] :] == data.read_bytes()


@needs("mke2fs")
def test_the_data_partition_is_the_same_every_time_and_empty(tmp_path: Path) -> None:
    made, again = tmp_path / "one", tmp_path / "two"
    card.data_partition(made, EPOCH, 16 * MIB)
    card.data_partition(again, EPOCH, 16 * MIB)
    assert made.read_bytes() == again.read_bytes()
    said = subprocess.run(
        ["/sbin/dumpe2fs", "-h", str(made)], check=True, capture_output=True, text=True
    ).stdout
    assert DATA_UUID in said
    assert DATA_LABEL in said


def test_the_whole_card_fits_on_the_smallest_one_that_is_sold() -> None:
    table = card.table(BOOT_SIZE, DATA_SIZE)
    assert len(table) == SECTOR
    assert table[510:] == b"\x55\xaa"
    assert START + BOOT_SIZE + DATA_SIZE < 4_000_000_000
