"""What can be measured: one line each. Nothing is imported before it is asked for."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Final

from bench.neighbours import Neighbours

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.effort import Effort
    from bench.figure import Figure

MEASURES: Final[dict[str, str]] = {
    "scan-to-picture": "bench.scan_to_picture",
    "card-work": "bench.card_work",
    "followed": "bench.followed",
    "page": "bench.page",
    "burst": "bench.burst",
    "wire-bytes": "bench.wire_bytes",
    "referee": "bench.referee_rate",
    "journal": "bench.journal_syncs",
    "long-journals": "bench.long_journals",
    "start": "bench.start_time",
    "standing": "bench.standing",
    "imports": "bench.imports",
    "kiosk": "bench.kiosk",
    "robots": "bench.robots",
    "robot-table": "bench.robot_at_table",
    "hub": "bench.hub",
}


def measure(name: str, effort: Effort) -> list[Figure]:
    """The figures of one measure, whose names begin with its name. Blocks for up to a minute."""
    measured: Callable[[Effort], list[Figure]] = import_module(MEASURES[name]).measure
    others = Neighbours()
    figures = measured(effort)
    others_percent = others.percent()
    return [replace(figure, others_percent=others_percent) for figure in figures]
