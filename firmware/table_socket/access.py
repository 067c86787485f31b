"""Where the socket is, who is at its other end, and what this program lets them do."""

from __future__ import annotations

import grp
import os
import socket
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


class Groups(Value):
    """The groups of the configuration by number; None: nobody but the user of this program and root.

    Members of `read` may follow the table, if this program may give them the file; those of `act` may act.
    """

    read: int | None = None
    act: int | None = None


def peer_of(connection: socket.socket) -> Peer:
    """Who has connected. Raises `OSError`."""
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, user, group = _CREDENTIALS.unpack(found)
    groups = {group}
    with suppress(OSError):  # a kernel before 4.13
        more = connection.getsockopt(socket.SOL_SOCKET, _SO_PEERGROUPS, _GROUP.size * _MOST_GROUPS)
        groups |= {one for (one,) in _GROUP.iter_unpack(more)}
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
