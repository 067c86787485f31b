"""An update: one file with the files of a slot, their list, and the signature of the list."""

from __future__ import annotations

import io
import tarfile
from typing import TYPE_CHECKING

from image.signing import sign

if TYPE_CHECKING:
    from pathlib import Path

    from image.slot import Slot


def write(slot: Slot, to: Path, key: Path | None, epoch: int) -> None:
    """Write the update. A box accepts it only if it was signed with the key of the box's own image.

    An uncompressed tar, for the files are packed already: the list first, so that the box can refuse before
    it has read the rest.
    """
    manifest = slot.manifest()
    draft = to.with_name(f"{to.name}.new")
    with tarfile.open(draft, "w", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, "manifest.json", manifest, epoch)
        if key is not None:
            _add(tar, "manifest.sig", sign(manifest, key), epoch)
        for name, file in sorted(slot.files.items()):
            entry = _entry(name, file.stat().st_size, epoch)
            with file.open("rb") as content:
                tar.addfile(entry, content)
    draft.rename(to)


def _add(tar: tarfile.TarFile, name: str, content: bytes, epoch: int) -> None:
    tar.addfile(_entry(name, len(content), epoch), io.BytesIO(content))


def _entry(name: str, size: int, epoch: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime, entry.mode = size, epoch, 0o644
    return entry
