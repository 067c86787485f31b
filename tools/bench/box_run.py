"""`nimmt run` with the drivers of a box, as a process, over the simulated wires of `box_program`."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.core.codes import Control, control_code
from hardware.ports import Key, KeyPressed, Scanned
from hardware.simulation.scanner_line import ScannerLine
from tools.bench.box_program import LIT
from tools.bench.machine import HOUSE
from tools.bench.programs import PATIENCE_S, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.bench.evening import Action

CONFIGURATION: Final = """\
board = "adafruit-bonnet"

[scanner]
driver = "serial"
port = "{port}"

[buzzer]
driver = "gpio"
pin = 18

[codes]
plain_numbers = true

[table]
duplicate_s = 0.0
"""
_VERBS: Final = {
    Key.OK: Control.OK,
    Key.UNDO: Control.UNDO,
    Key.ROW_1: Control.ROW_1,
    Key.ROW_2: Control.ROW_2,
    Key.ROW_3: Control.ROW_3,
    Key.ROW_4: Control.ROW_4,
    Key.UP: Control.MORE,
    Key.DOWN: Control.LESS,
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

    def give(self, action: Action) -> None:
        """Scan a code, or the command code of a key."""
        self.line.scan(action.text if isinstance(action, Scanned) else control_code(_VERBS[_key(action)]))

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
    command = [sys.executable, "-m", "tools.bench.box_program", *words]
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


def _key(action: KeyPressed) -> Key:
    if action.key not in _VERBS:
        raise RuntimeError(f"there is no command code for {action.key}")
    return action.key
