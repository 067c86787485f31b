"""Why the journal failed and what to do, in words for people."""

import errno
import os
import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from companion.text.errors import CompanionError

_Reason: TypeAlias = "tuple[str, str]"
"""What is wrong, and what to do; the fact is the `path`."""

LITTLE_ROOM_BYTES = 64 * 1024  # a play costs two or three pages of 4 KiB: room for five


class JournalError(CompanionError):
    """The journal could not be opened, read or written; what was saved before is still saved."""


class DamagedMatch(JournalError):
    """A match that cannot be read to its end. `step` is the first that cannot be trusted; None: its header.

    What comes before that step has been read and is right.
    """

    def __init__(self, fault: str, fix: str, match_id: int, step: int | None = None) -> None:
        super().__init__(fault, fix)
        self.match_id = match_id
        self.step = step


_FULL: _Reason = ("the disk is full", "free some space on the disk that holds {path}, then try again")
_READ_ONLY: _Reason = (
    "the file or its disk is read-only",
    "make sure that {path} can be written and that its disk is not write-protected (`dmesg`), then try again",
)
_BROKEN_DISK: _Reason = (
    "the disk reports an error",
    "check `dmesg` and copy {path} to another disk, then try again",
)
_BUSY: _Reason = (
    "another program is using the file",
    "close whatever else has {path} open (a database shell, a backup), then try again",
)
_OUT_OF_REACH: _Reason = (
    "the file or its folder cannot be opened",
    "make sure that {path} is a file and that this user can read and write it and its folder",
)
_DAMAGED: _Reason = ("the file is damaged", "restart nimmt: it renames the damaged file and starts a new one")

_BY_SQLITE_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_IOERR: _BROKEN_DISK,
    sqlite3.SQLITE_NOMEM: ("out of memory", "restart nimmt"),
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL), _BUSY),
    **dict.fromkeys((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH), _OUT_OF_REACH),
    **dict.fromkeys((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB), _DAMAGED),
}

_UNREACHABLE = (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.EEXIST)
_BY_ERRNO = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), _FULL),
    errno.EROFS: _READ_ONLY,
    **dict.fromkeys(_UNREACHABLE, _OUT_OF_REACH),
    errno.EIO: _BROKEN_DISK,
}


def primary_code(error: sqlite3.Error) -> int | None:
    """SQLite's primary result code; None if the error is Python's own.

    Result codes: https://www.sqlite.org/rescode.html
    """
    extended: int | None = getattr(error, "sqlite_errorcode", None)
    return None if extended is None else extended & 0xFF


def blames_the_file(error: sqlite3.Error) -> bool:
    """True if the content of the file is the cause, not the disk, the permissions or other programs."""
    code = primary_code(error)
    return code not in _BY_SQLITE_CODE or _BY_SQLITE_CODE[code] is _DAMAGED


def refusal(error: sqlite3.Error | OSError, path: Path, what: str) -> JournalError:
    """The error to raise when `what` ("step 4 of match 2 was not saved") failed with `error`."""
    if isinstance(error, OSError):
        reason = _BY_ERRNO.get(error.errno or 0)
    else:
        reason = _BY_SQLITE_CODE.get(primary_code(error) or 0)
        # SQLite says "I/O error" or "cannot open" when its small side files find no room.
        if reason in (_BROKEN_DISK, _OUT_OF_REACH) and not has_room(path):
            reason = _FULL
    fault, fix = reason or (str(error), "restart nimmt; if it happens again, report this text with {path}")
    return JournalError(f"{what}: {fault}", fix.format(path=path))


def is_locked(path: Path) -> bool:
    """Whether the file system with this path is locked against writing.

    A program that has a file open there may go on writing, and Linux reports every sync as done: nothing
    reaches the disk (ext4_sync_file in fs/ext4/fsync.c returns early, without an error).
    """
    return bool(os.statvfs(_folder_of(path)).f_flag & os.ST_RDONLY)


@lru_cache(maxsize=16)  # asked for twice a step
def _folder_of(path: Path) -> str:
    return str(path.parent)


def has_room(path: Path) -> bool:
    """False when the disk that holds `path` has less than `LITTLE_ROOM_BYTES` left for this user."""
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return False
    # A disk that counts no blocks (some network and memory file systems) sets no limit.
    return disk.f_blocks == 0 or disk.f_bavail * disk.f_frsize >= LITTLE_ROOM_BYTES


def damaged(match_id: int, step: int | None = None, fault: str = "") -> DamagedMatch:
    """The error for a match whose header (no step) or step cannot be trusted."""
    if step is None:
        return DamagedMatch(
            f"the header of match {match_id} is damaged",
            "the other matches can be read; a backup may have it: nimmt restore",
            match_id,
        )
    before = f"steps 1 to {step - 1} can be read" if step > 1 else "nothing before it can be read"
    return DamagedMatch(
        fault or f"step {step} of match {match_id} is damaged",
        f"{before}, and so can the other matches; a backup may have the rest: nimmt restore",
        match_id,
        step,
    )
