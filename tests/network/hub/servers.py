"""A real PostgreSQL, for this machine alone, in a folder that is removed; and a hub as a process."""

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.network.mqtt.mosquitto import free_port
from tests.patience import PATIENCE_S, comes

POSTGRES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)

needs_postgres = pytest.mark.skipif(POSTGRES is None, reason="there is no PostgreSQL: apt install postgresql")


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The URL of an empty PostgreSQL, reached by a socket in a folder. It never runs as root."""
    assert POSTGRES is not None
    user = "nobody" if os.getuid() == 0 else None
    name = user or pwd.getpwuid(os.getuid()).pw_name
    data = folder / "data"
    data.mkdir()
    if user is not None:
        for one in (folder, data):
            shutil.chown(one, user)
    as_user: dict[str, Any] = {"user": user, "stdin": subprocess.DEVNULL, "cwd": "/"}
    quiet = ["--auth", "trust", "--no-sync", "--locale", "C", "--encoding", "UTF8", "--username", name]
    subprocess.run(
        [str(POSTGRES / "initdb"), "-D", str(data), *quiet], check=True, stdout=subprocess.DEVNULL, **as_user
    )
    address = ["-c", "listen_addresses=", "-k", str(folder), "-c", "fsync=off"]
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(
            [POSTGRES / "postgres", "-D", data, *address], stdout=log, stderr=log, **as_user
        )
    try:
        ready = [str(POSTGRES / "pg_isready"), "-q", "-h", str(folder), "-U", name]
        assert comes(lambda: subprocess.run(ready, check=False, **as_user).returncode == 0, 0.05)
        yield f"postgresql+psycopg://{name}@/postgres?host={folder}"
    finally:
        running.terminate()
        running.wait()


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
