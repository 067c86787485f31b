"""What a hard robot of 6 nimmt! costs: the memory of a box."""

import subprocess
import threading
from typing import Final

from companion.core.codes import badge_code, card_code
from firmware.scripted.players import Act
from hardware.ports import Key, KeyPressed, Scanned
from tools.bench.figure import Effort, Figure, at_most
from tools.bench.machine import DISK, fresh_folder, resident_mb
from tools.bench.programs import READY_S, bare, in_box
from tools.bench.wired import wait_for_steps

_MEMORY_LIMIT_MB: Final = 95.0
_SIT_DOWN: Final[tuple[Act, ...]] = (
    KeyPressed(Key.OK),  # past the page that greets
    KeyPressed(Key.ROW_1),
    Scanned(badge_code(1)),
    *(KeyPressed(Key.ROW_3),) * 3,  # normal, easy, hard
    KeyPressed(Key.OK),
    KeyPressed(Key.ROW_3),
    KeyPressed(Key.ROW_1),
)
"""One person and a hard robot, at 6 nimmt!, three deals."""

_DEALT: Final[tuple[Act, ...]] = tuple(
    Scanned(card_code("6N", card)) for card in (*range(7, 100, 10), 12, 38, 63, 88)
)
"""The cards of the robot, and those that start the rows."""


def robots(_effort: Effort) -> list[Figure]:
    """The memory after a robot has shown a card."""
    with fresh_folder(DISK) as folder, in_box(folder) as box:
        box.wait_for_picture()
        threading.Event().wait(READY_S)
        box.give([*_SIT_DOWN, *_DEALT, KeyPressed(Key.OK)])
        wait_for_steps(folder / "journal.sqlite", len(_DEALT) + 1)
        memory_mb = resident_mb(box.pid)
    note = "VmRSS; the drivers of a box over simulated wires, which count too"
    return [Figure("robots.memory", memory_mb, "MB", at_most(_MEMORY_LIMIT_MB), floor=_numpy_mb(), note=note)]


def _numpy_mb() -> float:
    """The memory of a Python that has only imported numpy."""
    code = "import numpy, sys; print(flush=True); sys.stdin.readline()"
    with subprocess.Popen(bare(code), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdout is not None  # noqa: S101 - asked for above
        process.stdout.readline()
        memory_mb = resident_mb(process.pid)
        process.kill()
        return memory_mb
