"""The built file itself, read back with Debian's tools before anything is started from it."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from image import root
from image.commands import run
from image.layout import OVERLAYS, TREES

from tests.packaging.try_image.card_file import CardFile
from tests.packaging.try_image.device_tree import lacking, with_overlays

if TYPE_CHECKING:
    from tests.packaging.try_image.runs import Bench

_LIBRARIES: Final = "usr/lib/nimmt-companion/lib/python3.13/site-packages"
_READ: Final = (
    *("etc", "usr/lib/modules", "var/lib/dpkg/status", "var/lib/systemd", "usr/share/nimmt"),
    *(f"{_LIBRARIES}/cv2", f"{_LIBRARIES}/firmware/extensions/camera"),
)
_MASK: Final = "/dev/null"


def built(bench: Bench) -> None:
    """Its partitions, its slot, and what a root must have and must not."""
    card = CardFile(bench.image, bench.folder / "card.img")
    wanted = ["config.txt", "u-boot.bin", "boot.scr", "start.elf", "start4.elf", "fixup.dat", "nimmt.toml"]
    wanted += [f"{tree}.dtb" for tree in TREES] + [f"overlays/{name}.dtbo" for name in OVERLAYS]
    lost = [name for name in wanted if not card.exists(name)]
    bench.expect(
        "the files for firmware, U-Boot and people", not lost, f"missing: {lost}" if lost else "are there"
    )
    _trees(bench, card)
    files = _slot(bench, card)
    squashfs, to = bench.folder / "root.sfs", bench.folder / "root"
    squashfs.write_bytes(files["root.sfs"])
    run("unsquashfs", "-no-progress", "-quiet", "-d", to, squashfs, *_READ, epoch=0)
    _root(bench, to, files["kernel"], json.loads(card.read("a/manifest.json"))["version"])
    _parts(bench, to)


def _trees(bench: Bench, card: CardFile) -> None:
    """Every board's own tree takes the overlays of config.txt, and gives the devices what they need."""
    made, wrong = bench.folder / "made.dtb", {}
    for tree in TREES:
        with_overlays(card, f"{tree}.dtb", bench.folder, made)
        if lost := list(lacking(made)):
            wrong[tree] = lost
    bench.expect("I2C, SPI and UART of every board", not wrong, f"not: {wrong}" if wrong else "are there")


def _slot(bench: Bench, card: CardFile) -> dict[str, bytes]:
    """The files of slot a, compared with their list."""
    manifest = json.loads(card.read("a/manifest.json"))
    files = {name: card.read(f"a/{name}") for name in manifest["files"]}
    wrong = [
        name
        for name, said in manifest["files"].items()
        if (len(files[name]), hashlib.sha256(files[name]).hexdigest()) != (said["size"], said["sha256"])
    ]
    bench.expect(
        "slot a", not wrong, f"not as in its list: {wrong}" if wrong else f"is {manifest['version']}"
    )
    return files


def _root(bench: Bench, to: Path, kernel: bytes, version: str) -> None:
    told = (to / "usr/share/nimmt/version").read_text().strip()
    bench.expect("the version in the root", told == version, f"is {told}")
    found = re.search(rb"Linux version (\S+)", gzip.decompress(kernel))
    versions = [folder.name for folder in (to / "usr/lib/modules").iterdir()]
    same = found is not None and versions == [found[1].decode()]
    bench.expect("kernel and modules", same, f"of one version: {versions}")
    lacks = {"uvcvideo.ko", "cv2.abi3.so", "capture.py"} - {file.name for file in to.rglob("*")}
    bench.expect("what a USB camera needs", not lacks, f"missing: {lacks}" if lacks else "is there")
    bench.expect(
        "what no card may have like another", not (bad := list(root.secrets(to))), f"{bad or 'nothing'}"
    )
    units = to / "etc/systemd/system"
    masked = ("ssh.service", "ssh.socket", "getty@tty1.service", "serial-getty@ttyAMA0.service")
    logins = [
        one for one in masked if not ((units / one).is_symlink() and str((units / one).readlink()) == _MASK)
    ]
    bench.expect("logins", not logins, f"{logins or 'none'}")
    key = (to / "usr/share/nimmt/update.pub").exists()
    bench.expect("the key for updates", key is (bench.key is not None), "is there" if key else "is not there")


def _parts(bench: Bench, to: Path) -> None:
    """Every package that dpkg knows in the root is in the list of parts, in its version."""
    file = bench.image.with_suffix(".spdx.json")
    listed = {(one["name"], one["versionInfo"]) for one in json.loads(file.read_bytes())["packages"]}
    status = (to / "var/lib/dpkg/status").read_text()
    there = set(re.findall(r"^Package: (\S+)\n(?:.*\n)*?Version: (\S+)$", status, re.MULTILINE))
    lost = sorted(there - listed - {one for one in there if one[0].startswith("nimmt-")})
    bench.expect(
        "the list of parts", bool(there) and not lost, f"{len(there)} packages; not in it: {lost or 'none'}"
    )
