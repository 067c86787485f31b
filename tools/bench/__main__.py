"""`python -m tools.bench`: measure, print, write; the exit status says held, missed or not measurable."""

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from firmware import __version__
from tools.bench import machine
from tools.bench.figure import FULL, QUICK, Effort, Figure, heading, outcome, summary

MEASURES: Final = {
    "scan-to-picture": "cards.scan_to_picture",
    "card-work": "cards.card_work",
    "followed": "watchers.followed",
    "page": "watchers.page",
    "voice": "voice.voice",
    "camera": "camera.camera",
    "wire-bytes": "wire_bytes.wire_bytes",
    "referee": "referee.referee",
    "journal": "journals.journal",
    "long-journals": "journals.long_journals",
    "start": "start.start",
    "standing": "start.standing",
    "robots": "robots.robots",
    "hub": "hub.hub",
}
"""What can be measured, and the function that does; nothing is imported before it is asked for."""

_OUT = machine.HOUSE / "build" / "bench.json"
_COLUMNS = (110, 200)
_ABOUT = (
    "Measure every budget of the product: each figure beside its limit, and beside the floor that no program "
    "could go below on this machine. Exit status: 0 if all limits are met, 1 if one is missed, 75 if none is "
    "missed but one cannot be measured: other programs take the processor, or a tool is missing."
)


def measure(name: str, effort: Effort) -> list[Figure]:
    """The figures of one measure, whose names begin with its name. Blocks for up to a minute."""
    module, _, function = MEASURES[name].partition(".")
    measured: Callable[[Effort], list[Figure]] = getattr(import_module(f"tools.bench.{module}"), function)
    others = machine.Neighbours()
    figures = measured(effort)
    others_percent = others.percent()
    return [replace(figure, others_percent=others_percent) for figure in figures]


def parser() -> argparse.ArgumentParser:
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
    print(
        f"{about['processor']}, {about['cores']} cores ({about['architecture']}), "
        f"Python {about['python']}\n\n{heading(columns)}",
        flush=True,
    )
    figures: list[Figure] = []
    others = machine.Neighbours()
    for name in words.only or MEASURES:
        for figure in measure(name, QUICK if words.quick else FULL):
            figures.append(figure)
            print(figure.row(columns), flush=True)
    busy = others.percent()
    record = {"version": __version__, "quick": words.quick, "machine": about, "others_percent": busy}
    record["figures"] = [figure.record() for figure in figures]
    words.out.parent.mkdir(parents=True, exist_ok=True)
    words.out.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"\n{summary(figures, busy)}\nwritten to {words.out}")
    return outcome(figures)


if __name__ == "__main__":
    sys.exit(main())
