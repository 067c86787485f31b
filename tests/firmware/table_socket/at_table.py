"""A device with a table's socket, whose loop runs in a thread, and clients of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from firmware.screens.before.start import HelloPage
from firmware.service.health import Issue
from firmware.table_socket.client import TableClient
from firmware.table_socket.messages import Snapshot, after
from firmware.table_socket.server import TableSocket
from firmware.table_socket.settings import Settings
from tests.firmware.evening import Device, device
from tests.patience import PATIENCE_S

Made = Callable[..., AbstractContextManager[Device]]


class RunningTable:
    """A device in play: its loop runs in a thread, and other programs may follow it.

    `made` makes it: an ordinary one, or a kiosk.
    """

    def __init__(self, folder: Path, script: str, made: Made = device, **sections: Any) -> None:
        self._made = made
        self.path = folder / "table.sock"
        self.settings = folder / "nimmt.toml"
        """The configuration file that programs of the owner may change, if a test has written one."""
        self.restarts = 0
        self.issues: list[Issue] = []
        self._ready = threading.Event()
        self._clients: list[Client] = []
        self._thread = threading.Thread(target=self._play, args=(folder, script), kwargs=sections)
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)

    def _play(self, folder: Path, script: str, **sections: Any) -> None:
        """The game thread: the journal belongs to the thread that opens it."""
        with self._made(folder, script, **sections) as self.device:
            app = self.device.runtime.app
            self.socket = TableSocket(app, self.path, lambda: self.issues)
            self.socket.settings = Settings(self.settings, self._restart)
            assert self.socket.start()
            self._ready.set()
            try:
                self.device.runtime.app.run()
            finally:
                self.socket.close()

    def _restart(self) -> None:
        """What would start the game again."""
        self.restarts += 1

    def close(self) -> None:
        """Stop it, and end the connections."""
        self.device.runtime.app.stop()
        self._thread.join(PATIENCE_S)
        for client in self._clients:
            client.close()

    def client(self) -> Client:
        """One more connection."""
        self._clients.append(Client(self.path))
        return self._clients[-1]


class Client:
    """A client that keeps what it was told, and checks that no event is missing."""

    def __init__(self, path: Path) -> None:
        self._connection = TableClient(path, PATIENCE_S)
        self._lines = iter(self._connection)
        self._acts = 0
        self.hello = next(self._lines)
        self.known: dict[str, Any] = {}
        self.snapshot: Snapshot | None = None
        """The same, as `after` makes it of what was told."""
        self.events: list[dict[str, Any]] = []
        self.number = -1
        self.until(lambda: bool(self.known))

    def hear(self) -> dict[str, Any]:
        """The next object; what it tells is kept."""
        said = next(self._lines)
        self.snapshot = after(self.snapshot, said)
        if said["kind"] == "snapshot":
            self.known, self.number = said, said["number"]
        elif said["kind"] not in ("answer", "settings", "alive", "error"):
            assert said["number"] == self.number + 1
            self.number = said["number"]
            self.events.append(said)
            self.known |= {key: value for key, value in said.items() if key in self.known}
        return said

    def until(self, holds: Callable[[], bool]) -> None:
        """Listen until something holds."""
        while not holds():
            self.hear()

    def until_step(self, number: int) -> None:
        """Listen until the table has that step."""
        self.until(lambda: self.known["table"] is not None and self.known["table"]["steps"] == number)

    def send(self, **record: Any) -> None:
        """Send an object."""
        self._connection.send(record)

    def act(self, act: str, **what: Any) -> dict[str, Any]:
        """Do something at the table; gives the answer."""
        return self.ask(kind="act", act=act, **what)

    def ask(self, **what: Any) -> dict[str, Any]:
        """Ask for something; gives the answer."""
        self._acts += 1
        name = f"a{self._acts}"
        self.send(id=name, **what)
        while (said := self.hear()).get("id") != name:
            pass
        return said

    def close(self) -> None:
        """Leave."""
        self._connection.close()


@contextmanager
def started_again(folder: Path, script: str, **sections: Any) -> Iterator[Device]:
    """A device that has just been started with a match in play."""
    with device(folder, script, **sections) as at:
        at.do(lambda table: table.open(HelloPage()))
        yield at


@contextmanager
def table(folder: Path, script: str = "", **sections: Any) -> Iterator[RunningTable]:
    """A device in play, used as the script says before it begins; stopped at the end."""
    at = RunningTable(folder, script, **sections)
    try:
        yield at
    finally:
        at.close()
