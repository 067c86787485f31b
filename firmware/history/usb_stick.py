"""Which USB stick, disk or card is plugged in and mounted.

A stick, or a card in a reader, says that its medium can be taken out; many disks and some sticks on USB do
not. The disk that the machine itself runs from is none of them, also on USB.
"""

import re
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from companion.values import Value
from firmware.text.os_errors import unreadable

MOUNTS: Final = Path("/proc/mounts")
BLOCKS: Final = Path("/sys/block")
UDEV: Final = Path("/run/udev/data")

_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


class Mount(Value):
    """A partition of a removable medium, and its mount point."""

    device: str
    folder: Path
    writable: bool


def newest(mounts: Path = MOUNTS, blocks: Path = BLOCKS) -> Mount:
    """The removable medium that was mounted last and is writable.

    `mounts` is a table as in /proc/mounts (man 5 proc), `blocks` a folder as /sys/block, whose `removable`
    says whether a medium can be taken out (Documentation/ABI/stable/sysfs-block). Raises `CompanionError`,
    which says what is plugged in and what to do.
    """
    media = _removable(mounts, blocks)
    found = _on(media, mounts)
    if writable := [mount for mount in found if mount.writable]:
        return writable[-1]
    if found:
        folder = found[-1].folder
        fix = f"unlock its write-protect switch, or mount it for writing: sudo mount -o remount,rw {folder}"
        raise CompanionError(f"the USB drive at {folder} is read-only", fix)
    if present := _volumes(media):
        fault = f"a USB drive is plugged in ({', '.join(present)}), but it is not mounted"
        raise CompanionError(
            fault, f"mount it: sudo mount /dev/{present[0]} /mnt; or give a folder with --to"
        )
    raise CompanionError("no USB drive is plugged in", "plug one in and mount it, or give a folder with --to")


def plugged_in(mounts: Path = MOUNTS, blocks: Path = BLOCKS) -> list[Mount]:
    """All removable media that are mounted, the newest last. Raises `CompanionError`."""
    return _on(_removable(mounts, blocks), mounts)


def not_mounted(mounts: Path = MOUNTS, blocks: Path = BLOCKS) -> list[str]:
    """The partitions of removable media, or media without partitions, that are not mounted.

    Raises `CompanionError`.
    """
    mounted = {mount.device for mount in _mounted(mounts)}
    return [name for name in _volumes(_removable(mounts, blocks)) if name not in mounted]


def file_system(name: str, blocks: Path = BLOCKS, udev: Path = UDEV) -> str | None:
    """What udev has found on a partition or medium: vfat, ntfs ...; empty if that is nothing it knows.

    None while it is still looking, and where it tells nothing. `udev` is its database, a file for each device
    (sd-device, `sd_device_get_is_initialized`).
    """
    for file in (blocks / name / "dev", *blocks.glob(f"*/{name}/dev")):
        try:
            lines = (udev / f"b{file.read_text().strip()}").read_text(errors="replace").splitlines()
        except OSError:
            continue
        return next((line.partition("=")[2] for line in lines if line.startswith("E:ID_FS_TYPE=")), "")
    return None


def _volumes(media: dict[str, tuple[str, ...]]) -> list[str]:
    """The partitions of media, and the media that have none."""
    return sorted(name for name, parts in media.items() for name in parts or (name,))


def _on(media: dict[str, tuple[str, ...]], mounts: Path) -> list[Mount]:
    devices = {device for disk, parts in media.items() for device in (disk, *parts)}
    return [mount for mount in _mounted(mounts) if mount.device in devices]


def _removable(mounts: Path, blocks: Path) -> dict[str, tuple[str, ...]]:
    """The removable media and those on USB, each with the names of its partitions."""
    own = {mount.device for mount in _mounted(mounts) if mount.folder == Path("/")}
    found = {}
    for disk in sorted(blocks.glob("*")):
        try:
            removable = (disk / "removable").read_text().strip() == "1" or _on_usb(disk)
            size = int((disk / "size").read_text())
        except (OSError, ValueError):
            continue
        parts = tuple(sorted(part.parent.name for part in disk.glob("*/partition")))
        if removable and size and own.isdisjoint((disk.name, *parts)):  # an empty reader is removable, too
            found[disk.name] = parts
    return found


def _on_usb(disk: Path) -> bool:
    """Whether a folder of /sys/block is a link to a device below a USB controller, usb1 for instance."""
    return any(re.fullmatch(r"usb\d+", part) for part in disk.resolve().parts)


def _mounted(mounts: Path) -> list[Mount]:
    try:
        lines = mounts.read_text().splitlines()
    except OSError as error:
        raise unreadable(mounts, error, "give a folder with --to") from error
    found = []
    for line in lines:
        device, folder, _, options = line.split()[:4]
        if device.startswith("/dev/"):
            place = Path(_ESCAPED.sub(lambda code: chr(int(code[1], 8)), folder))
            found.append(Mount(device.removeprefix("/dev/"), place, "rw" in options.split(",")))
    return found
