"""What whole programs cost: a box with its drivers over simulated wires, the server of the page, the hub.

The journal of the box holds ten thousand matches, for no cost may depend on how much was played before.
"""

import os
import re
import resource
import selectors
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.core.codes import Control, control_code
from companion.match import log
from companion.match.match import Terms
from companion.match.tally import tally_of
from companion.text.errors import CompanionError
from companion.values import replace
from firmware.commands.players import Act
from firmware.config.configuration import load
from firmware.journal.rows import ImportedMatch
from firmware.journal.store import Journal
from firmware.journal.writes import Append
from firmware.session.actions import ROW_KEYS
from hardware.drivers.luma_oled import Options
from hardware.ports import KeyPressed, Scanned
from hardware.simulation.scanner_line import ScannerLine
from network.hub.demo import SimulatedTable, broker
from tools.bench import HOUSE, PATIENCE_S, Figure, processor_of, resident_mb
from tools.bench.simulated_box import LIT
from tools.bench.table import BenchTable, people, steps_of

DISK: Final = HOUSE / "build" / "bench"
"""Where files lie that must be on a real disk; the folder for temporary files may be in memory."""

_MATCHES: Final = 10_000
_AT: Final = "2026-02-21T20:15:00Z"
_CONFIGURATION: Final = """\
board = "adafruit-bonnet"
scanner = {{ driver = "serial", port = "{port}" }}
buzzer = {{ driver = "gpio", pin = 18 }}
codes = {{ plain_numbers = true }}
table = {{ duplicate_s = 0.0 }}
"""
_NIMMT: Final = (sys.executable, "-m", "firmware.cli")
_STEP_OF_VIEW: Final = re.compile(rb'"step":(\d+)[^\n]*\n\n')
_WATCHERS: Final = 200
_FROM_ONE: Final = 50
"""Watchers from one address; the page has a limit."""


def start(most: int) -> Figure:
    """Processor time from the command to the first picture, in the middle of a match."""
    times_s = []
    with _folder() as folder:
        _fill(folder / "journal.sqlite", most)
        for _ in range(min(7, most)):
            with _box(folder) as (pid, _):
                times_s.append(processor_of(pid))
    bare_s = _least_s(most, sys.executable, "-c", "pass")
    return Figure(1000 * min(times_s), "ms", 700, 1000 * bare_s, "floor: a Python that does nothing")


def memory(most: int) -> Figure:
    """Resident memory after a deal was scanned; what simulates the wires counts, too."""
    acts = list(_rehearsed(min(60, most)))
    with _folder() as folder, _box(folder) as (pid, line):
        _listens()
        for code, _ in acts:
            line.scan(code)
        _wait_for_steps(folder / "journal.sqlite", acts[-1][1])
        return Figure(resident_mb(pid), "MB", 60, note=f"after {acts[-1][1]} steps")


def matches(most: int) -> Figure:
    """Processor time of `nimmt matches`, which lists the newest twenty."""
    with _folder() as folder:
        _fill(folder / "journal.sqlite", most)
        listed_s = _least_s(most, *_NIMMT, "matches", "--journal", str(folder / "journal.sqlite"))
        bare_s = _least_s(most, *_NIMMT, "--version")
    return Figure(1000 * listed_s, "ms", 300, 1000 * bare_s, "floor: nimmt --version")


def syncs(most: int) -> Figure:
    """Syncs of the disk for a step; what makes no step, such as closing a page, must not add any."""
    if shutil.which("strace") is None:
        return Figure(None, "a step", 1, 1, "apt-get install strace")
    few, many = 20, 20 + min(200, 4 * most)
    return Figure((_syncs(many) - _syncs(few)) / (many - few), "a step", 1, 1, f"{many - few} steps")


def _syncs(steps: int) -> int:
    """What strace counts while a match is played on the disk to so many steps."""
    with _folder() as folder:
        trace = ["strace", "-f", "-o", str(folder / "trace"), "-e", "fsync,fdatasync,msync,sync_file_range"]
        words = [*trace, sys.executable, "-m", "tools.bench.programs", str(folder), str(steps)]
        subprocess.run(words, cwd=HOUSE, check=True)  # noqa: S603
        return len(re.findall(r"^\d+ +\w*sync\w*\(", (folder / "trace").read_text(), re.MULTILINE))


# ------------------------------------------------------------------------------------------ page and hub


def page(most: int) -> Figure:
    """Processor time of the page's server for a step that two hundred watchers get."""
    with _folder() as folder, _box(folder) as (_, line):
        words = ["--table", f"{folder}/table.sock", "--journal", f"{folder}/journal.sqlite", "--port", "0"]
        with _program("firmware.cli", "web", *words) as (server, said), _watchers(said) as wait_for:
            _listens()
            wait_for(0)
            before_s, steps = processor_of(server.pid), 0
            for code, steps in _rehearsed(min(40, most)):
                line.scan(code)
                wait_for(steps)
            spent_s, memory_mb = processor_of(server.pid) - before_s, resident_mb(server.pid)
    note = f"{_WATCHERS} watchers, {steps} steps, {memory_mb:.0f} MB"
    return Figure(1000 * spent_s / steps, "ms a step", 50, note=note)


@contextmanager
def _watchers(address: bytes) -> Iterator[Callable[[int], None]]:
    """Connections that watch a page, from several addresses of this machine as phones do.

    What it gives waits until all of them have a step. Raises `TimeoutError`.
    """
    port = int(address.partition(b"127.0.0.1:")[2].partition(b"/")[0])
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        for number in range(_WATCHERS):
            source = (f"127.0.0.{2 + number // _FROM_ONE}", 0)
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), source_address=source))
            one.sendall(b"GET /live?language=en HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            selector.register(one, selectors.EVENT_READ)
        newest, rest = dict[int, int](), dict[int, bytes]()

        def wait_for(step: int) -> None:
            until_s = time.monotonic() + PATIENCE_S
            while len(newest) < _WATCHERS or min(newest.values()) < step:
                if time.monotonic() > until_s:
                    raise TimeoutError(f"not everybody has step {step}")
                for key, _ in selector.select(1.0):
                    came = rest.get(key.fd, b"") + os.read(key.fd, 1_000_000)
                    newest.update((key.fd, int(found[1])) for found in _STEP_OF_VIEW.finditer(came))
                    rest[key.fd] = came[came.rfind(b"\n\n") + 2 :]

        yield wait_for


def hub(most: int) -> Figure:
    """Processor time of the hub for a step of one of a hundred tables; none may be missing afterwards."""
    with _folder() as folder, ExitStack() as stack:
        try:
            options = stack.enter_context(broker(folder))
        except CompanionError as missing:
            return Figure(None, "ms a step", 4, note=f"{missing.fault}: {missing.fix}")
        database = folder / "hub.sqlite"
        words = ["--broker", options.broker, "--database", f"sqlite:///{database}"]
        with _program("firmware.cli", "hub", *words, "--port", "0") as (server, _):
            names = [f"t{number}" for number in range(min(100, most))]
            tables = [SimulatedTable(options, name, name, seed) for seed, name in enumerate(names)]
            for table in tables:
                with table.lock:
                    table.box.begin(Terms("six", 4, badges=(1, 2, 3, 4)), f"match-{table.box.name}")
            before_s, pace, turns = processor_of(server.pid), threading.Event(), tables * min(10, most)
            for table in turns:
                pace.wait(0.01)
                with table.lock:
                    table.box.step()
            _wait_for_steps(database, len(turns))
            spent_s, memory_mb = processor_of(server.pid) - before_s, resident_mb(server.pid)
            for table in tables:
                table.leave()
    note = f"{len(tables)} tables, {len(turns)} steps, 100 a second; {memory_mb:.0f} MB"
    return Figure(1000 * spent_s / len(turns), "ms a step", 4, note=note)


# --------------------------------------------------------------------------------- journals and programs


@contextmanager
def _folder() -> Iterator[Path]:
    DISK.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=DISK) as folder:
        yield Path(folder)


def _fill(path: Path, most: int) -> None:
    """A journal of many short matches, and of one that is in play."""
    header, *records = _records(Terms("six", 2, {"end": {"deals": 1}}, badges=(1, 2)), 400)
    tally, steps = tally_of(log.replay([header, *records])), [(record, _AT) for record in records]
    short = ImportedMatch("", header, _AT, steps, tally)
    journal, _ = Journal.open(path)
    with closing(journal):
        journal.import_matches([replace(short, uid=f"{number}") for number in range(min(_MATCHES, most))])
        header, *records = _records(Terms("six", 4, badges=(1, 2, 3, 4)), 30)
        number = journal.begin(header)
        journal.write([Append(number, place, record) for place, record in enumerate(records, start=1)])


def _records(terms: Terms, most: int) -> list[dict[str, Any]]:
    return [log.header(terms), *(log.write_step(step, sentences=False) for step in steps_of(terms, most))]


@contextmanager
def _box(folder: Path) -> Iterator[tuple[int, ScannerLine]]:
    """`nimmt run` that shows its first picture: its process and the line of its scanner.

    Its journal is `journal.sqlite` in `folder`.
    """
    line, configuration = ScannerLine(folder), folder / "box.toml"
    configuration.write_text(_CONFIGURATION.format(port=line.path), encoding="utf-8")
    words = ["run", "--config", str(configuration), "--journal", str(folder / "journal.sqlite")]
    with closing(line), _program("tools.bench.simulated_box", *words) as (process, first):
        if first != LIT:
            raise RuntimeError("the box shows no picture")
        yield process.pid, line


def _listens() -> None:
    """Wait as long as the driver of the scanner throws away what comes after a start."""
    threading.Event().wait(1.0)


@contextmanager
def _program(module: str, *words: str) -> Iterator[tuple[subprocess.Popen[bytes], bytes]]:
    """A program of ours, and the first line that it has written; told to stop at the end, and waited for."""
    command = [sys.executable, "-m", module, *words]
    with subprocess.Popen(command, cwd=HOUSE, stdout=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        try:
            yield process, process.stdout.readline()
            process.terminate()
            process.wait(PATIENCE_S)
        finally:
            process.kill()


def _rehearsed(steps: int, folder: Path | None = None) -> Iterator[tuple[str, int]]:
    """What is scanned at a box to come to so many steps, and how many there are after each code.

    Before the match begins there are -1.
    """
    with BenchTable(load(None), Options(), folder) as table:
        yield control_code(Control.OK), -1  # past the page that greets, which is not shown here
        group, made = people(6), -1
        while made < steps and (act := group.next(table.table)) is not None:
            table.act(act)
            match = table.table.session.match
            made = match.steps if match else -1
            yield _code(act), made


def _code(act: Act) -> str:
    """The printed code that does the same as an act; a choice is that of a row, or of the first game."""
    if isinstance(act, Scanned):
        return act.text
    row = 0 if isinstance(act, KeyPressed) or not act.choice.isdigit() else int(act.choice)
    key = act.key if isinstance(act, KeyPressed) else ROW_KEYS[row]
    return control_code(Control[key.name])


def _wait_for_steps(database: Path, steps: int) -> None:
    """Wait until another program has stored so many steps. Raises `TimeoutError`."""
    until_s, again, found = time.monotonic() + PATIENCE_S, threading.Event(), -1
    while found < steps:
        if time.monotonic() > until_s:
            raise TimeoutError(f"{steps - found} of {steps} steps are missing")
        again.wait(0.1)
        with closing(sqlite3.connect(database)) as db:
            (found,) = db.execute("SELECT count(*) FROM step").fetchone()


def _least_s(most: int, *words: str) -> float:
    """The processor time of a program, the shortest of some runs."""
    times_s = []
    for _ in range(min(5, most)):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, cwd=HOUSE, check=True, capture_output=True)  # noqa: S603
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times_s.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times_s)


if __name__ == "__main__":  # what `syncs` looks at
    for _ in _rehearsed(int(sys.argv[2]), Path(sys.argv[1])):
        pass
