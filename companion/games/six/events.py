"""The facts that 6 nimmt! makes. A stored kind never changes its meaning; what facts change is in `table`."""

from __future__ import annotations

from typing import Final

from companion.core.cards import Card, Seat
from companion.core.codec import Number, Record
from companion.core.lifecycle import SeatJoined, SeatLeft


class RowBegun(Record, tag="row_begun"):
    """A card starts the next row."""

    card: Card
    row: Number


class CardPicked(Record, tag="card_picked"):
    """In the open draft a seat took a card into its hand."""

    card: Card
    seat: Seat


class CardRegistered(Record, tag="card_registered"):
    """A card was dealt to a seat. People at the table may not see which one it is."""

    held: Card
    seat: Seat


class HandsForgotten(Record, tag="hands_forgotten"):
    """What was known of the hands does not count any more in this deal."""


class CardShown(Record, tag="card_shown"):
    """A card was revealed."""

    card: Card
    seat: Seat | None


class RowChosen(Record, tag="row_chosen"):
    """The owner of the lowest card chose the row to take."""

    card: Card
    row: Number


class OwnerNamed(Record, tag="owner_named"):
    """It became known who played a card."""

    card: Card
    seat: Seat


class CardPlaced(Record, tag="card_placed"):
    """A card went to a row, and took its cards if `takes` is not empty."""

    card: Card
    seat: Seat | None
    row: Number
    rule: str
    takes: tuple[Card, ...]
    heads: Number


class TurnReopened(Record, tag="turn_reopened"):
    """The latest turn starts again with these cards shown; `seats` are their owners where known."""

    cards: tuple[Card, ...]
    seats: tuple[Seat | None, ...]


class OwnersSwapped(Record, tag="owners_swapped"):
    """Two seats swapped what they own in the latest turn."""

    seats: tuple[Seat, ...]


class TableAdopted(Record, tag="table_adopted"):
    """The table was set up as given."""

    rows: tuple[tuple[Card, ...], ...]
    turn: Number
    taken: tuple[tuple[Card, ...], ...]


class DealEnded(Record, tag="deal_ended"):
    """The players agreed to end the deal early."""


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
