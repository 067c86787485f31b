"""One measured figure beside its limit and its floor; how it is measured and shown is not known here."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NO_DETAIL: Mapping[str, Any] = MappingProxyType({})


class Bound(Enum):
    """On which side of its limit a figure must be."""

    AT_MOST = "at most"
    AT_LEAST = "at least"
    EXACTLY = "exactly"


class Verdict(Enum):
    """What a figure says about its limit."""

    HELD = "held"
    MISSED = "MISSED"
    UNMEASURED = "NOT MEASURED"
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
    `detail` holds more numbers for the file.
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

    @property
    def verdict(self) -> Verdict:
        """Whether the limit is held."""
        if self.measured is None:
            return Verdict.UNMEASURED
        if self.limit is None:
            return Verdict.SHOWN
        return Verdict.HELD if self.limit.held_by(self.measured) else Verdict.MISSED

    @property
    def good(self) -> bool:
        """Whether nothing is wrong. What could not be measured is not known to be good."""
        return self.verdict in (Verdict.HELD, Verdict.SHOWN)

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
            "note": self.note,
            "detail": dict(self.detail),
        }


def middle(samples: Sequence[float]) -> float:
    """The median. Raises `statistics.StatisticsError` for no samples."""
    return statistics.median(samples)


def slow_end(samples: Sequence[float]) -> float:
    """What 95 of 100 samples do not pass."""
    return sorted(samples)[max(0, -(-95 * len(samples) // 100) - 1)]
