"""The file of the socket: made so that nobody can connect too early, and in the place of one left behind."""

from __future__ import annotations

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.table_socket.access import reachable

MODE: Final = 0o660
"""Owner and group may connect. Who may act is decided for each connection."""

_WAITING: Final = 16


class Listener:
    """A socket that listens at `path`. Members of `group` may connect, if this program may allow it.

    Raises `OSError`: the folder cannot be written, or another program listens there.
    """

    def __init__(self, path: Path, group: int | None = None) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        _refuse_other(path)
        # It gets its name when it is ready: nobody finds it before its mode is right and it listens.
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            draft.unlink(missing_ok=True)
            with reachable(draft) as address:
                self.socket.bind(address)
            draft.chmod(MODE)
            if group is not None:
                with suppress(PermissionError):
                    os.chown(draft, -1, group)
            self.socket.listen(_WAITING)
            self.socket.setblocking(False)  # noqa: FBT003 - Python's own
            draft.rename(path)
            self._made = _identity(path)
        except OSError:
            self.socket.close()
            with suppress(OSError):
                draft.unlink()
            raise

    def close(self) -> None:
        """Stop, and remove the file unless it is another program's by now."""
        self.socket.close()
        with suppress(OSError):
            if _identity(self._path) == self._made:
                self._path.unlink()


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _refuse_other(path: Path) -> None:
    """Raise `OSError` if a program listens at the path, or if there is something else."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise FileExistsError(0, "there is a file of this name that is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial, reachable(path) as address:
        trial.setblocking(False)  # noqa: FBT003 - Python's own
        try:
            trial.connect(address)
        except ConnectionRefusedError:  # its program has ended without removing it
            return
        except BlockingIOError:  # it listens, and many want to connect
            pass
    raise FileExistsError(0, "another program serves a table there")
