"""`python -m tools.bench`: measure, print, write; the exit status says held, missed or not measurable."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from firmware import __version__
from tools.bench import machine, report
from tools.bench.effort import FULL, QUICK
from tools.bench.figure import outcome
from tools.bench.measures import MEASURES, measure
from tools.bench.neighbours import Neighbours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.bench.figure import Figure

_OUT = machine.HOUSE / "build" / "bench.json"
_COLUMNS = (110, 200)
_ABOUT = (
    "Measure every budget of the product: each figure beside its limit, and beside the floor that no program "
    "could go below on this machine. Exit status: 0 if all limits are met, 1 if one is missed, 75 if none is "
    "missed but one cannot be measured: other programs take the processor, or a tool is missing."
)


def parser() -> argparse.ArgumentParser:
    """What can be typed behind `python -m tools.bench`."""
    made = argparse.ArgumentParser(prog="python -m tools.bench", description=_ABOUT)
    made.add_argument(
        "--only",
        action="append",
        choices=MEASURES,
        metavar="NAME",
        help="measure only this; may be given several times: " + ", ".join(MEASURES),
    )
    made.add_argument(
        "--out", type=Path, default=_OUT, metavar="FILE", help="the JSON file (build/bench.json)"
    )
    made.add_argument(
        "--quick", action="store_true", help="see that everything can be measured; the numbers mean little"
    )
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Measure one after the other: two at a time would disturb each other."""
    words = parser().parse_args(argv)
    about = machine.described()
    least, most = _COLUMNS
    columns = max(least, min(shutil.get_terminal_size((160, 40)).columns, most))
    print(_told(about))
    print(report.heading(columns), flush=True)
    figures: list[Figure] = []
    busy = Neighbours()
    for name in words.only or MEASURES:
        for figure in measure(name, QUICK if words.quick else FULL):
            figures.append(figure)
            print(report.row(figure, columns), flush=True)
    busy_percent = busy.percent()
    report.write(
        words.out,
        figures,
        {"version": __version__, "quick": words.quick, "machine": about, "others_percent": busy_percent},
    )
    print(f"\n{report.summary(figures, busy_percent)}\nwritten to {words.out}")
    return outcome(figures).value


def _told(about: dict[str, object]) -> str:
    kind = "virtual machine" if about["virtual"] else about["model"]
    return (
        f"{about['processor']}, {about['cores']} cores ({about['architecture']}, {kind}), "
        f"Python {about['python']}, disk {about['disk']}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
