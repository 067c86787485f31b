"""A real PostgreSQL, for this machine alone, in a folder that is removed; and a hub as a process."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware.config.configuration import parse
from network.hub.config import HubOptions
from network.hub.server import Hub
from tests.network.mqtt.mosquitto import free_port
from tests.patience import PATIENCE_S, comes

POSTGRES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)

needs_postgres = pytest.mark.skipif(POSTGRES is None, reason="there is no PostgreSQL: apt install postgresql")


class Postgres:
    """An empty PostgreSQL, which lets everybody in by a socket in a folder; it never runs as root."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._data = folder, folder / "data"
        self._user = "nobody" if os.getuid() == 0 else None
        own = self._user or pwd.getpwuid(os.getuid()).pw_name
        self.url = f"postgresql+psycopg://{own}@/postgres?host={folder}"
        self._data.mkdir()
        if self._user is not None:
            for one in (folder, self._data):
                shutil.chown(one, self._user)
        quiet = ["--auth", "trust", "--no-sync", "--locale", "C", "--encoding", "UTF8"]
        self._run("initdb", "-D", str(self._data), *quiet, "--username", own)

    def _run(self, program: str, *words: str) -> None:
        assert POSTGRES is not None
        subprocess.run(
            [str(POSTGRES / program), *words], check=True, capture_output=True, user=self._user, cwd="/"
        )

    def start(self) -> None:
        assert POSTGRES is not None
        words = ["-D", str(self._data), "-k", str(self.folder), "-c", "listen_addresses=", "-c", "fsync=off"]
        with (self.folder / "log").open("ab") as log:
            self._running = subprocess.Popen(
                [str(POSTGRES / "postgres"), *words],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, user=self._user, cwd="/",
            )  # fmt: skip
        assert comes(self._is_ready, 0.05)

    def _is_ready(self) -> bool:
        try:
            self._run("pg_isready", "-q", "-h", str(self.folder))
        except subprocess.CalledProcessError:
            return False
        return True

    def stop(self) -> None:
        """End it at once, with all connections to it."""
        self._running.send_signal(signal.SIGQUIT)
        self._running.wait()


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL that runs; its folder has a name short enough for a socket, and others may enter it."""
    with tempfile.TemporaryDirectory(prefix="nimmt-") as name:
        Path(name).chmod(0o755)
        server = Postgres(Path(name))
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
def working_hub(folder: Path, options: HubOptions) -> Iterator[Hub]:
    """A hub at the broker, without its pages."""
    hub = Hub(options, parse("", ""), folder, print)
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
