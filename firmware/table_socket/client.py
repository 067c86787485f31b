"""A connection to the table's socket, for programs that wait for what comes."""

import json
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Self

from companion.text.errors import CompanionError
from firmware.table_socket.access import reachable
from firmware.text.os_errors import reason_of

LONGEST_LINE: Final = 1_000_000
"""Bytes of a line from the server; no line of it is nearly as long."""


class TableClient:
    """A connection to the table at `path`; iterate over it for its objects. One thread.

    Raises `CompanionError` where no table is there, or it lets nobody in. `timeout_s` is how long to wait for
    an object at most; then iterating raises `TimeoutError`.
    """

    def __init__(self, path: Path, timeout_s: float | None = None) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with reachable(path) as address:
                self._socket.connect(address)
        except OSError as bad:
            self._socket.close()
            raise CompanionError(
                f"no table answers at {path}: {reason_of(bad)}",
                "start the game, or ask for the right to read its socket",
            ) from bad
        self._socket.settimeout(timeout_s)
        self._lines = self._socket.makefile("rb")

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The objects as they come, until the table ends the connection."""
        while line := self._lines.readline(LONGEST_LINE):
            yield json.loads(line)

    def send(self, record: Mapping[str, Any]) -> None:
        """Send an object. Raises `OSError`."""
        self._socket.sendall(json.dumps(record).encode() + b"\n")

    def close(self) -> None:
        self._lines.close()
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
