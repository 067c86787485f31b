"""Reading a file that may be anything: never more than was expected, never a wait for a pipe or a device."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

from companion.text.sentence import say
from firmware.text.os_errors import Unusable

if TYPE_CHECKING:
    from pathlib import Path


def read_bounded(path: Path, most_bytes: int) -> bytes:
    """The content of a regular file of at most `most_bytes`.

    Raises `OSError`, and `Unusable` for a pipe, a device, a longer file, and a path that cannot be one.
    """
    try:
        descriptor = os.open(
            path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
        )  # a pipe nobody writes to: no wait
    except ValueError as error:  # a NUL in the path
        raise Unusable(errno.EINVAL, say("that is no path"), str(path)) from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unusable(errno.EINVAL, say("it is not a file"), str(path))
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise Unusable(errno.EFBIG, say("it is larger than {limit} kB", limit=most_bytes // 1000), str(path))
    return content
