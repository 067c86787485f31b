"""The events of counting a deal, as they are stored."""

from __future__ import annotations

from typing import Final

from companion.core.cards import Seat
from companion.core.codec import Number, Record
from companion.core.lifecycle import SeatJoined, SeatLeft


class SumTyped(Record, tag="sum_typed"):
    """The points of a seat were typed, or without a seat those of the rows."""

    points: Number
    seat: Seat | None


class CardCounted(Record, tag="card_counted"):
    """A card was counted: for a seat, in the rows, or for a seat that is named next."""

    card: str
    seat: Seat | None
    rows: bool


class CardDoubted(Record, tag="card_doubted"):
    """A card was typed that may be another one read upside down."""

    card: str
    other: str
    seat: Seat | None
    rows: bool


class PileEnded(Record, tag="pile_ended"):
    """The cards counted last belong to a seat, or without a seat to the rows."""

    seat: Seat | None
    cards: tuple[str, ...]


class CardsCorrected(Record, tag="cards_corrected"):
    """Cards were counted by mistake; those in `add` replace them, one for one."""

    remove: tuple[str, ...]
    add: tuple[str, ...]


class ScoresSwapped(Record, tag="scores_swapped"):
    """Two seats swapped what is counted for them in this deal."""

    seats: tuple[Seat, ...]


class CountAdopted(Record, tag="count_adopted"):
    """What is counted was set as given."""

    sums: tuple[Number | None, ...]
    piles: tuple[tuple[str, ...], ...]
    rows: tuple[str, ...]
    rows_sum: Number | None


class DealClosed(Record, tag="deal_closed"):
    """The deal was closed, with these checks failing and these cards missing."""

    faults: tuple[str, ...]
    missing: tuple[str, ...]


Event = (
    SumTyped
    | CardCounted
    | CardDoubted
    | PileEnded
    | CardsCorrected
    | ScoresSwapped
    | CountAdopted
    | SeatLeft
    | SeatJoined
    | DealClosed
)

EVENTS: Final = (
    SumTyped,
    CardCounted,
    CardDoubted,
    PileEnded,
    CardsCorrected,
    ScoresSwapped,
    CountAdopted,
    SeatLeft,
    SeatJoined,
    DealClosed,
)
