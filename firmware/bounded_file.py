"""Files as a whole: small ones read, whatever they may be, and any written completely or not at all.

What is read is never more than was expected, and never a wait for a pipe or a device.
"""

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import get_native_id
from typing import BinaryIO, Final, TypeVar

from msgspec import json

from companion.text.errors import CompanionError
from companion.text.files import NotText, text_in
from companion.text.sentence import say
from firmware.text.os_errors import BadFile, unwritable

Kind = TypeVar("Kind")


def open_regular(path: Path, *, follow: bool = True) -> BinaryIO:
    """Open a regular file for reading; without `follow` not by a link of this name.

    Raises `OSError`, and `BadFile` for a link, a pipe, a device, and a path that cannot be one.
    """
    # Without a wait for a pipe that nobody writes to.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except ValueError as error:  # a NUL in the path
        raise BadFile(errno.EINVAL, say("that is not a path"), str(path)) from error
    except OSError as error:
        if error.errno == errno.ELOOP and not follow and path.is_symlink():
            raise BadFile(errno.ELOOP, say("it is a link"), str(path)) from error
        raise
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise BadFile(errno.EINVAL, say("it is not a file"), str(path))
    return os.fdopen(descriptor, "rb")


def read_bounded(path: Path, most_bytes: int = 1_000_000, *, follow: bool = True) -> bytes:
    """The content of a regular file of at most `most_bytes`; without `follow` not by a link of this name.

    Root reads without `follow` what other users may replace. Raises as `open_regular`, and `BadFile` for a
    longer file.
    """
    with open_regular(path, follow=follow) as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise BadFile(errno.EFBIG, say("it is larger than {limit} kB", limit=most_bytes // 1000), str(path))
    return content


def read_json(path: Path, kind: type[Kind], *, follow: bool = True) -> Kind | None:
    """The value of this type in a small JSON file, read as above; None if there is none, or another one."""
    try:
        return json.decode(read_bounded(path, follow=follow), type=kind)
    except (OSError, ValueError, RecursionError):
        return None


def read_secret(file: str) -> str | None:
    """The password in a file that not everybody may read; None for no file. Raises `CompanionError`."""
    if not file:
        return None
    path = Path(file).expanduser()
    try:
        mode, text = path.stat().st_mode, text_in(path.read_bytes()).strip("\n")
    except (OSError, NotText) as bad:
        raise CompanionError(
            f"the password in {path} cannot be read: {bad}",
            "write it into that file, and let the user of this program read it",
        ) from bad
    if mode & (stat.S_IROTH | stat.S_IWOTH):
        raise CompanionError(
            f"everybody on this machine can read the password in {path}", f"type: chmod 640 {path}"
        )
    if not text:
        raise CompanionError(f"the file {path} is empty", "write the password into it")
    return text


def publish(content: bytes, file: Path, mode: int = 0o644) -> None:
    """Make a file in memory hold `content` at once, with these rights; nobody else reads it meanwhile.

    It waits for no disk. Missing folders are created. Raises `OSError`; then the file is unchanged.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    _replace((content,), file, mode, synced=False)


def keep(content: bytes, store: Path, mode: int = 0o600) -> None:
    """Make `store` hold `content`. Blocks for two syncs of the disk, or not at all if it already does.

    If the power fails, `store` is the old file or the new one. Missing folders are created. Raises `OSError`;
    then `store` is unchanged.
    """
    with suppress(OSError):
        if read_bounded(store, len(content)) == content:
            return
    store.parent.mkdir(parents=True, exist_ok=True)
    _replace((content,), store, mode)
    sync_folder(store.parent)


def _replace(parts: Iterable[bytes], file: Path, mode: int, *, synced: bool = True) -> None:
    """Put these parts in the place of a file; its name is on the disk after `sync_folder`."""
    draft = file.with_name(f".{file.name}.{get_native_id()}")
    draft.unlink(missing_ok=True)
    # A new file: who may write to the folder as well cannot lead it elsewhere by a link.
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as new:
            for part in parts:
                new.write(part)
            new.flush()
            with suppress(OSError):  # a stick has no rights
                os.fchmod(descriptor, mode)
            if synced:
                os.fsync(descriptor)
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Sync a folder: the names in it are then on the disk."""
    # A new name is on the disk when its folder is: man 2 fsync.
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
        _replace((content,) if isinstance(content, bytes) else content, path, 0o644)
        with suppress(OSError):  # some file systems of sticks cannot sync a folder
            sync_folder(path.parent)
    except OSError as error:
        fix = _FIXES.get(error.errno or 0, "choose another place with --to")
        raise unwritable(path, error, fix) from error
