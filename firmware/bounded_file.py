"""Small files as a whole: read, whatever they may be, and written completely or not at all.

What is read is never more than was expected, and never a wait for a pipe or a device.
"""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from companion.text.sentence import say
from firmware.text.os_errors import Unusable


def read_bounded(path: Path, most_bytes: int) -> bytes:
    """The content of a regular file of at most `most_bytes`.

    Raises `OSError`, and `Unusable` for a pipe, a device, a longer file, and a path that cannot be one.
    """
    try:
        descriptor = os.open(
            path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
        )  # a pipe nobody writes to: no wait
    except ValueError as error:  # a NUL in the path
        raise Unusable(errno.EINVAL, say("that is not a path"), str(path)) from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unusable(errno.EINVAL, say("it is not a file"), str(path))
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise Unusable(errno.EFBIG, say("it is larger than {limit} kB", limit=most_bytes // 1000), str(path))
    return content


def keep(content: bytes, store: Path) -> None:
    """Make `store` hold `content`. Blocks for two syncs of the disk, or not at all if it already does.

    If the power fails, `store` is the old file or the new one. Missing folders are created. Raises `OSError`;
    then `store` is unchanged.
    """
    with suppress(OSError):
        if read_bounded(store, len(content)) == content:
            return
    import tempfile  # it brings seven modules along, and nearly every start ends above

    store.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=store.parent, prefix=f".{store.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(store)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    # The new name is in the folder, and the folder may still be in memory only.
    folder = os.open(store.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
