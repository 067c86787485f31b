"""A service manager for tests: the real socket of the notification protocol, and what came over it."""

import socket
from pathlib import Path
from typing import Self

from tests.patience import PATIENCE_S

SOON_S = PATIENCE_S  # how long a test waits for something that must happen


ENOUGH = 300  # lines: the watchdog is fed every two seconds


class Manager:
    """Listens at `address`; close it, or use it in a `with`."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._wire.bind(self.address)
        self._wire.settimeout(SOON_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wire.close()
        Path(self.address).unlink()

    def next(self) -> str:
        return self._wire.recv(4096).decode()

    def wait_for(self, line: str) -> list[str]:
        """Read until a line comes that begins so; gives all that came."""
        came: list[str] = []
        while not came or not came[-1].startswith(line):
            assert len(came) < ENOUGH, came
            came.append(self.next())
        return came

    def waiting(self) -> list[str]:
        came = []
        self._wire.setblocking(False)
        try:
            while True:
                came.append(self.next())
        except BlockingIOError:
            return came
        finally:
            self._wire.settimeout(SOON_S)
