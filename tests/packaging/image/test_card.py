"""The partitions of the card and its initrd, made of small parts and read back by Debian's own tools."""

import lzma
import re
import subprocess
from pathlib import Path

import pytest
from image import card, uboot
from image.commands import CannotBuild
from image.initrd import SCRIPT, in_order, initrd, lay
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


BUSYBOX = b"\x7fELF busybox"


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """The folder of a small kernel: some modules packed, one built in, ext4 needs two others."""
    folder = tmp_path / "6.12-arm64"
    needs_of = {
        "kernel/fs/ext4/ext4.ko.xz": "kernel/fs/jbd2/jbd2.ko.xz kernel/lib/crc16.ko",
        "kernel/fs/jbd2/jbd2.ko.xz": "",
        "kernel/lib/crc16.ko": "",
        **{
            f"kernel/other/{name}.ko": ""
            for name in ("sdhci-iproc", "bcm2835", "squashfs", "overlay", "vfat")
        },
        "kernel/other/never-asked-for.ko": "",
    }
    for file in needs_of:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        content = path.name.encode()
        path.write_bytes(lzma.compress(content) if path.suffix == ".xz" else content)
    (folder / "modules.dep").write_text("".join(f"{file}: {needed}\n" for file, needed in needs_of.items()))
    (folder / "modules.builtin").write_text("kernel/drivers/block/loop.ko\n")
    return folder


@needs("cpio", "zstd")
def test_the_same_files_give_the_same_bytes_which_belong_to_root(modules: Path, tmp_path: Path) -> None:
    busybox = tmp_path / "busybox"
    busybox.write_bytes(BUSYBOX)
    made = initrd(modules, busybox, tmp_path / "one", EPOCH)
    busybox.touch()
    (tmp_path / "two").mkdir(mode=0o700)
    assert made == initrd(modules, busybox, tmp_path / "two/initrd", EPOCH)
    packed = subprocess.run(["zstd", "-dc"], input=made, capture_output=True, check=True).stdout
    listed = subprocess.run(["cpio", "-tvn", "--quiet"], input=packed, capture_output=True, check=True)
    lines = [line.split() for line in listed.stdout.decode().splitlines()]
    assert {(line[0].lstrip("-d"), *line[2:4]) for line in lines} == {("rwxr-xr-x", "0", "0")}
    assert {"init", "bin/busybox", "modules/ext4.ko", "dev"} <= {line[-1] for line in lines}


def test_a_kernel_that_cannot_reach_the_card_is_refused(modules: Path) -> None:
    listed = modules / "modules.dep"
    kept = [line for line in listed.read_text().splitlines() if "squashfs" not in line]
    listed.write_text("\n".join(kept))
    with pytest.raises(CannotBuild, match="squashfs"):
        lay(modules, BUSYBOX, b"", modules / "initrd")


def test_a_module_comes_once_and_after_those_that_it_needs() -> None:
    needs_of = {"a.ko": ["b.ko", "c.ko"], "b.ko": ["c.ko"], "c.ko": [], "d-e.ko": ["c.ko"]}
    assert in_order(["a", "d_e", "unknown"], needs_of) == ["c.ko", "b.ko", "a.ko", "d-e.ko"]


def test_only_root_may_read_the_files_of_the_card() -> None:
    mount = next(line for line in SCRIPT.read_text().splitlines() if line.startswith("mount -t vfat"))
    assert "fmask=177" in mount  # wifi.txt has a password
    assert "dmask=022" in mount
