"""One measured figure beside its limit and its floor; how it is measured and shown is not known here.

A slow program and a busy machine are told apart here: what other programs can make worse says so with
`Figure.timed_by`, and what they took meanwhile is in `Figure.others_percent`.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_NO_DETAIL: Mapping[str, Any] = MappingProxyType({})


class Bound(Enum):
    """On which side of its limit a figure must be."""

    AT_MOST = "at most"
    AT_LEAST = "at least"
    EXACTLY = "exactly"


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

    SHOWN = ""
    """There is no limit: the figure stands beside another one."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What a figure must not pass."""

    bound: Bound
    value: float

    def held_by(self, measured: float) -> bool:
        """Whether a measured value is on the right side."""
        match self.bound:
            case Bound.AT_MOST:
                return measured <= self.value
            case Bound.AT_LEAST:
                return measured >= self.value
            case Bound.EXACTLY:
                return measured == self.value

    def nearly_held_by(self, measured: float, factor: float) -> bool:
        """Whether a time so many times shorter, or a rate so many times higher, would do."""
        return self.held_by(measured * factor if self.bound is Bound.AT_LEAST else measured / factor)


def at_most(value: float) -> Limit:
    """A limit from above; the value itself will do."""
    return Limit(Bound.AT_MOST, value)


def at_least(value: float) -> Limit:
    """A limit from below; the value itself will do."""
    return Limit(Bound.AT_LEAST, value)


def exactly(value: float) -> Limit:
    """Nothing else will do."""
    return Limit(Bound.EXACTLY, value)


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured. `name` is stable: measure, dot, what; `about` says it in a sentence.

    `measured` is None where this machine cannot measure it; the note then says what to do. `floor`
    is what no program could go below (above, for a rate) on this machine, and `floor_is` says why.
    `detail` holds more numbers for the file. `others_percent` is what other programs had meanwhile, in
    percent of one processor; `tools.bench.measures.measure` fills it in.
    """

    name: str
    about: str
    measured: float | None
    unit: str
    floor: float | None
    floor_is: str
    limit: Limit | None = None
    note: str = ""
    detail: Mapping[str, Any] = field(default_factory=lambda: _NO_DETAIL)
    timed_by: Clock = Clock.NONE
    others_percent: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """Whether the limit is held; a limit that is held on a busy machine is held."""
        if self.measured is None:
            return Verdict.UNMEASURABLE
        if self.limit is None:
            return Verdict.SHOWN
        if self.limit.held_by(self.measured):
            return Verdict.HELD
        return Verdict.UNMEASURABLE if self.disturbed else Verdict.MISSED

    @property
    def disturbed(self) -> bool:
        """Whether other programs alone may be why the limit is missed."""
        if self.others_percent < BUSY_PERCENT or self.limit is None or self.measured is None:
            return False
        match self.timed_by:
            case Clock.NONE:
                return False
            case Clock.PROCESSOR:
                return self.limit.nearly_held_by(self.measured, _PROCESSOR_DOUBT)
            case Clock.WALL:
                return True

    def record(self) -> dict[str, Any]:
        """The figure as JSON."""
        return {
            "name": self.name,
            "about": self.about,
            "measured": self.measured,
            "unit": self.unit,
            "limit": None if self.limit is None else self.limit.value,
            "bound": None if self.limit is None else self.limit.bound.value,
            "floor": self.floor,
            "floor_is": self.floor_is,
            "verdict": self.verdict.value.lower() or "shown",
            "timed_by": self.timed_by.value,
            "others_percent": round(self.others_percent, 1),
            "note": self.note,
            "detail": dict(self.detail),
        }


def middle(samples: Sequence[float]) -> float:
    """The median. Raises `statistics.StatisticsError` for no samples."""
    return statistics.median(samples)


def slow_end(samples: Sequence[float]) -> float:
    """What 95 of 100 samples do not pass."""
    return sorted(samples)[max(0, -(-95 * len(samples) // 100) - 1)]


UNDECIDED: Final = 75
"""The exit status of a run that found nothing out: EX_TEMPFAIL of sysexits.h, "try again"."""


class Outcome(Enum):
    """What a whole run says: the value is the exit status."""

    HELD = 0
    MISSED = 1
    """At least one limit is missed, on whatever machine."""

    UNDECIDED = UNDECIDED
    """None is missed, but at least one could not be measured."""


def outcome(figures: Iterable[Figure]) -> Outcome:
    """What figures say together; without a limit they say nothing."""
    found = {figure.verdict for figure in figures}
    if Verdict.MISSED in found:
        return Outcome.MISSED
    return Outcome.UNDECIDED if Verdict.UNMEASURABLE in found else Outcome.HELD
