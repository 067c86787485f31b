"""What can be measured: one line each. Nothing is imported before it is asked for."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tools.bench.neighbours import Neighbours

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.bench.effort import Effort
    from tools.bench.figure import Figure

MEASURES: Final[dict[str, str]] = {
    "scan-to-picture": "tools.bench.scan_to_picture",
    "card-work": "tools.bench.card_work",
    "followed": "tools.bench.followed",
    "page": "tools.bench.page",
    "burst": "tools.bench.burst",
    "wire-bytes": "tools.bench.wire_bytes",
    "referee": "tools.bench.referee_rate",
    "journal": "tools.bench.journal_syncs",
    "long-journals": "tools.bench.long_journals",
    "start": "tools.bench.start_time",
    "standing": "tools.bench.standing",
    "imports": "tools.bench.imports",
    "kiosk": "tools.bench.kiosk",
    "robots": "tools.bench.robots",
    "robot-table": "tools.bench.robot_at_table",
    "hub": "tools.bench.hub",
}


def measure(name: str, effort: Effort) -> list[Figure]:
    """The figures of one measure, whose names begin with its name. Blocks for up to a minute."""
    measured: Callable[[Effort], list[Figure]] = import_module(MEASURES[name]).measure
    others = Neighbours()
    figures = measured(effort)
    others_percent = others.percent()
    return [replace(figure, others_percent=others_percent) for figure in figures]
