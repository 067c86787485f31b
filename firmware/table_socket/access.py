"""Where the socket is and how it listens, who is at its other end, and what this program lets them do."""

import grp
import os
import socket
import stat
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from companion.values import Value

NAME: Final = "table.sock"

OF_THE_SERVICE: Final = Path("/run/nimmt") / NAME

_LONGEST: Final = 100
"""Bytes of a path that fit into the address of a Unix socket, with room for a draft's name."""


def place(environ: Mapping[str, str], journal: Path) -> Path:
    """The socket of a program that runs in this environment with this journal.

    A service has a folder for it in memory; else it is beside the journal.
    """
    if folder := environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        return Path(folder).absolute() / NAME
    return journal.absolute().with_name(NAME)


def found(environ: Mapping[str, str], journal: Path, own: Path | None) -> Path:
    """The socket of the game on this machine: of its service, unless a journal of one's `own` is meant."""
    return OF_THE_SERVICE if own is None and OF_THE_SERVICE.exists() else place(environ, journal)


@contextmanager
def reachable(path: Path) -> Iterator[str]:
    """The path as the address of a socket, while the block runs; a long one is shortened."""
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


_CREDENTIALS: Final = struct.Struct("3i")
_SO_PEERGROUPS: Final = getattr(socket, "SO_PEERGROUPS", 59)
"""Of Linux; Python has no name for it (include/uapi/asm-generic/socket.h)."""
_MOST_GROUPS: Final = 256
"""Python takes no longer answer. A user who is in more of them has the first one only."""
_GROUP: Final = struct.Struct("I")


class Peer(Value):
    """The program at the other end, as it was when it connected."""

    pid: int
    user: int
    groups: frozenset[int]


def peer_of(connection: socket.socket) -> Peer:
    """Who has connected. Raises `OSError`."""
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, user, group = _CREDENTIALS.unpack(found)
    groups = {group}
    with suppress(OSError):  # a kernel before 4.13
        more = connection.getsockopt(socket.SOL_SOCKET, _SO_PEERGROUPS, _GROUP.size * _MOST_GROUPS)
        groups |= {group for (group,) in _GROUP.iter_unpack(more)}
    return Peer(pid, user, frozenset(groups))


def may_act(peer: Peer, group: int | None) -> bool:
    """Whether a peer may act: the user of this program, root, and the members of the group."""
    return is_owner(peer) or (group is not None and group in peer.groups)


def is_owner(peer: Peer) -> bool:
    """Whether a peer is the user of this program, or root."""
    return peer.user in (0, os.geteuid())


def group_id(name: str) -> int | None:
    """The number of a group; None where there is none of this name, or the name is empty."""
    try:
        return grp.getgrnam(name).gr_gid if name else None
    except KeyError:
        return None


class SocketListener:
    """A socket that listens at `path`: nobody can connect too early, and one left behind is replaced.

    Members of `group` may connect, if this program may allow it.

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
            draft.chmod(0o660)  # who may act is decided for each connection
            if group is not None:
                with suppress(PermissionError):
                    os.chown(draft, -1, group)
            self.socket.listen()
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
