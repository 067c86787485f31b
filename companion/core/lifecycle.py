"""Commands and events for joining, leaving and ending a deal early; they mean the same in every game.

Each game decides which of them it accepts, and when.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from companion.core.cards import Seat  # noqa: TC001 - records are decoded by these annotations


@dataclass(frozen=True, slots=True)
class Leave:
    """A player leaves."""

    KIND: ClassVar[str] = "leave"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Join:
    """A player joins, or returns."""

    KIND: ClassVar[str] = "join"
    seat: Seat


@dataclass(frozen=True, slots=True)
class EndDeal:
    """The players agree to end the deal now."""

    KIND: ClassVar[str] = "end_deal"


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat no longer plays."""

    KIND: ClassVar[str] = "seat_left"
    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatJoined:
    """A seat plays from now on."""

    KIND: ClassVar[str] = "seat_joined"
    seat: Seat
