"""Build the card file, the update file, the parts list and their checksums into dist/.

    python -m image [--key FILE] [--trust FILE] [--lock] dist/nimmt-companion_VERSION_arm64.deb [others]

Runs on any Debian, as root, with Debian's packages alone. The first build takes a quarter of an hour, for the
programs of arm64 are emulated; what depends on packages.lock only is kept in build/image.
"""

import argparse
import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from image import card, lock, parts_list, root, uboot, update_file
from image.base import Base, base
from image.commands import PACKAGES, CannotBuild, missing, run
from image.initrd import initrd
from image.kernel import overlays, trees, with_depmod
from image.layout import ARCH, HERE, MIB
from image.update_file import slot

WORK: Final = Path("build/image")
MOST_BYTES: Final = 160_000_000
"""How large the packed card may be: people download it."""
FIRMWARE: Final = ("bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat")
U_BOOT: Final = "usr/lib/u-boot/rpi_arm64/u-boot.bin"


@dataclass(frozen=True, slots=True)
class Build:
    """What is built: our packages, the game's first, and what the results are called."""

    debs: tuple[Path, ...]
    key: Path | None
    trust: tuple[Path, ...]
    epoch: int
    version: str
    dist: Path

    def named(self, ending: str) -> Path:
        return self.dist / f"nimmt-{self.version}-{ARCH}.{ending}"


def main() -> int:
    """Build it; 0 if all is there, 2 if something is missing or wrong."""
    words = argparse.ArgumentParser(prog="python -m image", description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--key", type=Path, help="a private Ed25519 key in PEM; without it nothing is signed")
    words.add_argument(
        "--trust",
        type=Path,
        action="append",
        default=[],
        help="a public key whose updates the box takes, too",
    )
    words.add_argument("--lock", action="store_true", help="take today's versions of Debian's packages")
    words.add_argument("--dist", type=Path, default=Path("dist"), help="where the results go")
    words.add_argument("debs", type=Path, nargs="+", metavar="deb")
    given = words.parse_args()
    try:
        _ready()
        build = _build(tuple(given.debs), given.key, tuple(given.trust), given.dist)
        _make(build, new_lock=given.lock)
    except CannotBuild as why:
        sys.stderr.write(f"The image cannot be built: {why}\n")
        return 2
    return 0


def _ready() -> None:
    """Raises `CannotBuild` where this machine cannot do it."""
    if needed := missing(PACKAGES):
        raise CannotBuild(f"programs are missing. On Debian: apt install {' '.join(needed)}")
    if os.geteuid():
        raise CannotBuild("it needs root, for files that belong to others, and to run programs for arm64")
    registered = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
    if not registered.exists():
        with suppress(CannotBuild):
            run("mount", "-t", "binfmt_misc", "binfmt_misc", registered.parent, epoch=0)
        with suppress(CannotBuild):
            run("update-binfmts", "--enable", "qemu-aarch64", epoch=0)
    if not registered.exists():
        raise CannotBuild(
            "this machine cannot run programs for arm64: see update-binfmts --display qemu-aarch64"
        )


def _build(debs: tuple[Path, ...], key: Path | None, trust: tuple[Path, ...], dist: Path) -> Build:
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct", epoch=0).decode()
    for deb in debs:
        if _field(deb, "Architecture") != ARCH:
            raise CannotBuild(f"{deb.name} is not for {ARCH}: make deb ARCH={ARCH}")
    version, *others = dict.fromkeys(_field(deb, "Version") for deb in debs)
    if others:
        raise CannotBuild(f"the packages are of several versions: {', '.join((version, *others))}")
    for file in (key, *trust):
        if file is not None and not file.is_file():
            raise CannotBuild(f"there is no key {file}")
    return Build(debs, key, trust, int(epoch), version, dist)


def _field(deb: Path, name: str) -> str:
    return run("dpkg-deb", "--field", deb, name, epoch=0).decode().strip()


def _make(build: Build, *, new_lock: bool) -> None:
    WORK.mkdir(parents=True, exist_ok=True)
    build.dist.mkdir(parents=True, exist_ok=True)
    for old in set(build.dist.glob(f"nimmt-*-{ARCH}.*")) - set(build.dist.glob(build.named("*").name)):
        old.unlink()  # that folder holds one version
    _say("Debian's packages (a few minutes if they are not here yet)")
    debian = base(WORK, new_lock=new_lock)
    with tempfile.TemporaryDirectory(prefix="build-", dir=WORK) as place:
        work = Path(place)
        _say("the root, with our packages")
        box = work / "root"
        said = {"version": f"{build.version}\n".encode()}
        if keys := update_file.trusted(build.key, build.trust):
            said["update.pub"] = keys
        root.dress(debian, build.debs, said, box, build.epoch)
        root.squash(box, work / "root.sfs", build.epoch)
        modules = with_depmod(debian.boot / "usr/lib/modules" / debian.kernel_version, build.epoch)
        _say("the slot and the card")
        made = slot(
            build.version,
            debian.boot / f"boot/vmlinuz-{debian.kernel_version}",
            initrd(modules, debian.boot / "usr/bin/busybox", work / "initrd", build.epoch),
            work / "root.sfs",
            work / "slot",
        )
        _write_card(build, debian, work)
        update_file.write(made, build.named("update"), build.key, build.epoch)
        packages = [*debian.packages(lock.INSTALLED), *debian.packages(lock.TAKEN_APART)]
        parts = [*parts_list.debian(packages), *parts_list.libraries(box), *parts_list.bundled(box)]
        parts += parts_list.fonts(box)
        build.named("spdx.json").write_bytes(
            parts_list.document("nimmt-companion-image", build.version, parts, build.epoch)
        )
    _checksums(build, [build.named(ending) for ending in ("img.gz", "update", "spdx.json")])


def _write_card(build: Build, debian: Base, work: Path) -> None:
    files = {name: debian.boot / "usr/lib/raspi-firmware" / name for name in FIRMWARE}
    files["LICENCE.firmware.txt"] = debian.boot / "usr/share/doc/raspi-firmware/copyright"
    files["u-boot.bin"] = debian.boot / U_BOOT
    files |= trees(debian.boot, debian.kernel_version)
    files |= overlays(work / "overlays", build.epoch)
    files |= {f"a/{file.name}": file for file in (work / "slot").iterdir()}
    for name, content in (
        ("uboot.env", uboot.environment()),
        ("boot.scr", uboot.boot_script(work, build.epoch)),
        ("b/empty.txt", b"The next update is written here.\r\n"),
    ):
        file = work / name.replace("/", "-")
        file.write_bytes(content)
        files[name] = file
    files["config.txt"] = HERE / "boot/config.txt"
    files |= card.for_people(work)
    card.write_boot_partition(files, work / "boot.fat", build.epoch)
    card.data_partition(work / "data.ext4", build.epoch)
    whole = build.named("img")
    card.write(work / "boot.fat", work / "data.ext4", whole)
    packed = build.named("img.gz")
    with (
        whole.open("rb") as plain,
        packed.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as to,
    ):
        shutil.copyfileobj(plain, to, MIB)
    if packed.stat().st_size > MOST_BYTES:
        raise CannotBuild(f"{packed.name} has {packed.stat().st_size:,} bytes, and may have {MOST_BYTES:,}")


def _checksums(build: Build, results: Iterable[Path]) -> None:
    files = list(results)
    for file in [*files, *update_file.checksums(files, build.named("sha256"), build.key)]:
        _say(f"{file}: {file.stat().st_size:,} bytes")
    if build.key is None:
        _say(
            "Nothing is signed, for no key was given: make image KEY=FILE. A box takes no update without one."
        )


def _say(what: str) -> None:
    sys.stderr.write(f"{what}\n")


if __name__ == "__main__":
    sys.exit(main())
