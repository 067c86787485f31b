"""The whole card as one file: the partition table, the boot partition, the empty data partition."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from firmware.paper.ready_sheets import ready_files
from image import layout
from image.commands import run


def for_people(work: Path, part: str = "") -> dict[str, Path]:
    """What people read and print, by name: its own files, and sheets with `part` in the name, in `work`."""
    files = {file.name: file for file in sorted((layout.HERE / "card").iterdir())}
    for sheet in (each for each in ready_files() if part in each.name):
        files[sheet.name] = work / sheet.name.replace("/", "-")
        files[sheet.name].write_bytes(sheet.pdf())
    return files


def write_boot_partition(
    files: Mapping[str, Path], to: Path, epoch: int, size: int = layout.BOOT_SIZE
) -> None:
    """Make the file system with these files, by their names with slashes. The same files, the same bytes."""
    to.unlink(missing_ok=True)
    with to.open("wb") as empty:
        empty.truncate(size)
    run(
        *("mkfs.vfat", "--invariant", "-F", "32", "-n", layout.BOOT_LABEL, "-i", f"{layout.BOOT_ID:08X}", to),
        epoch=epoch,
    )
    folders = {str(folder) for name in files for folder in PurePosixPath(name).parents}
    for folder in sorted(folders - {"."}):
        run("mmd", "-i", to, f"::{folder}", epoch=epoch)
    for name, file in sorted(files.items()):
        run("mcopy", "-Q", "-i", to, file, f"::{name}", epoch=epoch)


def data_partition(to: Path, epoch: int, size: int = layout.DATA_SIZE) -> None:
    to.unlink(missing_ok=True)
    with to.open("wb") as empty:
        empty.truncate(size)
    # All of it is written now; a box does not go on making its file system while it is played on.
    extended = f"hash_seed={layout.DATA_HASH_SEED},lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0"
    named = ("-L", layout.DATA_LABEL, "-U", layout.DATA_UUID)
    run("mke2fs", "-q", "-t", "ext4", *named, "-E", extended, to, epoch=epoch)


def write(boot: Path, data: Path, to: Path) -> None:
    """Put the partitions into one file; where they are empty, it is too. A Pi 3 knows no table but an MBR."""
    sizes = boot.stat().st_size, data.stat().st_size
    draft = to.with_name(f"{to.name}.new")
    with draft.open("wb") as empty:
        empty.truncate(layout.START + sum(sizes))
    table = f"""label: dos
label-id: 0x{layout.DISK_ID:x}
start={layout.START // layout.SECTOR}, size={sizes[0] // layout.SECTOR}, type=c, bootable
start={(layout.START + sizes[0]) // layout.SECTOR}, size={sizes[1] // layout.SECTOR}, type=83
"""
    run("sfdisk", "--quiet", draft, epoch=0, stdin=table.encode())
    for part, start in ((boot, layout.START), (data, layout.START + sizes[0])):
        words = ("bs=1M", f"seek={start // layout.MIB}", "conv=sparse,notrunc", "status=none")
        run("dd", f"if={part}", f"of={draft}", *words, epoch=0)
    draft.rename(to)
