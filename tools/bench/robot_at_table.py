"""What a hard robot of 6 nimmt! costs at a table: memory of a box, and how long it thinks beside others."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING, Final

from companion.core.cards import HIGHEST
from companion.core.codes import badge_code, card_code
from companion.robots import levels
from companion.robots.levels import THINK_S, Level
from companion.robots.six.round import ROWS, TURNS, place
from companion.robots.six.seen import Seen, Turn
from hardware.ports import Key, KeyPressed, Scanned
from tools.bench import machine
from tools.bench.box_run import box_run
from tools.bench.evening import steps_in
from tools.bench.figure import Clock, Figure, at_most, middle
from tools.bench.proc import resident_mb
from tools.bench.programs import PATIENCE_S, bare

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.bench.box_run import BoxRun
    from tools.bench.effort import Effort
    from tools.bench.evening import Action

MEMORY_LIMIT_MB: Final = 95.0
_SEATS: Final = 4
_BUSY_FOR_EACH: Final = 4
"""Programs that do nothing but take processor time, for each processor."""

_BUSY: Final = "while True: pass"
_READY_S: Final = 1.0
_LOOK_S: Final = 0.05

_SIT_DOWN: Final[tuple[Action, ...]] = (
    KeyPressed(Key.OK),  # past the page that greets
    KeyPressed(Key.ROW_1),
    Scanned(badge_code(1)),
    *(KeyPressed(Key.ROW_3),) * 3,  # normal, easy, hard
    KeyPressed(Key.OK),
    KeyPressed(Key.ROW_3),
    KeyPressed(Key.ROW_1),
)
"""One person and a hard robot, at 6 nimmt!, three deals."""

_DEALT: Final[tuple[Action, ...]] = tuple(
    Scanned(card_code("6N", card)) for card in (*range(7, 100, 10), 12, 38, 63, 88)
)
"""The cards of the robot, and those that start the rows."""


def measure(effort: Effort) -> list[Figure]:
    """The memory after the robot has shown a card, and its slowest moves on a busy machine."""
    with machine.fresh_folder(machine.DISK) as folder, box_run(folder) as run:
        memory_mb = _with_robot(run, lambda: steps_in(folder / "journal.sqlite"))
    times_ms = sorted(1000 * took_s for took_s in _thoughts_beside_others(effort.cards))
    slow_ms = times_ms[min(len(times_ms) - 1, len(times_ms) * 99 // 100)]
    alone_ms = 1000 * min(_thoughts(TURNS))
    return [
        Figure(
            name="robot-table.memory",
            about="resident memory of a box after a hard robot of 6 nimmt! has shown a card",
            measured=memory_mb,
            unit="MB",
            limit=at_most(MEMORY_LIMIT_MB),
            floor=_numpy_mb(),
            floor_is="a bare Python that has imported numpy",
            note="VmRSS; the drivers of a box over simulated wires, which count too",
        ),
        Figure(
            name="robot-table.think-p99",
            about=f"99 of 100 moves of a hard robot, {_BUSY_FOR_EACH} busy programs for each processor",
            measured=slow_ms,
            unit="ms",
            limit=at_most(1000 * THINK_S),
            floor=alone_ms,
            floor_is="its quickest move without them",
            note=f"{len(times_ms)} moves, p50 {middle(times_ms):.1f} ms, worst {times_ms[-1]:.1f} ms",
            detail={"p50": middle(times_ms), "worst": times_ms[-1], "samples": len(times_ms)},
            timed_by=Clock.WALL,
        ),
    ]


def _with_robot(run: BoxRun, steps: Callable[[], int]) -> float:
    """The memory of the box once its robot has shown a card."""
    run.wait_for_picture()
    run.watch(_READY_S)
    for action in (*_SIT_DOWN, *_DEALT, KeyPressed(Key.OK)):
        run.give(action)
    until_s = time.monotonic() + PATIENCE_S
    while steps() <= len(_DEALT):
        if time.monotonic() > until_s:
            raise TimeoutError("the robot shows no card")
        run.watch(_LOOK_S)
    return resident_mb(run.pid)


def _thoughts_beside_others(moves: int) -> list[float]:
    """Seconds that each move takes, beside programs that keep every processor busy."""
    with ExitStack() as stack:
        for _ in range(_BUSY_FOR_EACH * (os.cpu_count() or 1)):
            busy = subprocess.Popen([sys.executable, "-c", _BUSY])  # noqa: S603 - a program of ours
            stack.callback(busy.wait)
            stack.callback(busy.kill)
        return _thoughts(moves)


def _thoughts(moves: int) -> list[float]:
    """Seconds of the wall that each move of a hard robot takes."""
    random, times = Random(9), []
    for number in range(moves):
        seen = _moment(random, number % (TURNS - 1))
        robot = levels.six(Level.HARD, number, time.monotonic)
        began_s = time.perf_counter()
        robot.card(seen)
        times.append(time.perf_counter() - began_s)
    return times


def _moment(random: Random, turns: int) -> Seen:
    """What a player has seen after so many turns of a deal in which all play any cards."""
    cards = random.sample(range(1, HIGHEST + 1), ROWS + _SEATS * TURNS)
    rows, hands = [[card] for card in cards[:ROWS]], [cards[ROWS + seat :: _SEATS] for seat in range(_SEATS)]
    played = []
    for _ in range(turns):
        played.append(Turn(tuple(map(tuple, rows)), tuple(hand.pop() for hand in hands)))
        place(rows, played[-1].cards)
    return Seen(_SEATS, 0, tuple(map(tuple, rows)), tuple(sorted(hands[0])), tuple(played))


def _numpy_mb() -> float:
    """The memory of a Python that has only imported numpy."""
    code = "import numpy, sys; print(flush=True); sys.stdin.readline()"
    with subprocess.Popen(bare(code), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdout is not None  # noqa: S101 - asked for above
        process.stdout.readline()
        memory_mb = resident_mb(process.pid)
        process.kill()
        return memory_mb
