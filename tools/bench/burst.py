"""Ten cards in a fifth of a second: how many wait for the loop, and when each is ruled on and can be seen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from tools.bench import disk, machine
from tools.bench.burst_run import GAP_S, Burst, bursts_of_match
from tools.bench.figure import Figure, exactly, middle, slow_end
from tools.bench.turns import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.bench.effort import Effort

_FIRST_SEED: Final = 6
_WIRE: Final = "the wire for the bytes that had to change"
_ABOUT: Final = "ten cards 20 ms apart, while panel, buzzer and disk are busy with those before"


def measure(effort: Effort) -> list[Figure]:
    """Bursts on the whole device: what became of them, how many waited, and how long each took."""
    sync_s = middle(disk.sync_times_s(machine.DISK, disk.STEP_BYTES, PEOPLE * effort.bursts, GAP_S))
    bursts, seed = list[Burst](), _FIRST_SEED
    while len(bursts) < effort.bursts and all(burst.kept == PEOPLE for burst in bursts):
        bursts += bursts_of_match(seed, effort.bursts - len(bursts))
        seed += 1
    least_s = least_waits_s(sync_s)
    wires_s = [[least + wire for least, wire in zip(least_s, burst.wire_s, strict=True)] for burst in bursts]
    sync = f"one sync of {1000 * sync_s:.2f} ms"
    return [
        _kept([burst.kept for burst in bursts]),
        _queue(bursts, longest_queue(sync_s)),
        _latency(
            "ruled",
            "from the last byte of a card to its ruling, which is in the journal by then",
            [one.ruled_s for one in bursts if one.ruled_s],
            ([least_s], sync),
        ),
        _latency(
            "shown",
            "from the last byte of a card to the last bit of the first picture that shows it",
            [one.shown_s for one in bursts if one.shown_s],
            (wires_s, f"{sync}, and {_WIRE}"),
        ),
    ]


# ------------------------------------------------------------------------------------------------ the floor


def least_waits_s(busy_s: float) -> list[float]:
    """When each card is done at the earliest, in seconds after it came, where each takes so long."""
    free_s, waits_s = 0.0, []
    for came_s in (place * GAP_S for place in range(PEOPLE)):
        free_s = max(free_s, came_s) + busy_s
        waits_s.append(free_s - came_s)
    return waits_s


def longest_queue(busy_s: float) -> int:
    """How many wait at once at the least, where each card takes so long."""
    waited = [math.ceil((wait_s - busy_s) / GAP_S - 1e-9) for wait_s in least_waits_s(busy_s)]
    return max(min(there, PEOPLE - place) for place, there in enumerate(waited))


# ---------------------------------------------------------------------------------------------- the figures


def _kept(kept: list[int]) -> Figure:
    good = sum(one == PEOPLE for one in kept)
    return Figure(
        name="burst.in-order",
        about=f"cards in the journal in the order of their scans, in the worst burst: {_ABOUT}",
        measured=min(kept),
        unit="cards",
        limit=exactly(PEOPLE),
        floor=PEOPLE,
        floor_is="the cards that were scanned",
        note=f"the worst of {len(kept)} bursts; {good} whole and in order; {_ABOUT}",
        detail={"bursts": len(kept), "whole": good},
    )


def _queue(bursts: list[Burst], least: int) -> Figure:
    queues = [burst.queue for burst in bursts]
    free = sum(not queue for queue in queues)
    return Figure(
        name="burst.queue",
        about="the most cards that waited at once while the loop was busy",
        measured=max(queues),
        unit="",
        floor=least,
        floor_is="a card that takes no longer than a bare sync",
        note=f"the most cards that waited at once; none in {free} of {len(queues)} bursts",
        detail={"longest": queues},
    )


def _latency(
    name: str,
    about: str,
    bursts: Sequence[Sequence[float]],
    floor: tuple[Sequence[Sequence[float]], str],
) -> Figure:
    name, about = f"burst.{name}", f"{about}: {_ABOUT}"
    floors, floor_is = _by_place(floor[0]), floor[1]
    floor_ms = middle([time_ms for place in floors for time_ms in place])
    if not bursts:
        return Figure(name, about, None, "ms", floor_ms, floor_is, note="cards were lost: see burst.in-order")
    places = _by_place(bursts)
    times_ms = [time_ms for place in places for time_ms in place]
    medians, worst = [middle(place) for place in places], [max(place) for place in places]
    return Figure(
        name,
        about,
        middle(times_ms),
        "ms",
        floor_ms,
        floor_is,
        note=f"1st to 10th: {_told(medians)}; worst: {_told(worst)}; p95 {slow_end(times_ms):.1f} ms",
        detail={
            "p95": slow_end(times_ms),
            "median_by_place": medians,
            "worst_by_place": worst,
            "floor_by_place": [middle(place) for place in floors],
        },
    )


def _by_place(bursts: Sequence[Sequence[float]]) -> list[list[float]]:
    """The times of the first cards, of the second ones and so on, in milliseconds."""
    return [[1000 * time_s for time_s in place] for place in zip(*bursts, strict=True)]


def _told(times_ms: list[float]) -> str:
    return " ".join(f"{time_ms:.1f}" for time_ms in times_ms)
