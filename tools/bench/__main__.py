"""`python -m tools.bench`: measure, and compare with the limits; the exit status says what was found."""

import argparse
import os
import platform
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from tools.bench import Figure, outcome

_PROGRAMS: Final = ("start", "memory", "matches", "syncs", "page", "hub")
_TABLE: Final = ("scan", "wire", "replay", "referee", "robot", "camera")
FIGURES: Final = dict.fromkeys(_PROGRAMS, "programs") | dict.fromkeys(_TABLE, "table")
"""What is measured, and the file with the function of that name; nothing is imported before it is needed."""

FULL: Final = 10_000
QUICK: Final = 5
"""At most so often anything is done: it shows that all can be measured, and the numbers say nothing."""


def measure(name: str, most: int = FULL) -> Figure:
    """One figure; takes up to a minute. Nothing is repeated more often than `most`."""
    measured: Callable[[int], Figure] = getattr(import_module(f"tools.bench.{FIGURES[name]}"), name)
    return measured(most)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure one after the other: two at a time would disturb each other."""
    words = argparse.ArgumentParser(prog="python -m tools.bench", description="Measure what is promised.")
    words.add_argument("--only", action="append", choices=FIGURES, help="may be given several times")
    words.add_argument("--quick", action="store_true", help="see that all can be measured")
    given = words.parse_args(argv)
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores\n")
    print(_row("figure", "measured", "limit", "floor", "unit", "verdict", "note"), flush=True)
    figures = []
    for name in given.only or FIGURES:
        figures.append(figure := measure(name, QUICK if given.quick else FULL))
        numbers = map(_number, (figure.measured, figure.limit, figure.floor))
        print(_row(name, *numbers, figure.unit, figure.verdict, figure.note), flush=True)
    held = sum(figure.verdict == "held" for figure in figures)
    print(f"\n{held} of {len(figures)} limits are held")
    return outcome(figures)


def _row(*cells: str) -> str:
    return "{:8}{:>9}{:>7}{:>7}  {:12}{:15}{}".format(*cells).rstrip()


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.0f}" if value == int(value) or value >= 100 else f"{value:.2f}"


if __name__ == "__main__":
    sys.exit(main())
