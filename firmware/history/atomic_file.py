"""Writes a file completely or not at all: readers see the old or the new one, even after a power failure."""

import errno
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.journal.file import sync_folder
from firmware.text.os_errors import reason_of

_FULL: Final = (
    say("there is no space left"),
    say("free some space there, or choose another place with --to"),
)
_NOT_ALLOWED: Final = (
    say("this user has no permission to write there"),
    say("choose another place with --to, or use sudo"),
)
_REASONS: Final = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.EROFS: (
        say("it is read-only"),
        say("unlock it or mount it for writing, or choose another place with --to"),
    ),
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
    errno.ENOENT: (say("there is no such folder"), say("create the folder first")),
    errno.ENOTDIR: (say("that is not a folder"), say("choose a folder")),
    errno.EIO: (say("the disk reports an error"), say("try another disk")),
}


def write_whole(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write `content` to `path`, replacing the old file; on the disk when this returns.

    `content` may come in parts. Raises `CompanionError` with the reason and a fix; nothing has changed then.
    """
    draft: Path | None = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=".nimmt-", suffix=".new", dir=path.parent)
        draft = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            for part in (content,) if isinstance(content, bytes) else content:
                file.write(part)
            file.flush()
            os.fsync(descriptor)
        with suppress(OSError):  # a stick has no rights
            draft.chmod(0o644)  # a draft is for its owner alone, a report for the table
        draft.replace(path)
        with suppress(OSError):  # some file systems of sticks cannot sync a folder
            sync_folder(path.parent)
    except OSError as error:
        if draft is not None:
            with suppress(OSError):
                draft.unlink()
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> CompanionError:
    """The error to raise if `path` could not be written."""
    unknown = reason_of(error), say("choose another place with --to")
    reason, fix = _REASONS.get(error.errno or 0, unknown)
    return CompanionError(say("{path} was not written: {reason}", path=path, reason=reason), fix)
