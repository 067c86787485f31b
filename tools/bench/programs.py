"""Programs of this project as processes of their own: how they are started, and a box among them.

They run in this environment, in the folder of the project, with nothing of ours in memory.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.core.codes import Control, control_code
from firmware.session.actions import ROW_KEYS
from hardware.ports import ChoiceMade, Key, KeyPressed, Scanned
from hardware.simulation.scanner_line import ScannerLine
from tools.bench.children import LIT
from tools.bench.machine import HOUSE, KIB_PER_MB, Measured

if TYPE_CHECKING:
    from firmware.scripted.players import Act

PATIENCE_S: Final = 60.0
READY_S: Final = 1.0
"""After the first picture of a box: its scanner's driver throws away what comes in that time."""

_CONFIGURATION: Final = """\
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
_KEYS: Final = {
    Key.OK: Control.OK,
    Key.UNDO: Control.UNDO,
    Key.ROW_1: Control.ROW_1,
    Key.ROW_2: Control.ROW_2,
    Key.ROW_3: Control.ROW_3,
    Key.ROW_4: Control.ROW_4,
    Key.UP: Control.MORE,
    Key.DOWN: Control.LESS,
}
"""The command codes that do the same as keys."""


def nimmt(*words: str) -> list[str]:
    """The command line of `nimmt` as it is installed beside this Python, else as a module."""
    installed = Path(sys.executable).with_name("nimmt")
    program = [str(installed)] if installed.exists() else [sys.executable, "-m", "firmware.cli"]
    return [*program, *words]


def bare(code: str) -> list[str]:
    """A Python that does as little as the code says."""
    return [sys.executable, "-c", code]


def environment(folder: Path | None = None) -> dict[str, str]:
    """What a program finds around it; its state and its temporary files are in `folder`."""
    told = {"PYTHONPATH": str(HOUSE), "TERM": "xterm-256color", "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
    if folder is not None:
        told |= {"XDG_STATE_HOME": str(folder), "TMPDIR": str(folder)}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GPIOZERO"))}
    return kept | told


def child(name: str, *words: object) -> list[str]:
    return [sys.executable, "-m", "tools.bench.children", name, *map(str, words)]


def ran(command: list[str], folder: Path) -> tuple[Measured, str]:
    """What a program took that ends by itself, and the last word that it printed.

    What its own children used counts. It is killed after `PATIENCE_S`. Raises
    `subprocess.CalledProcessError` where it fails.
    """
    with (folder / "printed").open("w+b") as printed:
        began_s = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603 - our own programs
            command, cwd=HOUSE, env=environment(folder), stdin=subprocess.DEVNULL, stdout=printed
        )
        patience = threading.Timer(PATIENCE_S, process.kill)
        patience.start()
        _, status, used = os.wait4(process.pid, 0)
        took_s = time.perf_counter() - began_s
        patience.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        printed.seek(max(0, printed.seek(0, os.SEEK_END) - 100))
        spent = Measured(took_s, used.ru_utime + used.ru_stime, used.ru_maxrss / KIB_PER_MB)
        return spent, b"".join(printed.read().split()[-1:]).decode()


class Box:
    """`nimmt run` with the drivers of a box in a process of its own, its scanner in our hands."""

    def __init__(self, process: subprocess.Popen[bytes], line: ScannerLine) -> None:
        self._process, self._line = process, line

    @property
    def pid(self) -> int:
        return self._process.pid

    def give(self, actions: Iterable[Act]) -> None:
        """Scan codes, and the command codes of keys; a choice is that of a row, or of the first game."""
        for action in actions:
            self._line.scan(action.text if isinstance(action, Scanned) else control_code(_KEYS[_key(action)]))

    def wait_for_picture(self) -> None:
        """Wait until the panel is switched on. Raises `RuntimeError` where the program ends before."""
        if self._process.stdout is None or self._process.stdout.readline() != LIT:
            raise RuntimeError("the box shows no picture")


def _key(action: KeyPressed | ChoiceMade) -> Key:
    if isinstance(action, KeyPressed):
        return action.key
    return ROW_KEYS[int(action.choice) if action.choice.isdigit() else 0]


@contextmanager
def in_box(folder: Path) -> Iterator[Box]:
    """Start it over simulated wires; told to stop at the end, and waited for.

    Its journal is `journal.sqlite` in `folder`. Raises `subprocess.CalledProcessError` where it fails.
    """
    line = ScannerLine(folder)
    configuration = folder / "box.toml"
    configuration.write_text(_CONFIGURATION.format(port=line.path), encoding="utf-8")
    command = child("box", "run", "--config", configuration, "--journal", folder / "journal.sqlite")
    process = subprocess.Popen(  # noqa: S603 - our own program
        command, cwd=HOUSE, env=environment(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    with process:
        try:
            yield Box(process, line)
            process.send_signal(signal.SIGTERM)
            if process.wait(PATIENCE_S):
                raise subprocess.CalledProcessError(process.returncode, command)
        finally:
            process.kill()
            line.close()
