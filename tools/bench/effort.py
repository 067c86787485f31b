"""How long a measurement may take: the numbers of repetitions, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Effort:
    """How often things are done. Fewer repetitions say less; they never change what is measured."""

    matches: int
    """Whole matches for everything that is counted over an evening."""

    cards: int
    """Cards whose way to the display is timed."""

    bursts: int
    """Times that ten cards come at once."""

    commands: int
    """Commands for each game and each way to its referee."""

    steps: int
    """Steps for the journal, and syncs for its floor."""

    starts: int
    """Starts of a program."""

    idle_s: float
    """Seconds for which an idle program is watched."""

    tables: int
    """Tables that one hub follows."""

    tables_s: int
    """Seconds for which each of them has an event a second."""


FULL: Final = Effort(
    matches=3,
    cards=120,
    bursts=30,
    commands=4000,
    steps=400,
    starts=15,
    idle_s=10.0,
    tables=1000,
    tables_s=60,
)
QUICK: Final = Effort(
    matches=1, cards=5, bursts=2, commands=60, steps=10, starts=1, idle_s=0.3, tables=5, tables_s=2
)
"""Shows that everything can still be measured. Its numbers say nothing about the limits."""
