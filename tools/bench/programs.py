"""Programs of this project as processes of their own: how they are started; nothing is judged here.

They run in this environment, in the folder of the project, with nothing of ours in memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final

from tools.bench.machine import HOUSE
from tools.bench.spent import Spent, ended

PATIENCE_S: Final = 60.0


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


def run_times(command: list[str], repetitions: int) -> list[Spent]:
    """What a process takes from its start to its end, each time, after a first start that fills the caches.

    Raises `subprocess.CalledProcessError` where the program fails.
    """
    times = []
    for _ in range(repetitions + 1):
        began_s = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603 - our own programs
            command, cwd=HOUSE, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        patience = threading.Timer(PATIENCE_S, process.kill)
        patience.start()
        times.append(ended(process, began_s))
        patience.cancel()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
    return times[1:]
