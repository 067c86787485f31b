"""Why the journal failed and what to do, in words for people."""

import errno
import os
import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from companion.text.errors import CompanionError
from companion.text.sentence import Text, as_it_is, count, say

_Reason: TypeAlias = "tuple[Text, Text]"
"""What is wrong, and what to do; the fact is the `path`."""

LITTLE_ROOM_BYTES = 64 * 1024  # a play costs two or three pages of 4 KiB: room for five


class JournalError(CompanionError):
    """The journal could not be opened, read or written; what was saved before is still saved."""


class DamagedMatch(JournalError):
    """A match that cannot be read to its end. `step` is the first that cannot be trusted; None: its header.

    What comes before that step has been read and is right.
    """

    def __init__(self, fault: Text | str, fix: Text | str, match_id: int, step: int | None = None) -> None:
        super().__init__(fault, fix)
        self.match_id = match_id
        self.step = step


_FULL: _Reason = (
    say("the disk is full"),
    say("free some space on the disk that holds {path}, then try again"),
)
_READ_ONLY: _Reason = (
    say("the file or its disk is read-only"),
    say(
        "make sure that {path} can be written and that its disk is not write-protected or worn out "
        "(`dmesg`), then try again"
    ),
)
_BROKEN_DISK: _Reason = (
    say("the disk reports an error"),
    say("check `dmesg` and copy {path} to another disk, then try again"),
)
_BUSY: _Reason = (
    say("another program is using the file"),
    say("close whatever else has {path} open (a database shell, a backup), then try again"),
)
_OUT_OF_REACH: _Reason = (
    say("the file or its folder cannot be opened"),
    say("make sure that {path} is a file and that this user can read and write it and its folder"),
)
_DAMAGED: _Reason = (
    say("the file is damaged"),
    say("restart nimmt: it renames the damaged file and starts a new one"),
)

_BY_SQLITE_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_IOERR: _BROKEN_DISK,
    sqlite3.SQLITE_NOMEM: (say("out of memory"), say("restart nimmt")),
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


def refusal(error: sqlite3.Error | OSError, path: Path, what: Text) -> JournalError:
    """The error to raise when `what` ("step 4 of match 2 was not saved") failed with `error`."""
    if isinstance(error, OSError):
        reason = _BY_ERRNO.get(error.errno or 0)
    else:
        reason = _BY_SQLITE_CODE.get(primary_code(error) or 0)
        # SQLite says "I/O error" or "cannot open" when its small side files find no room.
        if reason in (_BROKEN_DISK, _OUT_OF_REACH) and not has_room(path):
            reason = _FULL
    fault, fix = reason or (
        as_it_is(str(error)),
        say("restart nimmt; if it happens again, report this text with {path}"),
    )
    return JournalError(say("{what}: {fault}", what=what, fault=fault), fix.with_facts(path=path))


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


_STEP: Final = say("step {step} of match {match_id} is damaged")


def damaged(match_id: int, step: int | None = None, fault: Text = _STEP) -> DamagedMatch:
    """The error for a match whose header (no step) or step cannot be trusted.

    The facts of the fault are `step` and `match_id`.
    """
    if step is None:
        return DamagedMatch(
            say("the header of match {match_id} is damaged", match_id=match_id),
            say("the other matches can be read; a backup may have it: nimmt restore"),
            match_id,
        )
    before = (
        say("nothing before it can be read")
        if step == 1
        else count("step 1 can be read", "steps 1 to {count} can be read", step - 1)
    )
    return DamagedMatch(
        fault.with_facts(step=step, match_id=match_id),
        say(
            "{before}, and so can the other matches; a backup may have the rest: nimmt restore", before=before
        ),
        match_id,
        step,
    )
