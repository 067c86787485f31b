"""What a sync costs on the disk itself, without a database: the floor under the journal."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

STEP_BYTES: Final = 4120
"""What SQLite appends to its log for a step: one page and its header."""


def sync_times_s(folder: Path, byte_count: int, repetitions: int, gap_s: float = 0.0) -> list[float]:
    """How long it takes to append so many bytes to a file and have them on the disk, each time.

    This is the least that a step costs which must survive a power cut. `gap_s` is the pause before each: a
    disk and its driver that have gone to sleep are slower.
    """
    block = os.urandom(byte_count)
    folder.mkdir(parents=True, exist_ok=True)
    place, pause = folder / f"raw-{os.getpid()}", threading.Event()
    file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    times_s = []
    try:
        for _ in range(repetitions):
            pause.wait(gap_s)
            began_s = time.perf_counter()
            os.write(file, block)
            os.fdatasync(file)
            times_s.append(time.perf_counter() - began_s)
    finally:
        os.close(file)
        place.unlink()
    return times_s
