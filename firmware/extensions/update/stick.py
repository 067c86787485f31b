"""Which updates lie on a USB stick that is plugged in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.text.errors import CompanionError
from firmware.history import usb_stick

if TYPE_CHECKING:
    from pathlib import Path

ENDING: Final = ".update"


def newest(mounts: Path = usb_stick.MOUNTS, blocks: Path = usb_stick.BLOCKS) -> tuple[Path, str] | None:
    """The update that was written last, in the top folder of a stick, and the version that it claims to be.

    None if there is none. Blocks while the stick is read, which may take seconds. Raises `CompanionError` if
    there are only files that are no update.
    """
    from firmware.extensions.update.update_file import (
        version_of,  # what writes updates is not for every start
    )

    found: list[tuple[float, Path]] = []
    for mount in usb_stick.plugged_in(mounts, blocks):
        try:
            found += [(file.stat().st_mtime, file) for file in mount.folder.glob(f"*{ENDING}")]
        except OSError:
            continue  # it was pulled out
    bad: CompanionError | None = None
    for _, file in sorted(found, reverse=True):
        if file.name.startswith("."):
            continue  # macOS leaves such beside every file that it copies
        try:
            return file, version_of(file)
        except CompanionError as error:
            bad = bad or error
    if bad is not None:
        raise bad
    return None
