"""The root of the box: Debian, our packages, the units of the card; one squashfs that is never written to."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.card import settings
from image.commands import CannotBuild, run
from image.kernel import copy_modules, with_depmod
from image.layout import HERE

if TYPE_CHECKING:
    from image.base import Base

OURS: Final = HERE / "root"
"""Copied over the root as it is: the units and scripts of the card."""

MASKED: Final = (
    # They look for work that a read-only system does not have.
    *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer"),
    *("e2scrub_reap.service", "systemd-firstboot.service"),
    # The kernel's module for it is not there.
    *("proc-sys-fs-binfmt_misc.automount", "proc-sys-fs-binfmt_misc.mount", "systemd-binfmt.service"),
    # Work after another system was installed, here at every start, for what it writes is gone afterwards.
    *("ldconfig.service", "systemd-hwdb-update.service", "systemd-journal-catalog-update.service"),
    *("systemd-sysusers.service", "systemd-update-done.service"),
    # What no program of the box uses. Each costs a small board a moment of its start.
    *("dev-hugepages.mount", "dev-mqueue.mount", "sys-fs-fuse-connections.mount", "sys-kernel-config.mount"),
    *("sys-kernel-debug.mount", "sys-kernel-tracing.mount"),
    *(f"modprobe@{module}.service" for module in ("configfs", "drm", "efi_pstore", "fuse")),
    # No login: table-ssh.service starts ssh if there is a key file on the card.
    *("ssh.service", "ssh.socket", "getty@tty1.service", "serial-getty@ttyAMA0.service"),
)
DISABLED: Final = (
    "wpa_supplicant.service",
    "systemd-networkd-wait-online.service",
    # No open port: table-settings.service opens this one if nimmt.toml on the card says so.
    "nimmt-web.socket",
)
ENABLED: Final = ("systemd-networkd.service",)
WIRELESS: Final = ("43430", "43436", "43436s", "43439", "43455", "43456")
"""The wireless chips of the boards."""

SETTINGS: Final = ("nimmt.toml", "wifi.txt", "host.txt")
NEW_CARD: Final = "usr/share/nimmt/new-card.sha256"
"""Checksums of these files of a new card."""

_FILES: Final = {
    "etc/fstab": "",
    "etc/machine-id": "",  # the initrd puts the one of this card here
}
_REMOVED: Final = (
    "var/lib/apt/extended_states",  # which were asked for by name: all of them where they were locked
    *("var/cache/*", "var/lib/apt/lists/*", "var/log/*", "var/lib/dpkg/*-old", "var/lib/dpkg/lock*"),
    "var/lib/systemd/random-seed",
    *("var/lib/dbus/machine-id", "var/lib/systemd/catalog/database", "etc/ssh/ssh_host_*", "etc/*-"),
    *("etc/.pwd.lock", "etc/apt/sources.list", "etc/apt/sources.list.d/*", "etc/resolv.conf"),
    "root/.*history",
    *("usr/share/locale/*", "usr/share/man/*", "usr/share/info/*", "usr/share/doc/nimmt-companion/docs"),
    "usr/lib/nimmt-companion/lib/python3.11",
    # Sources of a file that is there, and tests of numpy, which the strong robots of 6 nimmt! need.
    *("usr/lib/udev/hwdb.d/*", "usr/lib/python3/dist-packages/numpy/**/tests"),
)
_COMPILED: Final = ("usr/lib/nimmt-companion/lib/**/*.pyc", "usr/lib/python3*/**/*.pyc")
_CHECKED: Final = b"\3\0\0\0"
_UNCHECKED: Final = b"\1\0\0\0"
_DEVICES: Final = {"null": (1, 3), "zero": (1, 5), "random": (1, 8), "urandom": (1, 9)}
_SEES: Final = "import cv2\nassert cv2.CAP_V4L2 in cv2.videoio_registry.getStreamBackends()"
"""Python that fails where the root cannot read cards with a USB camera."""
_EMPTY: Final = (
    *("boot/nimmt", "data", "var/lib/nimmt", "var/lib/nimmt-web", "var/log/journal"),
    "var/lib/systemd/timesync",
)


def dress(base: Base, debs: Sequence[Path], said: Mapping[str, bytes], root: Path, epoch: int) -> None:
    """Make the root in a new folder; `said` are files that tell the program about this image.

    Needs root, and that this machine can run programs for arm64.
    """
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    run("tar", "-C", root, "--numeric-owner", "--exclude=./dev/*", "-xf", base.root, epoch=epoch)
    _install(debs, root, epoch)
    copy_modules(with_depmod(base.boot / "usr/lib/modules" / base.kernel_version, epoch), root, epoch)
    _wireless(base.boot, root)
    for name, text in _FILES.items():
        (root / name).unlink(missing_ok=True)
        (root / name).write_text(text)
    for name in _EMPTY:
        (root / name).mkdir(parents=True, exist_ok=True)
    lay(OURS, root)
    settle(HERE / "card", root)
    without_setuid(root)
    for name, content in said.items():
        (root / "usr/share/nimmt").mkdir(parents=True, exist_ok=True)
        (root / "usr/share/nimmt" / name).write_bytes(content)
    _units(root, epoch)
    remove(root)
    unchecked(root)
    if found := list(secrets(root)):
        raise CannotBuild(f"the root has what must not be on every card: {', '.join(found)}")


def lay(files: Path, root: Path) -> None:
    """Copy these files into the root with their modes; they belong to root. All others stay as they are."""
    for file in sorted(files.rglob("*")):
        to = root / file.relative_to(files)
        if file.is_dir():
            if not to.is_dir():
                to.mkdir()
                shutil.copymode(file, to)
        else:
            to.unlink(missing_ok=True)
            shutil.copy(file, to, follow_symlinks=False)
            os.chown(to, 0, 0, follow_symlinks=False)


def settle(card: Path, root: Path) -> None:
    """Do at once what the files of a new card say, and note which these are: see usr/lib/table/new-card.

    Raises `CannotBuild` for a file with a fault.
    """
    for name, bad in settings.apply(card, root):
        raise CannotBuild(f"{name}: {bad.fault}")
    (root / NEW_CARD).parent.mkdir(parents=True, exist_ok=True)
    sums = {name: hashlib.sha256((card / name).read_bytes()).hexdigest() for name in SETTINGS}
    (root / NEW_CARD).write_text("".join(f"{checksum}  {name}\n" for name, checksum in sums.items()))


def without_setuid(root: Path) -> None:
    """No program gets more rights than whoever starts it: only root logs in, and no service needs that."""
    for file in root.rglob("*"):
        mode = file.lstat().st_mode
        if stat.S_ISREG(mode) and mode & (stat.S_ISUID | stat.S_ISGID):
            file.chmod(stat.S_IMODE(mode) & ~(stat.S_ISUID | stat.S_ISGID))


def squash(root: Path, to: Path, epoch: int) -> None:
    """Make the squashfs. Times after `epoch` become `epoch`.

    Small files are packed one by one: of a block that many of them share, a start unpacks all for each.
    """
    to.unlink(missing_ok=True)
    run(
        *("mksquashfs", root, to, "-comp", "zstd", "-Xcompression-level", "15", "-b", "128K"),
        *("-no-progress", "-quiet", "-noappend", "-reproducible", "-no-fragments"),
        epoch=epoch,
    )


def secrets(root: Path) -> Iterator[str]:
    """What every card would have alike, and must not: passwords, host keys, a machine-id."""
    if (root / "etc/machine-id").read_text().strip():
        yield "a machine-id"
    yield from (f"the key {file.name}" for file in sorted((root / "etc/ssh").glob("ssh_host_*")))
    for line in (root / "etc/shadow").read_text().splitlines():
        name, word = line.split(":")[:2]
        if not word.startswith(("!", "*")):
            yield f"an open account, {name}"
    if (root / "var/lib/systemd/random-seed").exists():
        yield "a random seed"


def remove(root: Path) -> None:
    """Remove what is different each time, and what nobody reads on the box."""
    for pattern in _REMOVED:
        for path in list(root.glob(pattern)):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def _install(debs: Sequence[Path], root: Path, epoch: int) -> None:
    """Install our packages as anybody does; dpkg knows of them afterwards."""
    (root / "dev/shm").mkdir(parents=True, exist_ok=True)  # Python compiles in several processes
    for name, (major, minor) in _DEVICES.items():
        os.mknod(root / "dev" / name, stat.S_IFCHR | 0o666, os.makedev(major, minor))
    for deb in debs:
        shutil.copy(deb, root / deb.name)
    run("chroot", root, "dpkg", "--install", *(f"/{deb.name}" for deb in debs), epoch=epoch)
    run("chroot", root, "/usr/lib/nimmt-companion/bin/python3", "-IBc", _SEES, epoch=epoch)
    for deb in debs:
        (root / deb.name).unlink()
    shutil.rmtree(root / "dev")
    (root / "dev").mkdir()


def _wireless(boot: Path, root: Path) -> None:
    """The firmware of the boards' wireless chips, and of no others."""
    shutil.copytree(boot / "usr/lib/firmware", root / "usr/lib/firmware", symlinks=True, dirs_exist_ok=True)
    for folder in ("brcm", "cypress"):
        for file in (root / "usr/lib/firmware" / folder).iterdir():
            if not any(chip in file.name for chip in WIRELESS) or "-pcie" in file.name:
                file.unlink()


def _units(root: Path, epoch: int) -> None:
    units = root / "etc/systemd/system"
    ours = {
        file.name
        for folder in ("etc/systemd/system", "usr/lib/systemd/system")
        for file in (OURS / folder).glob("table-*")
        if file.is_file() and "@" not in file.name and "[Install]" in file.read_text()
    }
    run("systemctl", f"--root={root}", "disable", *DISABLED, epoch=epoch)
    run("systemctl", f"--root={root}", "enable", *ENABLED, *sorted(ours), epoch=epoch)
    for name in MASKED:
        (units / name).unlink(missing_ok=True)
        (units / name).symlink_to("/dev/null")


def unchecked(root: Path) -> None:
    """Let no import read the source as well: here it never changes.

    With SOURCE_DATE_EPOCH, Python writes compiled files that hold a hash of their source, and compares it at
    each import. One bit says whether it does (PEP 552). Raises `CannotBuild` if a file holds a time instead.
    """
    for place in _COMPILED:
        files = list(root.glob(place))
        if not files:
            raise CannotBuild(f"nothing is compiled in {place}")
        for file in files:
            with file.open("r+b") as compiled:
                flags = compiled.read(8)[4:]
                if flags not in (_CHECKED, _UNCHECKED):
                    raise CannotBuild(f"{file} was compiled without SOURCE_DATE_EPOCH")
                compiled.seek(4)
                compiled.write(_UNCHECKED)
