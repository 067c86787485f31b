"""The commands of 6 nimmt!, and the events that follow from them. Both are stored.

A command is what people ask the referee to do (`game.HANDLERS`), an event is what happened (`table.CHANGES`).
A stored kind never changes its meaning.
"""

from companion.core.cards import Card, Seat
from companion.core.codec import Number, Record


class LayRows(Record, tag="lay_rows"):
    """The four cards that start the rows, from row 0 to row 3."""

    cards: tuple[Card, ...]


class Lay(Record, tag="lay"):
    """One card that starts the next row."""

    card: Card


class Pick(Record, tag="pick"):
    """A card taken in the open draft."""

    seat: Seat
    card: Card


class Register(Record, tag="register"):
    """A card that a player was dealt, scanned before the deal so that it needs no owner when it is played.

    The field is not called `card`: what is told of the card of any command would tell of a hidden one.
    """

    seat: Seat
    held: Card


class Play(Record, tag="play"):
    """A card revealed in this turn, in any order, with its owner or without."""

    card: Card
    seat: Seat | None = None


class TakeRow(Record, tag="take_row"):
    """The row that the owner of the lowest card takes; `seat`, if given, says who that is."""

    row: Number
    seat: Seat | None = None


class Claim(Record, tag="claim"):
    """Who played a card that takes a row, or that took one while its owner was not known."""

    card: Card
    seat: Seat


class SkipOwner(Record, tag="skip_owner"):
    """Nobody knows who played a card that takes a row: nobody is charged, until `Claim` says who it was."""

    card: Card


class Adopt(Record, tag="adopt"):
    """The table as people say it is, in place of the deal in progress.

    What is left out stays: `taken`, but for cards that lie in a row now, and `turn`, unless so many cards
    lie there that more turns must be finished. An empty `taken` says that it is not known who took what.
    Where piles are given, rows and piles together hold all cards that were played, but for `missing` ones
    of which nobody knows who took them.
    """

    rows: tuple[tuple[Card, ...], ...]
    turn: Number | None = None
    taken: tuple[tuple[Card, ...], ...] | None = None
    missing: Number | None = None


class Correct(Record, tag="correct"):
    """Wrong cards of the latest turn, and the correct ones."""

    remove: tuple[Card, ...] = ()
    add: tuple[Card, ...] = ()


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
