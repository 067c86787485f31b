"""The score over the deals of a match: totals, the end rule, the winners. The lowest total wins.

The rules of single games are not here; points come from them as numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar

from companion.errors import BadRecord, did_you_mean, shown
from companion.text import Text, count, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.cards import Seat

HIGHEST_TARGET = 999
MOST_DEALS = 99


class When(Enum):
    """What ends a match."""

    REACHED = "reached"
    PASSED = "passed"
    DEALS = "deals"


@dataclass(frozen=True, slots=True)
class EndRule:
    """After which deal a match ends.

    Either the one in which somebody's total reaches (>=) or passes (>) a target, or a fixed number.
    """

    when: When
    number: int

    def ends(self, totals: tuple[int, ...], deals: int) -> bool:
        """Whether the match is over after `deals` whole deals with these totals."""
        match self.when:
            case When.DEALS:
                return deals >= self.number
            case When.REACHED:
                return max(totals) >= self.number
            case When.PASSED:
                return max(totals) > self.number

    def options(self) -> dict[str, Any]:
        """The rule as the value of the option "end"."""
        if self.when is When.DEALS:
            return {"deals": self.number}
        return {"target": self.number, "when": self.when.value}

    def short(self) -> Text:
        """Up to 8 columns for the glass."""
        match self.when:
            case When.DEALS:
                return count("{count} DEAL", "{count} DEALS", self.number)
            case When.REACHED:
                return say("END {number}+", number=self.number)
            case When.PASSED:
                return say("END >{number}", number=self.number)


def read_end_rule(option: Any) -> EndRule:  # noqa: ANN401 - it comes from outside, anything may come
    """The option "end": `{"target": 66, "when": "reached" | "passed"}` or `{"deals": 3}`.

    Raises `BadRecord`.
    """
    will_do = 'use {"target": 66, "when": "reached"}, {"target": 66, "when": "passed"} or {"deals": 3}'
    if not isinstance(option, dict):
        raise BadRecord(f"the option 'end' is {shown(option)}, not an object", will_do)
    known = {"target", "when", "deals"}
    for name in option:
        if name not in known:
            raise BadRecord(
                f"the option 'end' has an unknown key {shown(name)}", did_you_mean(str(name), sorted(known))
            )
    if "deals" in option:
        if len(option) > 1:
            raise BadRecord("the option 'end' names both a target and a number of deals", will_do)
        return EndRule(When.DEALS, _whole(option["deals"], "deals", 1, MOST_DEALS))
    if "target" not in option:
        raise BadRecord("the option 'end' has no target", will_do)
    when = option.get("when", When.REACHED.value)
    if when not in (When.REACHED.value, When.PASSED.value):
        raise BadRecord(
            f"the end rule 'when' is {shown(when)}", "use 'reached' (>= target) or 'passed' (> target)"
        )
    return EndRule(When(when), _whole(option["target"], "target", 1, HIGHEST_TARGET))


def _whole(value: Any, name: str, low: int, high: int) -> int:  # noqa: ANN401 - see above
    if type(value) is not int or not low <= value <= high:
        raise BadRecord(
            f"the end rule's {name} is {shown(value)}", f"use a whole number from {low} to {high}"
        )
    return value


@dataclass(frozen=True, slots=True)
class DealScored:
    """A deal is over: its penalty points by seat."""

    KIND: ClassVar[str] = "deal_scored"
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The points of the finished deals, oldest first. A seat that joined later has 0 in the deals before."""

    seats: int
    deals: tuple[tuple[int, ...], ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """The sum of the finished deals, by seat."""
        return tuple(sum(deal[seat] for deal in self.deals if seat < len(deal)) for seat in range(self.seats))

    def scored(self, points: tuple[int, ...]) -> Ledger:
        """The ledger with one more deal."""
        return Ledger(max(self.seats, len(points)), (*self.deals, points))

    def over(self, end: EndRule) -> bool:
        """Whether the match has ended; judged on whole deals only."""
        return bool(self.deals) and end.ends(self.totals, len(self.deals))

    def winners(self, players: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """The players with the lowest total.

        Several share the win: no booklet prints a tie-break (house ruling H6-3).
        """
        totals = self.totals
        best = min(totals[seat] for seat in players)
        return tuple(seat for seat in players if totals[seat] == best)


def ranked(score: Mapping[Seat, int]) -> list[tuple[int, Seat]]:
    """Rank (1, 1, 3, ...) and seat, best first; equal scores share a rank and stand in seat order."""
    order = sorted(score, key=lambda seat: (score[seat], seat))
    return [(1 + sum(score[other] < score[seat] for other in order), seat) for seat in order]
