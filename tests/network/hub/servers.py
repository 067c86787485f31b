"""A real PostgreSQL, for this machine alone, in a folder that is removed; and a hub as a process."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from network.hub.server import Hub
from network.hub.site import HubSetup
from network.mqtt.broker import Address
from tests.network.mqtt.mosquitto import free_port
from tests.patience import PATIENCE_S, comes

POSTGRES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)

needs_postgres = pytest.mark.skipif(POSTGRES is None, reason="there is no PostgreSQL: apt install postgresql")


class Postgres:
    """An empty PostgreSQL, reached by a socket in a folder; it never runs as root.

    `as_on_debian`: its role is `postgres`; it lets users of the system in by the socket, and others with a
    password by the network of this machine. Else it lets everybody in, by the socket alone.
    """

    def __init__(self, folder: Path, *, as_on_debian: bool = False) -> None:
        self.folder, self._data = folder, folder / "data"
        self._user = "nobody" if os.getuid() == 0 else None
        own = self._user or pwd.getpwuid(os.getuid()).pw_name
        self._role = "postgres" if as_on_debian else own
        self.port = free_port() if as_on_debian else 5432
        self._listens = "127.0.0.1" if as_on_debian else ""
        self.environ = {"PGHOST": str(folder), "PGPORT": str(self.port)}
        """Where programs find it that look for it at the usual place."""
        self.url = f"postgresql+psycopg://{self._role}@/postgres?host={folder}"
        self._data.mkdir()
        if self._user is not None:
            for one in (folder, self._data):
                shutil.chown(one, self._user)
        quiet = ["--auth", "trust", "--no-sync", "--locale", "C", "--encoding", "UTF8"]
        self.run("initdb", "-D", str(self._data), *quiet, "--username", self._role)
        if as_on_debian:
            (self._data / "pg_ident.conf").write_text(f"own {own} postgres\n")
            (self._data / "pg_hba.conf").write_text(AS_ON_DEBIAN)

    def run(self, program: str, *words: str, typed: str = "") -> None:
        """Run a program of PostgreSQL as the user of the server does; `typed` is what it asks for."""
        assert POSTGRES is not None
        subprocess.run(
            [str(POSTGRES / program), *words], check=True, capture_output=True, text=True, input=typed,
            env={**os.environ, **self.environ, "PGUSER": self._role}, user=self._user, cwd="/",
            start_new_session=True,  # without a terminal, where passwords are read from the input
        )  # fmt: skip

    def start(self) -> None:
        assert POSTGRES is not None
        settings = {"listen_addresses": self._listens, "port": self.port, "fsync": "off"}
        words = ["-D", str(self._data), "-k", str(self.folder)]
        words += [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._running = subprocess.Popen(
                [str(POSTGRES / "postgres"), *words],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, user=self._user, cwd="/",
            )  # fmt: skip
        assert comes(self._is_ready, 0.05)

    def _is_ready(self) -> bool:
        try:
            self.run("pg_isready", "-q")
        except subprocess.CalledProcessError:
            return False
        return True

    def stop(self) -> None:
        """End it at once, with all connections to it."""
        self._running.send_signal(signal.SIGQUIT)
        self._running.wait()


AS_ON_DEBIAN = """\
local all postgres peer map=own
local all all peer
host all all 127.0.0.1/32 scram-sha-256
"""


@contextmanager
def postgres(folder: Path, *, as_on_debian: bool = False) -> Iterator[Postgres]:
    """A PostgreSQL that runs."""
    server = Postgres(folder, as_on_debian=as_on_debian)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@dataclass
class HubProcess:
    """`nimmt hub` as a process of its own, which can be killed at any moment."""

    broker: int
    database: str
    folder: Path
    port: int = field(default_factory=free_port)

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        command = [
            sys.executable, "-m", "firmware.cli", "hub", "--broker", f"127.0.0.1:{self.broker}",
            "--database", self.database, "--port", str(self.port),
        ]  # fmt: skip
        environ = {**os.environ, "STATE_DIRECTORY": str(self.folder)}
        self._running = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True)
        assert self._running.stdout is not None
        assert any("http://" in line for line in self._running.stdout)

    def kill(self) -> None:
        """End it as a power cut does."""
        self._running.kill()
        self._running.communicate()

    def stop(self) -> int:
        self._running.terminate()
        self._running.communicate(timeout=PATIENCE_S)
        return self._running.returncode


@contextmanager
def working_hub(folder: Path, address: Address) -> Iterator[Hub]:
    """A hub at the broker, without its pages."""
    setting = HubSetup(folder / "directors.json")
    hub = Hub(address, f"sqlite:///{folder / 'hub.sqlite'}", setting)
    thread = threading.Thread(target=hub.intake.run)
    thread.start()
    hub._broker.start()
    try:
        yield hub
    finally:
        hub._broker.close()
        hub.intake.close()
        thread.join(PATIENCE_S)
        hub.store.close()
