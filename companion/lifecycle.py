"""Orders and facts of people who come and go, and of a deal cut short; they mean the same in every game.

Which game takes which of them, and when, is decided by the games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from companion.cards import Seat  # noqa: TC001 - records are decoded by these annotations


@dataclass(frozen=True, slots=True)
class Leave:
    """A player goes."""

    KIND: ClassVar[str] = "leave"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Join:
    """A player comes, or comes back."""

    KIND: ClassVar[str] = "join"
    seat: Seat


@dataclass(frozen=True, slots=True)
class EndDeal:
    """The table agrees to stop the deal here."""

    KIND: ClassVar[str] = "end_deal"


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat plays no longer."""

    KIND: ClassVar[str] = "seat_left"
    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatJoined:
    """A seat plays from now on."""

    KIND: ClassVar[str] = "seat_joined"
    seat: Seat
