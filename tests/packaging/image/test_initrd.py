"""The initrd: a cpio archive that Linux can unpack, with the modules in an order that can be loaded."""

import lzma
import subprocess
from pathlib import Path

import pytest
from image.commands import CannotBuild
from image.initrd import SCRIPT, in_order, initrd, lay

from tests.packaging.image.debian_tools import EPOCH, needs

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
