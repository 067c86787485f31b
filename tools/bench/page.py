"""How long after a step the page shows it to two hundred watchers, and what its server takes meanwhile."""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.config.configuration import choose, load
from firmware.play.runtime import Runtime
from firmware.scripted.players import Players
from firmware.table_socket.server import TableSocket
from tools.bench import machine
from tools.bench.figure import Clock, Figure, at_most, middle
from tools.bench.proc import resident_mb

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tools.bench.effort import Effort

WATCHERS: Final = 200
LIMIT_MS: Final = 200.0
LIMIT_MB: Final = 80.0

_GAP_S: Final = 0.3
"""Between two steps: people need seconds."""

_PATIENCE_S: Final = 60.0
_VIEW_BYTES: Final = 6000
"""What a view of the page has, for the floor."""

_Sent = dict[int, float]
"""When each step was given to the table, or its view to the first socket."""


def measure(effort: Effort) -> list[Figure]:
    """A match in play, its page as a program of its own, and watchers in another one."""
    steps = max(3, effort.cards // 4)
    folder = machine.MEMORY if machine.MEMORY.is_dir() else machine.DISK
    try:
        import uvicorn  # noqa: F401 - the extra [web]
    except ModuleNotFoundError:
        note = "install the extra: nimmt-companion[web]"
        return [Figure("page.step", "a step on the page", None, "ms", None, "", note=note)]
    with tempfile.TemporaryDirectory(dir=folder) as name:
        sent, had, taken_mb = _watched(Path(name), steps)
    took_ms = _took_ms(sent, had)
    floor_ms = _took_ms(*_plainly(steps))
    about = f"from a step at the table to its view at each of {WATCHERS} watchers: what 99 of 100 do not pass"
    return [
        Figure(
            name="page.step",
            about=about,
            measured=_late(took_ms),
            unit="ms",
            limit=at_most(LIMIT_MS),
            floor=_late(floor_ms),
            floor_is="the same bytes, written by a plain loop to as many sockets",
            note=f"the median is {middle(took_ms):.0f} ms; {len(took_ms)} views of {len(had)} steps",
            timed_by=Clock.WALL,
        ),
        Figure(
            name="page.memory",
            about=f"resident memory of the page's server with {WATCHERS} watchers",
            measured=taken_mb,
            unit="MB",
            limit=at_most(LIMIT_MB),
            floor=None,
            floor_is="",
        ),
    ]


def _late(took_ms: list[float]) -> float:
    return sorted(took_ms)[-(len(took_ms) // 100) - 1]


def _took_ms(sent: _Sent, had: Mapping[int, list[float]]) -> list[float]:
    return [1000 * (at_s - sent[step]) for step, times in had.items() if step in sent for at_s in times]


def _watched(folder: Path, steps: int) -> tuple[_Sent, dict[int, list[float]], float]:
    """Steps of a match that is watched: when each was given, when each watcher had it, memory in MB."""
    with _table(folder) as runtime:
        words = [sys.executable, "-m", "firmware.cli", "web", "--table", str(folder / "table.sock")]
        words += ["--journal", str(folder / "journal.sqlite"), "--port", str(_free_port())]
        page = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own program
        try:
            assert page.stdout is not None  # noqa: S101 - it is a pipe
            address = page.stdout.readline()
            port = int(address.partition("127.0.0.1:")[2].partition("/")[0])
            with _watchers(port) as watchers:
                sent = _play(runtime, steps)
                had = _told(watchers)
            return sent, had, resident_mb(page.pid)
        finally:
            page.terminate()
            page.communicate()


def _play(runtime: Runtime, steps: int) -> _Sent:
    """Let players make so many steps; when each was given to the table."""
    players, sent = Players("six", 4, random.Random(6)), _Sent()
    app, answered = runtime.app, threading.Event()
    app.drawn = lambda _controller: answered.set() if app.waiting == 0 else None
    while len(sent) < steps:
        before = runtime.session.match
        message = players.next(app.controller)
        if message is None:
            break
        answered.clear()
        at_s = time.monotonic()
        app.post(message)
        if not answered.wait(_PATIENCE_S):
            raise TimeoutError("the table does not answer")
        match = runtime.session.match
        if match is not None and before is not None and match.steps > before.steps:
            sent[match.steps] = at_s
            time.sleep(_GAP_S)  # noqa: TID251 - the pace of a table, not a wait
    time.sleep(1.0)  # noqa: TID251 - what comes later is as good as lost
    return sent


@contextmanager
def _table(folder: Path) -> Iterator[Runtime]:
    """A device in play, whose loop runs in a thread."""
    made: list[Runtime] = []
    ready = threading.Event()

    def live() -> None:
        config = replace(load(None), display=choose("display", "simulated"))
        runtime = Runtime(config, folder / "journal.sqlite")
        table = TableSocket(runtime.app, folder / "table.sock")
        try:
            table.start()
            made.append(runtime)
            ready.set()
            runtime.app.run()
        finally:
            table.close()
            runtime.close()

    thread = threading.Thread(target=live)
    thread.start()
    try:
        if not ready.wait(_PATIENCE_S):
            raise TimeoutError("the table does not begin")
        yield made[0]
    finally:
        if made:
            made[0].app.stop()
        thread.join()


@contextmanager
def _watchers(port: int) -> Iterator[subprocess.Popen[str]]:
    """All watchers, each of which has its first view."""
    words = [sys.executable, "-m", "tools.bench.page_watchers", str(port), str(WATCHERS)]
    watchers = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        if watchers.stdout is None or watchers.stdout.readline() != "ready\n":
            raise RuntimeError("the watchers did not get a first view")
        yield watchers
    finally:
        watchers.kill()
        watchers.communicate()


def _told(watchers: subprocess.Popen[str]) -> dict[int, list[float]]:
    """End the watchers; when each of them had each step."""
    told, _ = watchers.communicate()
    return {int(step): times for step, times in json.loads(told).items()}


def _plainly(steps: int) -> tuple[_Sent, dict[int, list[float]]]:
    """The floor: views of the same size, written to every socket by a plain loop."""
    with socket.create_server(("127.0.0.1", 0), backlog=WATCHERS) as server:
        open_: list[socket.socket] = []
        port = server.getsockname()[1]

        def accept() -> None:
            for _ in range(WATCHERS):
                connection, _address = server.accept()
                connection.sendall(b'"step":0\n\n')
                open_.append(connection)

        accepting = threading.Thread(target=accept)
        accepting.start()
        with _watchers(port) as watchers:
            accepting.join()
            sent = _Sent()
            for step in range(1, steps + 1):
                sent[step] = time.monotonic()
                view = b"x" * _VIEW_BYTES + f'"step":{step}\n\n'.encode()
                for connection in open_:
                    connection.sendall(view)
                time.sleep(_GAP_S)  # noqa: TID251 - as above
            had = _told(watchers)
        for connection in open_:
            connection.close()
    return sent, had


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
