"""The initrd: a cpio archive that Linux can unpack, with the modules in an order that can be loaded."""

import lzma
import subprocess
from pathlib import Path

import pytest
from image.commands import CannotBuild
from image.initrd import MODULES, SCRIPT, archive, in_order, initrd

from firmware.flashed import uboot_env
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


def unpacked(content: bytes) -> dict[str, tuple[int, bytes]]:
    """Mode and content by name, read as the kernel's documentation of the format says."""
    found: dict[str, tuple[int, bytes]] = {}
    at = 0
    while True:
        assert content[at : at + 6] == b"070701"
        numbers = [int(content[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
        mode, size, length = numbers[1], numbers[6], numbers[11]
        name = content[at + 110 : at + 110 + length - 1].decode()
        at += 110 + length + -(110 + length) % 4
        if name == "TRAILER!!!":
            return found
        found[name] = mode, content[at : at + size]
        at += size + -size % 4


def test_it_holds_what_mounts_the_card_and_nothing_else(modules: Path) -> None:
    found = unpacked(archive(modules, BUSYBOX, SCRIPT.read_bytes()))
    assert found["init"] == (0o100755, SCRIPT.read_bytes())
    assert found["bin/busybox"] == (0o100755, BUSYBOX)
    assert found["dev/console"][0] == 0o020600
    order = found["modules/order"][1].decode().split()
    assert set(order) == {name.removeprefix("modules/") for name in found if name.endswith(".ko")}
    assert "never-asked-for.ko" not in order
    assert order.index("jbd2.ko") < order.index("ext4.ko")
    assert order.index("crc16.ko") < order.index("ext4.ko")
    assert found["modules/ext4.ko"][1] == b"ext4.ko.xz"  # unpacked: busybox hands it to the kernel as it is


@needs("zstd")
def test_the_same_files_give_the_same_bytes(modules: Path, tmp_path: Path) -> None:
    busybox = tmp_path / "busybox"
    busybox.write_bytes(BUSYBOX)
    assert initrd(modules, busybox, EPOCH) == initrd(modules, busybox, EPOCH + 1)


def test_a_kernel_that_cannot_reach_the_card_is_refused(modules: Path) -> None:
    listed = modules / "modules.dep"
    kept = [line for line in listed.read_text().splitlines() if "squashfs" not in line]
    listed.write_text("\n".join(kept))
    with pytest.raises(CannotBuild, match="squashfs"):
        archive(modules, BUSYBOX, b"")


def test_a_module_comes_once_and_after_those_that_it_needs() -> None:
    needs_of = {"a.ko": ["b.ko", "c.ko"], "b.ko": ["c.ko"], "c.ko": [], "d-e.ko": ["c.ko"]}
    assert in_order(["a", "d_e", "unknown"], needs_of) == ["c.ko", "b.ko", "a.ko", "d-e.ko"]


def test_the_script_is_understood_by_every_shell() -> None:
    done = subprocess.run(["sh", "-n", str(SCRIPT)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_card_of_every_board_is_among_the_modules() -> None:
    # Pi 4 and the wireless chip's reader: sdhci-iproc; Pi 3 and Zero 2 W: bcm2835.
    assert {"sdhci-iproc", "bcm2835", "bcm2835_wdt"} <= set(MODULES)


@pytest.mark.parametrize(
    ("variables", "slot", "on_trial"),
    [
        ("nimmt_slot=a", "a", False),
        ("nimmt_slot=a", "b", True),
        ("nimmt_slot=b", "a", True),
        ("x=1", "a", False),
    ],
)
def test_it_marks_a_slot_that_is_not_confirmed(
    tmp_path: Path, *, variables: str, slot: str, on_trial: bool
) -> None:
    script = SCRIPT.read_text()
    begin = script.index("mkdir -p /run/table\n")
    part = script[begin : script.index("fi\n", begin) + 3]
    for folder in ("/boot", "/run"):
        (tmp_path / folder[1:]).mkdir()
        part = part.replace(f"{folder}/", f"{tmp_path}{folder}/")
    made = uboot_env.written(dict([variables.split("=")]), 64)
    (tmp_path / "boot/uboot.env").write_bytes(made)
    subprocess.run(["sh", "-eu", "-c", f"slot={slot}\n{part}"], check=True)
    assert (tmp_path / "run/table/on-trial").exists() is on_trial


def test_only_root_may_read_the_files_of_the_card() -> None:
    mount = next(line for line in SCRIPT.read_text().splitlines() if line.startswith("mount -t vfat"))
    assert "fmask=177" in mount  # wifi.txt has a password
    assert "dmask=022" in mount
