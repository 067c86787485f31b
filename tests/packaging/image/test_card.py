"""The partitions of the card, made of small parts and read back by Debian's own tools."""

import re
import subprocess
from pathlib import Path

import pytest
from image import card, uboot
from image.layout import MIB, SECTOR

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
def test_the_boot_partition_has_the_files_and_the_same_bytes(parts: dict[str, Path], tmp_path: Path) -> None:
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


@needs("mkfs.vfat", "mcopy")
def test_the_card_has_the_sheets_to_print_and_names_the_first_of_each_language(tmp_path: Path) -> None:
    files, made = card.for_people(tmp_path, "/1-"), tmp_path / "fat"
    card.write_boot_partition(files, made, EPOCH, SMALL)
    readme = read_back(made, "README.txt").decode()
    first = [name.replace(" > ", "/") for name in re.findall(r"print > \S+ > \S+\.pdf", readme)]
    assert len(first) == sum(language.complete for language in LANGUAGES.values())
    for name in first:
        assert read_back(made, name) == files[name].read_bytes()
        assert files[name].read_bytes().startswith(b"%PDF")
    assert {sheet.name for sheet in ready_files() if "/1-" in sheet.name} <= files.keys()


@needs("mke2fs")
def test_the_data_partition_is_the_same_every_time(tmp_path: Path) -> None:
    made, again = tmp_path / "one", tmp_path / "two"
    card.data_partition(made, EPOCH, 16 * MIB)
    card.data_partition(again, EPOCH, 16 * MIB)
    assert made.read_bytes() == again.read_bytes()
