"""An update: one file with the files of a slot, their list, and the signature of the list."""

import gzip
import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from image.commands import run
from image.layout import ARCH, HERE, SLOT_FILES


def sign(content: bytes, key: Path) -> bytes:
    """The 64 bytes of the signature. `key` is a private key in PEM: openssl genpkey -algorithm ed25519."""
    with tempfile.TemporaryDirectory() as place:
        signed = Path(place) / "signed"
        signed.write_bytes(content)
        return run("openssl", "pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", signed, epoch=0)


def trusted(key: Path | None, others: Iterable[Path]) -> bytes:
    """Whose updates a box takes: the owner of a private key, and those of public ones; in PEM."""
    ours = run("openssl", "pkey", "-in", key, "-pubout", epoch=0) if key else b""
    return ours + b"".join(
        run("openssl", "pkey", "-pubin", "-in", file, "-pubout", epoch=0) for file in others
    )


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


def checksums(files: Iterable[Path], to: Path, key: Path | None) -> list[Path]:
    """Write the checksums of files into one, and beside it their signature if there is a key; gives both.

    A signature of other files that was there is removed.
    """
    to.write_text("".join(f"{_sha256(file)}  {file.name}\n" for file in files), encoding="utf-8")
    signature = to.with_name(f"{to.name}.sig")
    signature.unlink(missing_ok=True)
    if key is None:
        return [to]
    signature.write_bytes(sign(to.read_bytes(), key))
    return [to, signature]


def write(slot: Slot, to: Path, key: Path | None, epoch: int) -> None:
    """Write the update. A box accepts it only if it was signed with the key of the box's own image.

    An uncompressed tar, for the files are packed already: the list first, so that the box can refuse before
    it has read the rest.
    """
    manifest = slot.manifest()
    draft = to.with_name(f"{to.name}.new")
    with tarfile.open(draft, "w", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, "manifest.json", io.BytesIO(manifest), len(manifest), epoch)
        if key is not None:
            signature = sign(manifest, key)
            _add(tar, "manifest.sig", io.BytesIO(signature), len(signature), epoch)
        for name, file in sorted(slot.files.items()):
            with file.open("rb") as content:
                _add(tar, name, content, file.stat().st_size, epoch)
    draft.rename(to)


def _add(tar: tarfile.TarFile, name: str, content: IO[bytes], size: int, epoch: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime, entry.mode = size, epoch, 0o644
    tar.addfile(entry, content)
