"""The events of counting a deal, as they are stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.cards import Seat  # noqa: TC001 - records are decoded by these annotations
from companion.core.lifecycle import SeatJoined, SeatLeft


@dataclass(frozen=True, slots=True)
class SumTyped:
    """The points of a seat were typed, or without a seat those of the rows."""

    KIND: ClassVar[str] = "sum_typed"
    points: int
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class CardCounted:
    """A card was counted: for a seat, in the rows, or for a seat that is named next."""

    KIND: ClassVar[str] = "card_counted"
    card: str
    seat: Seat | None
    rows: bool


@dataclass(frozen=True, slots=True)
class CardDoubted:
    """A card was typed that may be another one read upside down."""

    KIND: ClassVar[str] = "card_doubted"
    card: str
    other: str
    seat: Seat | None
    rows: bool


@dataclass(frozen=True, slots=True)
class PileEnded:
    """The cards counted last belong to a seat, or without a seat to the rows."""

    KIND: ClassVar[str] = "pile_ended"
    seat: Seat | None
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardsCorrected:
    """Cards were counted by mistake; those in `add` replace them, one for one."""

    KIND: ClassVar[str] = "cards_corrected"
    remove: tuple[str, ...]
    add: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoresSwapped:
    """Two seats swapped what is counted for them in this deal."""

    KIND: ClassVar[str] = "scores_swapped"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class CountAdopted:
    """What is counted was set as given."""

    KIND: ClassVar[str] = "count_adopted"
    sums: tuple[int | None, ...]
    piles: tuple[tuple[str, ...], ...]
    rows: tuple[str, ...]
    rows_sum: int | None


@dataclass(frozen=True, slots=True)
class DealClosed:
    """The deal was closed, with these checks failing and these cards missing."""

    KIND: ClassVar[str] = "deal_closed"
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
