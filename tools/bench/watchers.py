"""What those who look on cost: two hundred watchers of a table's page."""

import json
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

from firmware.play.runtime import Runtime
from firmware.scripted.players import Players
from tools.bench.children import READY
from tools.bench.figure import Clock, Effort, Figure, at_most, late
from tools.bench.machine import MEMORY, fresh_folder, resident_mb
from tools.bench.programs import child
from tools.bench.wired import live_table

_WATCHERS: Final = 200
_LIMIT_MS: Final = 200.0
_LIMIT_MB: Final = 80.0
_STEP_GAP_S: Final = 0.3
_PATIENCE_S: Final = 60.0
_VIEW_BYTES: Final = 6000
"""What a view of the page has, for the floor."""

_Sent = dict[int, float]
"""When each step was given to the table, or its view to the first socket."""


@contextmanager
def _watchers(port: int) -> Iterator[subprocess.Popen[str]]:
    """A program with all watchers of a page, who have their first view; killed at the end."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        child("page", port, _WATCHERS), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        try:
            if process.stdout is None or process.stdout.readline() != READY:
                raise RuntimeError("the watchers did not become ready")
            yield process
        finally:
            process.kill()


def page(effort: Effort) -> list[Figure]:
    """A match in play, its page as a program of its own, and watchers in another one."""
    steps = max(3, effort.cards // 4)
    try:
        import uvicorn  # noqa: F401 - the extra [web]
    except ModuleNotFoundError:
        note = "install the extra: nimmt-companion[web]"
        return [Figure("page.step", None, "ms", at_most(_LIMIT_MS), note=note)]
    with fresh_folder(MEMORY) as folder:
        sent, had, taken_mb = _watched(folder, steps)
    took_ms = _took_ms(sent, had)
    floor_ms = _took_ms(*_plainly(steps))
    return [
        Figure(
            "page.step",
            late(took_ms, 99),
            "ms",
            at_most(_LIMIT_MS),
            floor=late(floor_ms, 99),
            note=f"the median is {median(took_ms):.0f} ms; {len(took_ms)} views of {len(had)} steps",
            timed_by=Clock.WALL,
        ),
        Figure("page.memory", taken_mb, "MB", at_most(_LIMIT_MB)),
    ]


def _took_ms(sent: _Sent, had: Mapping[int, list[float]]) -> list[float]:
    return [1000 * (at_s - sent[step]) for step, times in had.items() if step in sent for at_s in times]


def _watched(folder: Path, steps: int) -> tuple[_Sent, dict[int, list[float]], float]:
    """Steps of a match that is watched: when each was given, when each watcher had it, memory in MB."""
    with live_table(folder) as runtime:
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
            time.sleep(_STEP_GAP_S)  # noqa: TID251 - the pace of a table, not a wait
    time.sleep(1.0)  # noqa: TID251 - what comes later is as good as lost
    return sent


def _told(watchers: subprocess.Popen[str]) -> dict[int, list[float]]:
    """End the watchers; when each of them had each step."""
    told, _ = watchers.communicate()
    return {int(step): times for step, times in json.loads(told).items()}


def _plainly(steps: int) -> tuple[_Sent, dict[int, list[float]]]:
    """The floor: views of the same size, written to every socket by a plain loop."""
    with socket.create_server(("127.0.0.1", 0), backlog=_WATCHERS) as server:
        open_: list[socket.socket] = []
        port = server.getsockname()[1]

        def accept() -> None:
            for _ in range(_WATCHERS):
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
                time.sleep(_STEP_GAP_S)  # noqa: TID251 - as above
            had = _told(watchers)
        for connection in open_:
            connection.close()
    return sent, had


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
