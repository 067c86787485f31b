"""The events of a deal of 11 nimmt!; a stored kind never changes its meaning. What they do is in `table`."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - records are decoded by these annotations
from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.cards import Card, Seat  # noqa: TC001 - see above


@dataclass(frozen=True, slots=True)
class CardRegistered:
    """A card is in the hand of a seat: it was scanned when it was dealt."""

    KIND: ClassVar[str] = "card_registered"
    held: Card
    seat: Seat


@dataclass(frozen=True, slots=True)
class HandsForgotten:
    """What is known of the hands of these seats is wrong, and forgotten for this deal."""

    KIND: ClassVar[str] = "hands_forgotten"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class CardTurnedUp:
    """A card from the draw deck begins a pile."""

    KIND: ClassVar[str] = "card_turned_up"
    card: Card
    pile: int


@dataclass(frozen=True, slots=True)
class CardWaits:
    """A card fits several piles; its owner is asked for one."""

    KIND: ClassVar[str] = "card_waits"
    card: Card
    seat: Seat


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card went to a pile; `at` is its place from the bottom, counted from 0."""

    KIND: ClassVar[str] = "card_laid"
    card: Card
    seat: Seat
    pile: int
    at: int


@dataclass(frozen=True, slots=True)
class PileOpened:
    """A card from a hand begins a pile, because none was left."""

    KIND: ClassVar[str] = "pile_opened"
    card: Card
    seat: Seat
    pile: int


@dataclass(frozen=True, slots=True)
class PileChosen:
    """A seat will take this pile, once it is known from whom the bull card comes."""

    KIND: ClassVar[str] = "pile_chosen"
    pile: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class PileTaken:
    """A pile went to a hand. `bull`: with a bull card, from a player or (None) the supply.

    `due` is the number of cards that are now turned up.
    """

    KIND: ClassVar[str] = "pile_taken"
    pile: int
    seat: Seat
    cards: tuple[Card, ...]
    bull: bool
    bull_from: Seat | None
    due: int


@dataclass(frozen=True, slots=True)
class BullsReturned:
    """A seat returned the bull cards it used, if that was agreed."""

    KIND: ClassVar[str] = "bulls_returned"
    seat: Seat
    bulls: int


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """A move is finished, and it is the turn of `seat`."""

    KIND: ClassVar[str] = "turn_passed"
    seat: Seat


@dataclass(frozen=True, slots=True)
class WentOut:
    """The hand of a seat is empty: the deal is over, except for counting the other hands."""

    KIND: ClassVar[str] = "went_out"
    seat: Seat


@dataclass(frozen=True, slots=True)
class HandCardSeen:
    """A card left in the hand of a seat was scanned."""

    KIND: ClassVar[str] = "hand_card_seen"
    card: Card
    seat: Seat


@dataclass(frozen=True, slots=True)
class HandCounted:
    """The hand of a seat holds these bullheads; `cards` is None where only the heads were given."""

    KIND: ClassVar[str] = "hand_counted"
    seat: Seat
    cards: tuple[Card, ...] | None
    heads: int


@dataclass(frozen=True, slots=True)
class CardReplaced:
    """The card that began a pile was another one."""

    KIND: ClassVar[str] = "card_replaced"
    pile: int
    wrong: Card
    card: Card


@dataclass(frozen=True, slots=True)
class MoveReopened:
    """The latest move starts again."""

    KIND: ClassVar[str] = "move_reopened"


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat no longer plays, and it is the turn of `turn`; the deck has `deck` cards."""

    KIND: ClassVar[str] = "seat_left"
    seat: Seat
    turn: Seat
    deck: int


@dataclass(frozen=True, slots=True)
class SeatJoined:
    """A seat plays from now on, with so many cards; the deck has `deck` cards."""

    KIND: ClassVar[str] = "seat_joined"
    seat: Seat
    cards: int
    deck: int


@dataclass(frozen=True, slots=True)
class TableAdopted:
    """The table was set up as given; the fields are those of `Adopt`, all of them filled in."""

    KIND: ClassVar[str] = "table_adopted"
    piles: Mapping[str, tuple[Card, ...]]
    hands: tuple[tuple[Card, ...], ...]
    hand_sizes: tuple[int, ...]
    bulls: tuple[int, ...]
    deck: int
    due: int
    turn: Seat
    moves: int
    next_pile: int


@dataclass(frozen=True, slots=True)
class DealStopped:
    """The deal stops here, and all hands are counted."""

    KIND: ClassVar[str] = "deal_stopped"


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
