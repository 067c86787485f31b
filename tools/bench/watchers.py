"""What those who look on cost: fifty programs at the table's socket, and two hundred watchers of its page."""

import json
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from statistics import median
from typing import Final

from firmware.play.runtime import Runtime
from firmware.scripted.players import Players
from firmware.table_socket.server import TableSocket
from tools.bench.cards import cards_of_match
from tools.bench.children import READY
from tools.bench.figure import Clock, Effort, Figure, at_most, late
from tools.bench.machine import MEMORY, fresh_folder, resident_mb
from tools.bench.programs import child
from tools.bench.wired import WiredDevice, live_table

_CLIENTS: Final = 50
_CLIENTS_LIMIT: Final = 1.05
_CARD_GAP_S: Final = 0.1
"""Between two cards, so that the socket has told everybody of the one before: people need seconds."""

_CARDS: Final = 15
"""Of a match; the matches with and without clients take turns."""

_FIRST_SEED: Final = 6

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
def _ready(*words: object) -> Iterator[subprocess.Popen[str]]:
    """A program beside this one that has said that it is ready; its input is closed at the end."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        child(*map(str, words)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        try:
            if process.stdout is None or process.stdout.readline() != READY:
                raise RuntimeError(f"{words} did not become ready")
            yield process
        finally:
            process.kill()


# ---------------------------------------------------------------------------------------------- the socket


def followed(effort: Effort) -> list[Figure]:
    """Pairs of the same match, with clients and without, by the processor time from scan to picture."""
    cards = min(effort.cards, _CARDS)
    alone_ms, followed_ms = list[float](), list[float]()
    for pair in range(max(1, effort.cards // 20)):
        alone_ms.append(_card_ms(pair, cards, is_followed=False))
        followed_ms.append(_card_ms(pair, cards, is_followed=True))
    ratios = [more / less for more, less in zip(followed_ms, alone_ms, strict=True)]
    return [
        Figure(
            "followed.card",
            median(ratios),
            "x",
            at_most(_CLIENTS_LIMIT),
            floor=1.0,
            note=(
                f"{median(followed_ms):.2f} ms and {median(alone_ms):.2f} ms, {len(ratios)} pairs of "
                f"{cards} cards, each {min(ratios):.2f} to {max(ratios):.2f}"
            ),
        )
    ]


def _card_ms(pair: int, cards: int, *, is_followed: bool) -> float:
    samples = cards_of_match(
        MEMORY,
        _FIRST_SEED + pair,
        cards,
        real_time=False,
        still=True,
        gap_s=_CARD_GAP_S,
        beside=_followed if is_followed else nullcontext,
    )
    return median([1000 * sample.took.processor_s for sample in samples])


@contextmanager
def _followed(device: WiredDevice) -> Iterator[None]:
    """The socket of the device, and its clients in a process of their own."""
    with tempfile.TemporaryDirectory(prefix="nimmt-followed-") as folder:
        path = Path(folder) / "table.sock"
        table = TableSocket(device.runtime.app, path)
        table.start()
        try:
            device.runtime.app.look()  # what the first snapshot tells
            with _ready("socket", path, _CLIENTS):
                yield
        finally:
            table.close()


# ------------------------------------------------------------------------------------------------ the page


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
            with _ready("page", port, _WATCHERS) as watchers:
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
        with _ready("page", port, _WATCHERS) as watchers:
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
