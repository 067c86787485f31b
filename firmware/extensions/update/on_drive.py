"""Looking for an update on the USB drives, and saying what is in the way."""

from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value
from firmware.extensions.update.update_file import ENDING, version_of
from firmware.flashed.versions import sort_key
from firmware.history import usb_stick
from firmware.text.os_errors import reason_of

MOUNTED: Final = ("vfat", "exfat", "ext4")
"""The file systems that the box mounts, see table-stick@.service."""


class FoundUpdate(Value):
    """The newest update on the drives; `version` is the one that it claims to be."""

    path: Path
    version: str
    of: int = 1
    """How many updates there are."""


def newest(
    mounts: Path = usb_stick.MOUNTS, blocks: Path = usb_stick.BLOCKS, udev: Path = usb_stick.UDEV
) -> FoundUpdate | None:
    """The newest update in the top folder of a drive; None if no drive is plugged in.

    The places are those of `firmware.history.usb_stick`. Blocks while a drive is read, which may take
    seconds. Raises `CompanionError`, which says why there is none: no drive that can be read, no update on
    it, or only files that are none.
    """
    found: list[tuple[Path, str]] = []
    bad: list[CompanionError] = []
    mounted = usb_stick.plugged_in(mounts, blocks)
    for mount in mounted:
        try:
            files = [file for file in mount.folder.iterdir() if file.suffix == ENDING]
        except OSError as error:
            files, fault = [], say("the USB drive cannot be read: {error}", error=reason_of(error))
            bad.append(CompanionError(fault, say("try another USB drive")))
        for file in sorted(files):
            try:
                # macOS leaves files whose names begin with a dot beside every file that it copies.
                if not file.name.startswith("."):
                    found.append((file, version_of(file)))
            except CompanionError as error:
                bad.append(error)
    if found:
        path, version = max(found, key=lambda update: (sort_key(update[1]), update[0].name))
        return FoundUpdate(path, version, len(found))
    for name in usb_stick.not_mounted(mounts, blocks):
        kind = usb_stick.file_system(name, blocks, udev)
        if kind != "" or not mounted:  # many drives have a small partition without a file system
            bad.append(_why_not_mounted(kind))
    if bad:
        raise bad[0]
    if mounted:
        fault = say("the USB drive has no file whose name ends with {ending}", ending=ENDING)
        raise CompanionError(fault, say("copy the update to the drive, not into a folder on it"))
    return None


def _why_not_mounted(kind: str | None) -> CompanionError:
    """Why a drive with this file system is not mounted; see `usb_stick.file_system`."""
    if kind is None or kind in MOUNTED:
        return CompanionError(
            say("the USB drive is not ready yet"),
            say("wait a moment, and look again; if that does not help, try another USB drive"),
        )
    fault = (
        say("the USB drive has the file system {came}, which this box does not read", came=kind)
        if kind
        else say("the USB drive is not formatted")
    )
    return CompanionError(fault, say("format the drive as FAT32 or exFAT, and copy the update to it"))
