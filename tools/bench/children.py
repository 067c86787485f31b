"""Programs that measures run beside themselves: `python -m tools.bench.children NAME WORDS`.

- `box`: `nimmt` over simulated wires;
- `journal FOLDER STEPS`: a match that says between two acts how many steps there are;
- `socket PATH COUNT`: clients of a table's socket, the first of which never reads;
- `page PORT COUNT`: watchers of a page.

Each imports what it needs by itself, so that it holds nothing in memory that it does not need.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.bench.machine import BUS_HZ, simulated_pins

if TYPE_CHECKING:
    from hardware.simulation.panels import SimulatedPanel

LIT: Final = b"lit\n"
READY: Final = "ready\n"
_LOOK_S: Final = 0.001
_APART_S: Final = 1.5
_FROM_ONE: Final = 50
"""Watchers from one address; the page has a limit."""


def box(*words: str) -> int:
    """Run `nimmt` with these words. Chip, bus and panel are simulated in this process.

    The real gpiozero, gpiod, luma, smbus2 and pyserial run on them; the scanner's line is the caller's. A
    line on standard output tells that the panel was switched on: its first picture is in its memory then.
    """
    from hardware.simulation.buses import SimulatedI2cBus
    from hardware.simulation.panels import SimulatedPanel

    simulated_pins()
    from firmware.cli.main import main as nimmt

    panel = SimulatedPanel("ssd1306")
    with SimulatedI2cBus(panel, bus_hz=BUS_HZ, real_time=True):
        threading.Thread(target=_tell_when_lit, args=(panel,), daemon=True).start()
        return nimmt(list(words))


def _tell_when_lit(panel: SimulatedPanel) -> None:
    again = threading.Event()
    while not panel.lit:
        again.wait(_LOOK_S)
    os.write(1, LIT)  # not by a buffer: at the end of the program somebody may hold its lock


def journal(folder: str, steps: str) -> None:
    """Play until there are so many steps. After every act a line is written, for strace to see."""
    from tools.bench.wired import players, without_devices

    marks = os.open(os.devnull, os.O_WRONLY)
    with without_devices(Path(folder) / "journal.sqlite") as runtime:
        controller, people, made = runtime.app.controller, players(6), 0
        while made < int(steps) and (action := people.next(controller)) is not None:
            controller.hear(action, controller.now_s + _APART_S)
            runtime.app.picture()
            match = controller.session.match
            made = match.steps if match else 0
            os.write(marks, f"steps {-1 if match is None else made}\n".encode())


def socket_clients(path: str, count: str) -> None:
    """Print a line once all clients have their snapshot, and end when the input does."""
    import selectors
    import socket

    selector, waiting, made = selectors.DefaultSelector(), set[int](), list[socket.socket]()
    for place in range(int(count)):
        made.append(connection := socket.socket(socket.AF_UNIX))
        connection.connect(path)
        if place:
            selector.register(connection, selectors.EVENT_READ)
            waiting.add(connection.fileno())
    selector.register(sys.stdin, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if not isinstance(key.fileobj, socket.socket):
                return
            came = key.fileobj.recv(1_000_000)
            if key.fd in waiting and b'"kind":"snapshot"' in came:
                waiting.discard(key.fd)
                if not waiting:
                    print(READY, end="", flush=True)
            if not came:
                selector.unregister(key.fileobj)


def page_watchers(port: str, count: str) -> None:
    """Watch a page from several addresses of this machine, as phones do, until the input ends.

    A line is printed once all have a first view, and at the end, as JSON, when each of them had each step
    first: seconds of the monotonic clock by step.
    """
    import json
    import re
    import selectors
    import socket
    from collections import defaultdict

    step_of_view = re.compile(rb'"step":(\d+)[^\n]*\n\n')
    selector, waiting, made = selectors.DefaultSelector(), set[int](), list[socket.socket]()
    rest, newest = dict[int, bytes](), dict[int, int]()
    had: dict[int, list[float]] = defaultdict(list)
    for place in range(int(count)):
        source = (f"127.0.0.{2 + place // _FROM_ONE}", 0)
        made.append(connection := socket.create_connection(("127.0.0.1", int(port)), source_address=source))
        connection.sendall(b"GET /live?language=en HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
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
            for found in step_of_view.finditer(text):
                step = int(found[1])
                if step > newest.get(key.fd, -1):
                    newest[key.fd] = step
                    had[step].append(now_s)
                if key.fd in waiting:
                    waiting.discard(key.fd)
                    if not waiting:
                        print(READY, end="", flush=True)
            rest[key.fd] = text[text.rfind(b"\n\n") + 2 :][-100_000:]


if __name__ == "__main__":
    _CHILDREN: dict[str, Callable[..., int | None]] = {
        "box": box,
        "journal": journal,
        "socket": socket_clients,
        "page": page_watchers,
    }
    sys.exit(_CHILDREN[sys.argv[1]](*sys.argv[2:]))
