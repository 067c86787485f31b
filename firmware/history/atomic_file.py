"""Writes a file completely or not at all: readers see the old or the new one, even after a power failure."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.text.os_errors import reason_of

_REASONS: Final = {
    errno.ENOSPC: (
        say("there is no space left"),
        say("free some space there, or choose another place with --to"),
    ),
    errno.EDQUOT: (
        say("there is no space left"),
        say("free some space there, or choose another place with --to"),
    ),
    errno.EFBIG: (
        say("there is no space left"),
        say("free some space there, or choose another place with --to"),
    ),
    errno.EROFS: (
        say("it is read-only"),
        say("unlock it or mount it for writing, or choose another place with --to"),
    ),
    errno.EACCES: (
        say("this user has no permission to write there"),
        say("choose another place with --to, or use sudo"),
    ),
    errno.EPERM: (
        say("this user has no permission to write there"),
        say("choose another place with --to, or use sudo"),
    ),
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
        with suppress(
            OSError
        ):  # a draft is for its owner alone, a report for the table; a stick has no rights
            draft.chmod(0o644)
        draft.replace(path)
        _sync(path.parent)
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


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # some file systems of sticks cannot sync a folder
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
