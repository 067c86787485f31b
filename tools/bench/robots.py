"""How many rounds of 6 nimmt! a second the engine of the robots plays, beside plain Python with tables."""

from __future__ import annotations

import math
import time
from random import Random
from typing import TYPE_CHECKING, Final

from companion.robots.six.round import TURNS, place
from companion.robots.six.tables import RandomRounds
from tools.bench.figure import Figure, at_least

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.bench.effort import Effort

SEATS: Final = 4
LEAST: Final = {8192: 25.0, 1024: 10.0}
"""The least rate, as a multiple of that of plain Python in the same run, by the number of tables."""

_PLAIN_ROUNDS: Final = 200
_TIMES: Final = 7


def measure(effort: Effort) -> list[Figure]:
    """The rate at each number of tables, as a multiple of that of plain Python; the floor is the shuffle."""
    del effort  # it takes a second
    engines = {tables: RandomRounds(SEATS, tables, seed=tables) for tables in LEAST}
    least_s: dict[str, float] = {}
    # One after the other, again and again: so what other programs take is the same for all.
    for _ in range(_TIMES):
        _timed(least_s, "python", lambda: plain_rounds(_PLAIN_ROUNDS), _PLAIN_ROUNDS)
        for tables, engine in engines.items():
            _timed(least_s, f"{tables}", engine.play, tables)
            _timed(least_s, f"{tables} shuffle", engine.deal, tables)
    found = []
    for tables, least in LEAST.items():
        rate, python = 1 / least_s[f"{tables}"], 1 / least_s["python"]
        found.append(
            Figure(
                name=f"robots.rounds-{tables}",
                about=f"random rounds of 6 nimmt!, {SEATS} players, {tables} tables at once, to plain Python",
                measured=rate / python,
                unit="x",
                limit=at_least(least),
                floor=1 / least_s[f"{tables} shuffle"] / python,
                floor_is="the same shuffle, and nobody plays",
                note=f"processor time; {rate:,.0f} rounds a second, plain Python {python:,.0f}",
                detail={"rounds_per_s": rate, "python_rounds_per_s": python},
            )
        )
    return found


def plain_rounds(rounds: int) -> int:
    """Play so many rounds by chance in plain Python; gives all heads."""
    random, deck, heads = Random(6), list(range(1, 105)), 0
    for _ in range(rounds):
        random.shuffle(deck)
        rows = [[card] for card in deck[:4]]
        for turn in range(TURNS):
            heads += sum(place(rows, deck[4 + turn * SEATS : 4 + (turn + 1) * SEATS]))
    return heads


def _timed(least_s: dict[str, float], name: str, play: Callable[[], object], rounds: int) -> None:
    """Note the least processor time of a round."""
    began_s = time.thread_time()
    play()
    took_s = (time.thread_time() - began_s) / rounds
    least_s[name] = min(least_s.get(name, math.inf), took_s)
