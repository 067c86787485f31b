"""The files of a journal: created completely or not at all, renamed, never overwritten.

Beside the file `x` are `x-wal` and `x-shm`, which belong to it while it is open
(https://www.sqlite.org/wal.html), and `x.lock`, which says who has it open.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing, suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from firmware.journal.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_SIDE_FILES = ("-wal", "-shm", "-journal")


def install(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Put a database that `fill` writes at `path`, completely or not at all, replacing what was there.

    Raises OSError, sqlite3.Error, and what `fill` raises.
    """
    made = draft(path, fill)
    quarantine_side_files(path)
    made.replace(path)
    sync_folder(path.parent)


def draft(path: Path, fill: Callable[[sqlite3.Connection], None]) -> Path:
    """A database beside `path` that `fill` has written; it is removed if that fails."""
    make_folder(path.parent)
    made = beside(path, ".new")
    _remove(made)
    try:
        with closing(sqlite3.connect(made, isolation_level=None, factory=Database)) as db:
            fill(db)
        give_to_owner_of_folder(made)
    except BaseException:
        with suppress(OSError):
            _remove(made)
        raise
    return made


def identity(path: Path) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Which files `path` and its write-ahead log are now, as device and inode; None if there is none."""
    return _inode(path), _inode(beside(path, "-wal"))


def log_bytes(path: Path) -> int:
    """How long the write-ahead log is, in bytes."""
    return file_bytes(beside(path, "-wal"))


def file_bytes(path: Path) -> int:
    """How long a file is, in bytes; 0 if it cannot be looked at."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def free_bytes(path: Path) -> int:
    """How many bytes the disk of a file has left for this user; 0 if it cannot be asked."""
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return 0
    return disk.f_bavail * disk.f_frsize


def quarantine(path: Path, before: str = ".damaged-") -> Path:
    """Rename an unusable file with its side files; gives its new place, with `before` and a number."""
    # The file goes first: stopped half-way, the next start finds side files without a file and
    # keeps them too. The other way round it would find an older state of a match and trust it.
    aside = free_name(path, before)
    path.rename(aside)
    move_side_files(path, aside)
    sync_folder(path.parent)
    return aside


def quarantine_side_files(path: Path) -> Path | None:
    """Rename a log so that it is not used with another file; gives its new place, if it existed."""
    # SQLite deletes a log that it finds beside an empty file, and replays one beside a full file.
    if not log_bytes(path):
        return None
    aside = free_name(path, ".damaged-")
    move_side_files(path, aside)
    return aside


def put_aside_by_older(path: Path) -> list[Path]:
    """The journals that were put aside because they were newer than the program at that time."""
    wanted = re.compile(re.escape(path.name) + r"\.newer-v[0-9]+-[0-9]+")
    try:
        return sorted(file for file in path.parent.iterdir() if wanted.fullmatch(file.name))
    except OSError:
        return []


def move_side_files(path: Path, aside: Path) -> None:
    """Rename the side files of a renamed file as well."""
    for end in _SIDE_FILES:
        with suppress(FileNotFoundError):
            beside(path, end).rename(beside(aside, end))


def free_name(path: Path, before: str, behind: str = "") -> Path:
    """A name with a number that does not exist yet."""
    n = 1
    while any(beside(path, f"{before}{n}{behind}{end}").exists() for end in ("", *_SIDE_FILES)):
        n += 1
    return beside(path, f"{before}{n}{behind}")


def give_to_owner_of_folder(file: Path) -> None:
    """Give a file to the owner of its folder: the service could not write what root has made there."""
    made, owner = file.stat(), file.parent.stat()
    if os.geteuid() == 0 and made.st_uid != owner.st_uid:
        os.chown(file, owner.st_uid, owner.st_gid)


def _remove(path: Path) -> None:
    for file in (path, *(beside(path, end) for end in _SIDE_FILES)):
        file.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Create a folder with its parents; on the disk when this returns."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for place in missing:
        sync_folder(place.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder: the names in it are then on the disk."""
    # A new name is on the disk when its folder is: man 2 fsync.
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@lru_cache(maxsize=16)  # asked for several times a step
def beside(path: Path, end: str) -> Path:
    """The file with this suffix added to its name."""
    return path.with_name(path.name + end)
