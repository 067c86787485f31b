"""Run Debian's tools, with the same clock and language everywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

PACKAGES: Final = {
    "apt-get": "apt",
    "arch-test": "arch-test",  # mmdebstrap stops without it when the system is for another processor
    "busybox": "busybox-static",
    "chroot": "coreutils",
    "cp": "coreutils",
    "cpio": "cpio",
    "dd": "coreutils",
    "debugfs": "e2fsprogs",
    "depmod": "kmod",
    "dpkg-deb": "dpkg",
    "dtc": "device-tree-compiler",
    "e2fsck": "e2fsprogs",
    "fdtget": "device-tree-compiler",
    "fdtoverlay": "device-tree-compiler",
    "fdtput": "device-tree-compiler",
    "fsck.vfat": "dosfstools",
    "git": "git",
    "mcopy": "mtools",
    "mdel": "mtools",
    "mdir": "mtools",
    "mke2fs": "e2fsprogs",
    "mkfs.vfat": "dosfstools",
    "mkimage": "u-boot-tools",
    "mksquashfs": "squashfs-tools",
    "mmd": "mtools",
    "mmdebstrap": "mmdebstrap",
    "mount": "mount",
    "mtype": "mtools",
    "openssl": "openssl",
    "qemu-aarch64-static": "qemu-user-static",
    "sfdisk": "fdisk",
    "systemctl": "systemd",
    "tar": "tar",
    "unsquashfs": "squashfs-tools",
    "update-binfmts": "binfmt-support",
    "zstd": "zstd",
}
"""The package of Debian that has the program. `run` runs no other."""


class CannotBuild(Exception):
    """Something that the image needs is missing or wrong. Says what, and what to do."""


def missing(programs: Iterable[str]) -> list[str]:
    """The packages of Debian that have to be installed for these programs."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return sorted({PACKAGES[program] for program in programs if not shutil.which(program, path=path)})


def run(*words: str | Path, epoch: int, stdin: bytes | None = None, cwd: Path | None = None) -> bytes:
    """What a command writes; `epoch` is its clock, as far as it asks. Raises `CannotBuild`: what it said.

    Raises `KeyError` for a program that is not in `PACKAGES`.
    """
    _ = PACKAGES[str(words[0])]
    environment = {
        "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin",
        "HOME": os.environ.get("HOME", "/"),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "SOURCE_DATE_EPOCH": str(epoch),
        "E2FSPROGS_FAKE_TIME": str(epoch),
        "MTOOLS_SKIP_CHECK": "1",
        "DEBIAN_FRONTEND": "noninteractive",
        "INITRD": "No",
    }
    done = subprocess.run(
        [str(word) for word in words], input=stdin, capture_output=True, check=False, env=environment, cwd=cwd
    )
    if done.returncode:
        said = (done.stderr + done.stdout).decode(errors="replace").strip()
        raise CannotBuild(f"{' '.join(str(word) for word in words[:4])} ... gave {done.returncode}:\n{said}")
    return done.stdout
