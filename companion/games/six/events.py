"""The facts that 6 nimmt! makes. A stored kind never changes its meaning; what facts change is in `table`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.cards import Card, Seat  # noqa: TC001 - records are decoded by these annotations
from companion.core.lifecycle import SeatJoined, SeatLeft


@dataclass(frozen=True, slots=True)
class RowBegun:
    """A card starts the next row."""

    KIND: ClassVar[str] = "row_begun"
    card: Card
    row: int


@dataclass(frozen=True, slots=True)
class CardPicked:
    """In the open draft a seat took a card into its hand."""

    KIND: ClassVar[str] = "card_picked"
    card: Card
    seat: Seat


@dataclass(frozen=True, slots=True)
class CardRegistered:
    """A card was dealt to a seat. People at the table may not see which one it is."""

    KIND: ClassVar[str] = "card_registered"
    held: Card
    seat: Seat


@dataclass(frozen=True, slots=True)
class HandsForgotten:
    """What was known of the hands does not count any more in this deal."""

    KIND: ClassVar[str] = "hands_forgotten"


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card was revealed."""

    KIND: ClassVar[str] = "card_shown"
    card: Card
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class RowChosen:
    """The owner of the lowest card chose the row to take."""

    KIND: ClassVar[str] = "row_chosen"
    card: Card
    row: int


@dataclass(frozen=True, slots=True)
class OwnerNamed:
    """It became known who played a card."""

    KIND: ClassVar[str] = "owner_named"
    card: Card
    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPlaced:
    """A card went to a row, and took its cards if `takes` is not empty."""

    KIND: ClassVar[str] = "card_placed"
    card: Card
    seat: Seat | None
    row: int
    rule: str
    takes: tuple[Card, ...]
    heads: int


@dataclass(frozen=True, slots=True)
class TurnReopened:
    """The latest turn starts again with these cards shown; `seats` are their owners where known."""

    KIND: ClassVar[str] = "turn_reopened"
    cards: tuple[Card, ...]
    seats: tuple[Seat | None, ...]


@dataclass(frozen=True, slots=True)
class OwnersSwapped:
    """Two seats swapped what they own in the latest turn."""

    KIND: ClassVar[str] = "owners_swapped"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TableAdopted:
    """The table was set up as given."""

    KIND: ClassVar[str] = "table_adopted"
    rows: tuple[tuple[Card, ...], ...]
    turn: int
    taken: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The players agreed to end the deal early."""

    KIND: ClassVar[str] = "deal_ended"


Event = (
    RowBegun
    | CardPicked
    | CardRegistered
    | HandsForgotten
    | CardShown
    | RowChosen
    | OwnerNamed
    | CardPlaced
    | TurnReopened
    | OwnersSwapped
    | SeatLeft
    | SeatJoined
    | TableAdopted
    | DealEnded
)

EVENTS: Final = (
    RowBegun,
    CardPicked,
    CardRegistered,
    HandsForgotten,
    CardShown,
    RowChosen,
    OwnerNamed,
    CardPlaced,
    TurnReopened,
    OwnersSwapped,
    SeatLeft,
    SeatJoined,
    TableAdopted,
    DealEnded,
)
