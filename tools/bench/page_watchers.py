"""Watchers of a page in a process of their own: `python -m tools.bench.page_watchers PORT COUNT`.

They come from several addresses of this machine, as phones do. It prints a line once all of them have a first
view. When its input ends it prints, as JSON, when each of them had each step first: seconds of the monotonic
clock by step.
"""

from __future__ import annotations

import json
import re
import selectors
import socket
import sys
import time
from collections import defaultdict
from typing import Final

FROM_ONE: Final = 50
"""Watchers from one address; the page has a limit."""

_STEP: Final = re.compile(rb'"step":(\d+)[^\n]*\n\n')


def main() -> None:
    """Watch until the input ends."""
    port, count = int(sys.argv[1]), int(sys.argv[2])
    selector = selectors.DefaultSelector()
    waiting, rest = set[int](), dict[int, bytes]()
    had: dict[int, list[float]] = defaultdict(list)
    newest: dict[int, int] = {}
    made: list[socket.socket] = []
    for place in range(count):
        connection = socket.create_connection(
            ("127.0.0.1", port), source_address=(f"127.0.0.{2 + place // FROM_ONE}", 0)
        )
        connection.sendall(b"GET /live?language=en HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        made.append(connection)
        selector.register(connection, selectors.EVENT_READ)
        waiting.add(connection.fileno())
    selector.register(sys.stdin, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if not isinstance(key.fileobj, socket.socket):
                print(json.dumps(had), flush=True)
                return
            came = key.fileobj.recv(1_000_000)
            now_s = time.monotonic()
            if not came:
                raise ConnectionError("a watcher was sent away")
            text = rest.get(key.fd, b"") + came
            for found in _STEP.finditer(text):
                step = int(found[1])
                if step > newest.get(key.fd, -1):
                    newest[key.fd] = step
                    had[step].append(now_s)
                if key.fd in waiting:
                    waiting.discard(key.fd)
                    if not waiting:
                        print("ready", flush=True)
            rest[key.fd] = text[text.rfind(b"\n\n") + 2 :][-100_000:]


if __name__ == "__main__":
    main()
