"""The events of a deal of 11 nimmt!; a stored kind never changes its meaning. What they do is in `table`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.core.cards import Card, Seat
from companion.core.codec import Number, Record


class CardRegistered(Record, tag="card_registered"):
    """A card is in the hand of a seat: it was scanned when it was dealt."""

    held: Card
    seat: Seat


class HandsForgotten(Record, tag="hands_forgotten"):
    """What is known of the hands of these seats is wrong, and forgotten for this deal."""

    seats: tuple[Seat, ...]


class CardTurnedUp(Record, tag="card_turned_up"):
    """A card from the draw deck begins a pile."""

    card: Card
    pile: Number


class CardWaits(Record, tag="card_waits"):
    """A card fits several piles; its owner is asked for one."""

    card: Card
    seat: Seat


class CardLaid(Record, tag="card_laid"):
    """A card went to a pile; `at` is its place from the bottom, counted from 0."""

    card: Card
    seat: Seat
    pile: Number
    at: Number


class PileOpened(Record, tag="pile_opened"):
    """A card from a hand begins a pile, because none was left."""

    card: Card
    seat: Seat
    pile: Number


class PileChosen(Record, tag="pile_chosen"):
    """A seat will take this pile, once it is known from whom the bull card comes."""

    pile: Number
    seat: Seat


class PileTaken(Record, tag="pile_taken"):
    """A pile went to a hand. `bull`: with a bull card, from a player or (None) the supply.

    `due` is the number of cards that are now turned up.
    """

    pile: Number
    seat: Seat
    cards: tuple[Card, ...]
    bull: bool
    bull_from: Seat | None
    due: Number


class BullsReturned(Record, tag="bulls_returned"):
    """A seat returned the bull cards it used, if that was agreed."""

    seat: Seat
    bulls: Number


class TurnPassed(Record, tag="turn_passed"):
    """A move is finished, and it is the turn of `seat`."""

    seat: Seat


class WentOut(Record, tag="went_out"):
    """The hand of a seat is empty: the deal is over, except for counting the other hands."""

    seat: Seat


class HandCardSeen(Record, tag="hand_card_seen"):
    """A card left in the hand of a seat was scanned."""

    card: Card
    seat: Seat


class HandCounted(Record, tag="hand_counted"):
    """The hand of a seat holds these bullheads; `cards` is None where only the heads were given."""

    seat: Seat
    cards: tuple[Card, ...] | None
    heads: Number


class CardReplaced(Record, tag="card_replaced"):
    """The card that began a pile was another one."""

    pile: Number
    wrong: Card
    card: Card


class MoveReopened(Record, tag="move_reopened"):
    """The latest move starts again."""


class SeatLeft(Record, tag="seat_left"):
    """A seat no longer plays, and it is the turn of `turn`; the deck has `deck` cards."""

    seat: Seat
    turn: Seat
    deck: Number


class SeatJoined(Record, tag="seat_joined"):
    """A seat plays from now on, with so many cards; the deck has `deck` cards."""

    seat: Seat
    cards: Number
    deck: Number


class TableAdopted(Record, tag="table_adopted"):
    """The table was set up as given; the fields are those of `Adopt`, all of them filled in."""

    piles: Mapping[str, tuple[Card, ...]]
    hands: tuple[tuple[Card, ...], ...]
    hand_sizes: tuple[Number, ...]
    bulls: tuple[Number, ...]
    deck: Number
    due: Number
    turn: Seat
    moves: Number
    next_pile: Number


class DealStopped(Record, tag="deal_stopped"):
    """The deal stops here, and all hands are counted."""


Event = (
    CardRegistered
    | HandsForgotten
    | CardTurnedUp
    | CardWaits
    | CardLaid
    | PileOpened
    | PileChosen
    | PileTaken
    | BullsReturned
    | TurnPassed
    | WentOut
    | HandCardSeen
    | HandCounted
    | CardReplaced
    | MoveReopened
    | SeatLeft
    | SeatJoined
    | TableAdopted
    | DealStopped
)

EVENTS: Final = (
    CardRegistered,
    HandsForgotten,
    CardTurnedUp,
    CardWaits,
    CardLaid,
    PileOpened,
    PileChosen,
    PileTaken,
    BullsReturned,
    TurnPassed,
    WentOut,
    HandCardSeen,
    HandCounted,
    CardReplaced,
    MoveReopened,
    SeatLeft,
    SeatJoined,
    TableAdopted,
    DealStopped,
)
