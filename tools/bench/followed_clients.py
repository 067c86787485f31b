"""Clients of a table's socket in their own process: `python -m tools.bench.followed_clients SOCKET COUNT`.

The first one never reads. It prints a line once all have their snapshot, and ends when its input does.
"""

from __future__ import annotations

import selectors
import socket
import sys

_SNAPSHOT = b'"kind":"snapshot"'


def main() -> None:
    """Connect, and read whatever comes."""
    path, count = sys.argv[1], int(sys.argv[2])
    selector = selectors.DefaultSelector()
    waiting, made = set[int](), list[socket.socket]()
    for place in range(count):
        made.append(connection := socket.socket(socket.AF_UNIX))
        connection.connect(path)
        if place:
            selector.register(connection, selectors.EVENT_READ)
            waiting.add(connection.fileno())
    selector.register(sys.stdin, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if not isinstance(key.fileobj, socket.socket):
                return
            came = key.fileobj.recv(1_000_000)
            if key.fd in waiting and _SNAPSHOT in came:
                waiting.discard(key.fd)
                if not waiting:
                    print("ready", flush=True)
            if not came:
                selector.unregister(key.fileobj)


if __name__ == "__main__":
    main()
