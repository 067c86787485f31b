"""Commands and events for joining, leaving and ending a deal early; they mean the same in every game.

Each game decides which of them it accepts, and when.
"""

from __future__ import annotations

from companion.core.cards import Seat
from companion.core.codec import Record


class Leave(Record, tag="leave"):
    """A player leaves."""

    seat: Seat


class Join(Record, tag="join"):
    """A player joins, or returns."""

    seat: Seat


class EndDeal(Record, tag="end_deal"):
    """The players agree to end the deal now."""


class SeatLeft(Record, tag="seat_left"):
    """A seat no longer plays."""

    seat: Seat


class SeatJoined(Record, tag="seat_joined"):
    """A seat plays from now on."""

    seat: Seat
