"""A slot: the folder a/ or b/ on the boot partition, and its list of files that an update is checked by."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from image.layout import ARCH, HERE, SLOT_FILES

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Slot:
    """The files of one version of the system."""

    version: str
    files: dict[str, Path]

    def manifest(self) -> bytes:
        """Its names, sizes and hashes as JSON; the same files give the same bytes."""
        listed = {
            name: {"sha256": _sha256(file), "size": file.stat().st_size}
            for name, file in sorted(self.files.items())
        }
        said = {"format": 1, "version": self.version, "architecture": ARCH, "files": listed}
        return json.dumps(said, indent=1, sort_keys=True).encode() + b"\n"


def slot(version: str, kernel: Path, initrd: bytes, root: Path, folder: Path) -> Slot:
    """Lay the files of a slot into a new folder. `kernel` is not packed yet, `root` is the squashfs."""
    folder.mkdir(parents=True)
    (folder / "kernel").write_bytes(gzip.compress(kernel.read_bytes(), 9, mtime=0))
    (folder / "initrd").write_bytes(initrd)
    (folder / "cmdline").write_bytes((HERE / "boot/cmdline").read_bytes())
    (folder / "root.sfs").hardlink_to(root)
    made = Slot(version, {name: folder / name for name in SLOT_FILES})
    (folder / "manifest.json").write_bytes(made.manifest())
    return made


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
