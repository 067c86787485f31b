"""Writes a file completely or not at all: readers see the old or the new one, even after a power failure."""

import errno
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.bounded_file import replace_by, sync_folder
from firmware.text.os_errors import unwritable

_FIXES: Final = {
    **dict.fromkeys(
        (errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
        "free some space there, or choose another place with --to",
    ),
    errno.EROFS: "unlock it or mount it for writing, or choose another place with --to",
    **dict.fromkeys((errno.EACCES, errno.EPERM), "choose another place with --to, or use sudo"),
    errno.ENOENT: "create the folder first",
    errno.ENOTDIR: "choose a folder",
    errno.EIO: "try another disk",
}


def write_whole(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write `content` to `path`, replacing the old file; on the disk when this returns.

    `content` may come in parts. Raises `CompanionError` with the reason and a fix; nothing has changed then.
    """
    try:
        replace_by((content,) if isinstance(content, bytes) else content, path, 0o644)
        with suppress(OSError):  # some file systems of sticks cannot sync a folder
            sync_folder(path.parent)
    except OSError as error:
        fix = _FIXES.get(error.errno or 0, "choose another place with --to")
        raise unwritable(path, error, fix) from error
