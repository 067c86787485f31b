"""Who is at the other end of a Unix socket, and what this program lets them do.

Who may connect is decided by the mode and the group of the socket's file. The kernel says who has connected:
that cannot be forged, and is what acting depends on.
"""

from __future__ import annotations

import grp
import os
import socket
import struct
from contextlib import suppress
from typing import Final

from companion.values import Value

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
