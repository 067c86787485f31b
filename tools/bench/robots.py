"""What a hard robot of 6 nimmt! costs: the memory of a box, and its time among busy programs."""

import os
import subprocess
import threading
import time
from contextlib import ExitStack
from random import Random
from statistics import median
from typing import Final

from companion.core.cards import HIGHEST, ROWS, TURNS
from companion.core.codes import badge_code, card_code
from companion.robots import levels
from companion.robots.levels import Level
from companion.robots.six.plain import place
from companion.robots.six.seen import SixPlayerView, TurnCards
from firmware.scripted.players import Act
from hardware.ports import Key, KeyPressed, Scanned
from tools.bench.figure import Clock, Effort, Figure, at_most, late
from tools.bench.machine import DISK, fresh_folder, resident_mb
from tools.bench.programs import READY_S, bare, in_box
from tools.bench.wired import wait_for_steps

_SEATS: Final = 4
_MEMORY_LIMIT_MB: Final = 95.0
_THINK_LIMIT_MS: Final = 1500.0
_BUSY_FOR_EACH: Final = 4
"""Programs that do nothing but take processor time, for each processor."""

_BUSY: Final = "while True: pass"

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


def robots(effort: Effort) -> list[Figure]:
    """The memory after a robot has shown a card, and its slowest moves."""
    return [_memory(), _thinking(effort.cards)]


def _memory() -> Figure:
    with fresh_folder(DISK) as folder, in_box(folder) as box:
        box.wait_for_picture()
        threading.Event().wait(READY_S)
        box.give([*_SIT_DOWN, *_DEALT, KeyPressed(Key.OK)])
        wait_for_steps(folder / "journal.sqlite", len(_DEALT) + 1)
        memory_mb = resident_mb(box.pid)
    return Figure(
        "robots.memory",
        memory_mb,
        "MB",
        at_most(_MEMORY_LIMIT_MB),
        floor=_numpy_mb(),
        note="VmRSS; the drivers of a box over simulated wires, which count too",
    )


def _thinking(moves: int) -> Figure:
    times_ms = [1000 * took_s for took_s in _thoughts_beside_others(moves)]
    return Figure(
        "robots.think-p99",
        late(times_ms, 99),
        "ms",
        at_most(_THINK_LIMIT_MS),
        floor=1000 * min(_thoughts(TURNS)),
        note=f"{len(times_ms)} moves, p50 {median(times_ms):.1f} ms, worst {max(times_ms):.1f} ms",
        timed_by=Clock.WALL,
    )


def _thoughts_beside_others(moves: int) -> list[float]:
    """Seconds that each move takes, beside programs that keep every processor busy."""
    with ExitStack() as stack:
        for _ in range(_BUSY_FOR_EACH * (os.cpu_count() or 1)):
            busy = subprocess.Popen(bare(_BUSY))  # noqa: S603 - a program of ours
            stack.callback(busy.wait)
            stack.callback(busy.kill)
        return _thoughts(moves)


def _thoughts(moves: int) -> list[float]:
    """Seconds of the wall that each move of a hard robot takes."""
    random, times = Random(9), []
    for number in range(moves):
        seen = _moment(random, number % (TURNS - 1))
        robot = levels.robot("six", Level.HARD, number)
        began_s = time.perf_counter()
        robot.card(seen)
        times.append(time.perf_counter() - began_s)
    return times


def _moment(random: Random, turns: int) -> SixPlayerView:
    """What a player has seen after so many turns of a deal in which all play any cards."""
    cards = random.sample(range(1, HIGHEST + 1), ROWS + _SEATS * TURNS)
    rows, hands = [[card] for card in cards[:ROWS]], [cards[ROWS + seat :: _SEATS] for seat in range(_SEATS)]
    played = []
    for _ in range(turns):
        played.append(TurnCards(tuple(map(tuple, rows)), tuple(hand.pop() for hand in hands)))
        place(rows, played[-1].cards)
    return SixPlayerView(_SEATS, 0, tuple(map(tuple, rows)), tuple(sorted(hands[0])), tuple(played))


def _numpy_mb() -> float:
    """The memory of a Python that has only imported numpy."""
    code = "import numpy, sys; print(flush=True); sys.stdin.readline()"
    with subprocess.Popen(bare(code), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdout is not None  # noqa: S101 - asked for above
        process.stdout.readline()
        memory_mb = resident_mb(process.pid)
        process.kill()
        return memory_mb
