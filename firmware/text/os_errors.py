"""What an error of the operating system says, as a sentence in the language of people."""

import errno
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from companion.text.sentence import Text, literal, say

_REASONS: Final = {
    errno.ENOENT: say("there is no such file or folder"),
    **dict.fromkeys((errno.EACCES, errno.EPERM), say("this user has no permission for that")),
    errno.EISDIR: say("it is a folder"),
    errno.ENOTDIR: say("a part of its path is not a folder"),
    errno.ENAMETOOLONG: say("its name is too long"),
    errno.ELOOP: say("its links lead to each other"),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), say("there is no space left")),
    errno.EFBIG: say("it is too large"),
    errno.EROFS: say("it is read-only"),
    errno.EIO: say("the disk reports an error"),
    errno.EBUSY: say("another program is using it"),
    **dict.fromkeys((errno.ENXIO, errno.ENODEV), say("there is no such device")),
    errno.ENOEXEC: say("it is not a program for this machine"),
    errno.ECONNREFUSED: say("nothing answers there"),
    errno.ETIMEDOUT: say("it did not answer in time"),
    errno.EADDRINUSE: say("another program is using this address"),
    errno.EADDRNOTAVAIL: say("this machine does not have this address"),
}


class BadFile(OSError):
    """A file that cannot be used, with a reason that the system has no number for."""

    def __init__(self, number: int, reason: Text, path: str) -> None:
        super().__init__(number, str(reason), path)
        self.reason = reason


def reason_of(error: OSError) -> Text:
    """Why, without the path; what is not known here in the words of the system."""
    if isinstance(error, BadFile):
        return error.reason
    known = _REASONS.get(error.errno or 0)
    return literal(error.strerror or str(error)) if known is None else known


def unreadable(file: Path | str, error: OSError, fix: Text | str) -> CompanionError:
    """The error to raise where a file, or what is in a folder, cannot be read."""
    return CompanionError(say("{file} cannot be read: {why}", file=file, why=reason_of(error)), fix)


def unwritable(file: Path | str, error: OSError, fix: Text | str) -> CompanionError:
    """The error to raise where a file cannot be written."""
    return CompanionError(say("{file} cannot be written: {why}", file=file, why=reason_of(error)), fix)
