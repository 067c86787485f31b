"""A match on a device of its own process, which says between two acts how many steps there are.

`journal_syncs` runs it under strace and counts what the kernel was asked for between two of its marks.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware.config.configuration import choose, load
from firmware.play.runtime import Runtime
from tools.bench.wired import players

_SEED: Final = 6
_APART_S: Final = 1.5


def play(folder: Path, steps: int, marks: int) -> None:
    """Play until there are so many steps; a line to the open file `marks` after every act."""
    config = replace(load(None), display=choose("display", "none"))
    runtime = Runtime(config, folder / "journal.sqlite")
    try:
        controller, people = runtime.app.controller, players(_SEED)
        made = 0
        while made < steps and (action := people.next(controller)) is not None:
            controller.hear(action, controller.now_s + _APART_S)
            runtime.app.picture()
            match = controller.session.match
            made = match.steps if match else 0
            os.write(marks, f"steps {-1 if match is None else made}\n".encode())
    finally:
        runtime.close()


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]), os.open(os.devnull, os.O_WRONLY))
