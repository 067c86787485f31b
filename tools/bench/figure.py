"""One measured figure beside its limit and its floor: how it is judged, and shown in a row of the table.

A slow program and a busy machine are told apart here: what other programs can make worse says so with
`Figure.timed_by`, and what they took meanwhile is in `Figure.others_percent`.
"""

import textwrap
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from operator import eq, ge, le
from typing import Any, Final

from companion.values import Value, field

_HEADINGS: Final = ("figure", "measured", "limit", "floor", "verdict", "note")
_WIDTHS: Final = (34, 11, 11, 11, 14)
_NARROWEST_NOTE: Final = 20


class Effort(Value):
    """How often things are done. Fewer repetitions say less; they never change what is measured."""

    matches: int  # whole matches for everything that is counted over an evening
    cards: int  # cards whose way to the display is timed
    commands: int  # commands for the referee of each game
    steps: int  # steps for the journal
    starts: int  # starts of a program
    idle_s: float  # for which an idle program is watched
    tables: int  # tables that one hub follows
    tables_s: int  # for which each of them has an event a second
    longest: int  # matches in the longest journal


FULL: Final = Effort(3, 120, 1500, 400, 15, 10.0, 1000, 60, 10_000)
QUICK: Final = Effort(1, 5, 60, 10, 1, 0.3, 5, 2, 50)
"""Shows that everything can still be measured. Its numbers say nothing about the limits."""


class Bound(Enum):
    """On which side of its limit a figure must be."""

    AT_MOST = "≤"
    AT_LEAST = "≥"
    EXACTLY = "="


_HOLDS: Final[dict[Bound, Callable[[float, float], bool]]] = {
    Bound.AT_MOST: le,
    Bound.AT_LEAST: ge,
    Bound.EXACTLY: eq,
}


class Clock(Enum):
    """What a figure is counted with, so what other programs do to it."""

    NONE = "none"
    """Bytes, syncs, modules, or the ratio of two times of the same run: others change nothing."""

    PROCESSOR = "processor"
    """The time that a program has had on a processor. Others share its caches, and make it longer by half."""

    WALL = "wall"
    """The time that passes. Others make it longer without end."""


BUSY_PERCENT: Final = 10.0
"""From here on, in percent of one processor, other programs have been in the way of what a clock measures."""

_PROCESSOR_DOUBT: Final = 2.0
"""A processor time that is longer than its limit by more than this was not made so by other programs."""


class Verdict(Enum):
    """What a figure says about its limit."""

    HELD = "held"
    MISSED = "MISSED"
    UNMEASURABLE = "not measurable"
    """Neither: a tool is missing, or other programs were in the way and alone may have made it so slow."""


class Limit(Value):
    """What a figure must not pass."""

    bound: Bound
    value: float

    def held_by(self, measured: float) -> bool:
        """Whether a measured value is on the right side."""
        return _HOLDS[self.bound](measured, self.value)

    def nearly_held_by(self, measured: float, factor: float) -> bool:
        """Whether a time so many times shorter, or a rate so many times higher, would do."""
        return self.held_by(measured * factor if self.bound is Bound.AT_LEAST else measured / factor)


def at_most(value: float) -> Limit:
    return Limit(Bound.AT_MOST, value)


def at_least(value: float) -> Limit:
    return Limit(Bound.AT_LEAST, value)


def exactly(value: float) -> Limit:
    return Limit(Bound.EXACTLY, value)


class Figure(Value):
    """What was measured. `name` is stable: measure, dot, what; docs/performance.md says what it is.

    `measured` is None where this machine cannot measure it; the note then says what to do. `floor`
    is what no program could go below (above, for a rate) on this machine. `detail` holds more numbers for
    the file. `others_percent` is what other programs had meanwhile, in percent of one processor;
    `tools.bench.__main__` fills it in.
    """

    name: str
    measured: float | None
    unit: str
    limit: Limit
    floor: float | None = None
    note: str = ""
    timed_by: Clock = Clock.NONE
    detail: dict[str, Any] = field(default_factory=dict)
    others_percent: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """Whether the limit is held; a limit that is held on a busy machine is held."""
        if self.measured is None:
            return Verdict.UNMEASURABLE
        if self.limit.held_by(self.measured):
            return Verdict.HELD
        return Verdict.UNMEASURABLE if self.disturbed else Verdict.MISSED

    @property
    def disturbed(self) -> bool:
        """Whether other programs alone may be why the limit is missed."""
        if self.others_percent < BUSY_PERCENT or self.measured is None or self.limit.held_by(self.measured):
            return False
        match self.timed_by:
            case Clock.NONE:
                return False
            case Clock.PROCESSOR:
                return self.limit.nearly_held_by(self.measured, _PROCESSOR_DOUBT)
            case Clock.WALL:
                return True

    def record(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "measured": self.measured,
            "unit": self.unit,
            "limit": self.limit.value,
            "bound": self.limit.bound.value,
            "floor": self.floor,
            "verdict": self.verdict.value.lower(),
            "timed_by": self.timed_by.value,
            "others_percent": round(self.others_percent, 1),
            "note": self.note,
            "detail": self.detail,
        }

    def row(self, columns: int) -> str:
        """The figure in a window so many columns wide; its note takes as many lines as it needs."""
        limit = f"{self.limit.bound.value} {_number(self.limit.value, self.unit)}"
        numbers = (_number(self.measured, self.unit), limit, _number(self.floor, self.unit))
        others = f"others took {self.others_percent:.0f} % of a processor; " if self.disturbed else ""
        return _row((self.name, *numbers, self.verdict.value, others + self.note), columns)


def late(samples: Sequence[float], of_hundred: int = 95) -> float:
    """What so many of 100 samples do not pass."""
    return sorted(samples)[max(0, -(-of_hundred * len(samples) // 100) - 1)]


UNDECIDED: Final = 75
"""The exit status of a run that found nothing out: EX_TEMPFAIL of sysexits.h, "try again"."""


def outcome(figures: Iterable[Figure]) -> int:
    """The exit status: 0 all limits held, 1 at least one missed, else 75 if one could not be measured."""
    found = {figure.verdict for figure in figures}
    if Verdict.MISSED in found:
        return 1
    return UNDECIDED if Verdict.UNMEASURABLE in found else 0


def heading(columns: int) -> str:
    """The head of the table, in a window so many columns wide."""
    return f"{_row(_HEADINGS, columns)}\n{'─' * columns}"


def summary(figures: Sequence[Figure], busy_percent: float) -> str:
    """What all of it comes to, in a line or two, and a warning where other programs were in the way."""
    held = sum(figure.verdict is Verdict.HELD for figure in figures)
    told = f"{held} of {len(figures)} limits are met"
    for verdict, what in ((Verdict.MISSED, "not met"), (Verdict.UNMEASURABLE, "not measurable")):
        if names := [figure.name for figure in figures if figure.verdict is verdict]:
            told += f"; {what}: {', '.join(names)}"
    if busy_percent >= BUSY_PERCENT:
        told += f"\nOther programs took {busy_percent:.0f} % of a processor meanwhile; "
        told += "on a quiet machine times are shorter and rates higher."
    return told


def _row(cells: tuple[str, ...], columns: int) -> str:
    name, *numbers, verdict, note = cells
    left = name.ljust(_WIDTHS[0])
    left += "".join(number.rjust(width) for number, width in zip(numbers, _WIDTHS[1:-1], strict=True))
    left += "  " + verdict.ljust(_WIDTHS[-1])
    room = max(columns - len(left) - 1, _NARROWEST_NOTE)
    lines = textwrap.wrap(note, room) or [""]
    return "\n".join([f"{left} {lines[0]}".rstrip(), *(" " * (len(left) + 1) + line for line in lines[1:])])


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    if abs(value) >= 100 or value == int(value):
        number = f"{value:,.0f}".replace(",", " ")
    else:
        number = f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"
    return f"{number} {unit}".strip()
