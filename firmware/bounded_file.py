"""Reading a file that may be anything: never more than was expected, never a wait for a pipe or a device."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def read_bounded(path: Path, most_bytes: int) -> bytes:
    """The content of a regular file of at most `most_bytes`.

    Raises `OSError` with a reason in `strerror`, also for a pipe, a device, a longer file, and a path that
    cannot be one.
    """
    try:
        descriptor = os.open(
            path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
        )  # a pipe nobody writes to: no wait
    except ValueError as error:  # a NUL in the path
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {most_bytes // 1000} kB", str(path))
    return content
