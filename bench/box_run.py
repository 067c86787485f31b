"""`nimmt run` with the drivers of a box, as a process, over the simulated wires of `box_program`."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bench.box_program import LIT
from bench.machine import HOUSE
from bench.programs import PATIENCE_S, environment
from companion.codes import Verb, command_code
from hardware.ports import Key, KeyPressed, Scanned
from hardware.simulation.scanner_line import ScannerLine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.evening import Act

CONFIGURATION: Final = """\
board = "adafruit-bonnet"

[scanner]
driver = "serial"
port = "{port}"

[buzzer]
driver = "gpio"
pin = 18

[table]
duplicate_s = 0.0
"""
_VERBS: Final = {
    Key.OK: Verb.OK,
    Key.UNDO: Verb.UNDO,
    Key.ROW_1: Verb.ROW_1,
    Key.ROW_2: Verb.ROW_2,
    Key.ROW_3: Verb.ROW_3,
    Key.ROW_4: Verb.ROW_4,
    Key.UP: Verb.MORE,
    Key.DOWN: Verb.LESS,
}


@dataclass(frozen=True, slots=True)
class BoxRun:
    """A running box, its scanner in our hands. For one thread."""

    process: subprocess.Popen[bytes]
    line: ScannerLine

    @property
    def pid(self) -> int:
        """The process."""
        return self.process.pid

    def give(self, act: Act) -> None:
        """Scan a code, or the command code of a key."""
        self.line.scan(act.text if isinstance(act, Scanned) else command_code(_VERBS[_key(act)]))

    def watch(self, for_s: float) -> None:
        """Let so many seconds pass."""
        threading.Event().wait(for_s)

    def wait_for_picture(self) -> None:
        """Wait until the panel is switched on. Raises `RuntimeError` where the program ends before."""
        if self.process.stdout is None or self.process.stdout.readline().strip() != LIT.encode():
            raise RuntimeError("the box shows no picture")


@contextmanager
def box_run(folder: Path) -> Iterator[BoxRun]:
    """Start it with its journal in `folder`; told to stop at the end, and waited for.

    Raises `subprocess.CalledProcessError` where it does not end well.
    """
    line = ScannerLine(folder)
    configuration = folder / "box.toml"
    configuration.write_text(CONFIGURATION.format(port=line.path), encoding="utf-8")
    words = ["run", "--config", str(configuration), "--journal", str(folder / "journal.sqlite")]
    command = [sys.executable, "-m", "bench.box_program", *words]
    process = subprocess.Popen(  # noqa: S603 - our own program
        command, cwd=HOUSE, env=environment(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    try:
        yield BoxRun(process, line)
        process.send_signal(signal.SIGTERM)
        if process.wait(PATIENCE_S):
            raise subprocess.CalledProcessError(process.returncode, command)
    finally:
        process.kill()
        process.wait()
        line.close()
        if process.stdout is not None:
            process.stdout.close()


def _key(act: KeyPressed) -> Key:
    if act.key not in _VERBS:
        raise RuntimeError(f"there is no command code for {act.key}")
    return act.key
