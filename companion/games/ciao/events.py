"""The events of Ciao!; a stored kind never changes its meaning. What they do is in `table`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.cards import Seat  # noqa: TC001 - records are decoded by these annotations
from companion.core.lifecycle import SeatJoined, SeatLeft
from companion.games.ciao.cards import Card  # noqa: TC001 - see above


@dataclass(frozen=True, slots=True)
class CardRegistered:
    """A card is in the hand of a seat: it was scanned when it was dealt, drawn or swapped."""

    KIND: ClassVar[str] = "card_registered"
    held: Card
    seat: Seat


@dataclass(frozen=True, slots=True)
class HandsForgotten:
    """No hand is known in this deal from now on."""

    KIND: ClassVar[str] = "hands_forgotten"


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card went on top of `on` (empty: it was the first card); play continues after the seat `after`."""

    KIND: ClassVar[str] = "card_played"
    seat: Seat
    card: Card
    on: str
    rule: str
    after: Seat


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card of unknown owner was played in a challenge; `mistake` is the rule that it breaks, or empty."""

    KIND: ClassVar[str] = "card_shown"
    card: Card
    mistake: str


@dataclass(frozen=True, slots=True)
class SymbolNamed:
    """The joker on top stands for a symbol."""

    KIND: ClassVar[str] = "symbol_named"
    seat: Seat
    card: Card
    name: str


@dataclass(frozen=True, slots=True)
class PlusThree:
    """So many cards wait for the next player; 0: none any more."""

    KIND: ClassVar[str] = "plus_three"
    seat: Seat
    pending: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat has to decide something (a `Stage` by its value); `other` is who gets the bad card."""

    KIND: ClassVar[str] = "asked"
    what: str
    seat: Seat
    other: Seat | None


@dataclass(frozen=True, slots=True)
class DirectionChanged:
    """Play goes clockwise (1) or anticlockwise (-1)."""

    KIND: ClassVar[str] = "direction_changed"
    seat: Seat
    dir: int


@dataclass(frozen=True, slots=True)
class RaceBegun:
    """Everybody but the challenger may now play."""

    KIND: ClassVar[str] = "race_begun"
    seat: Seat


@dataclass(frozen=True, slots=True)
class RaceEnded:
    """Nobody could answer the challenge."""

    KIND: ClassVar[str] = "race_ended"
    seat: Seat


@dataclass(frozen=True, slots=True)
class CardGiven:
    """A bad card went to another hand; the card is None where it was not shown."""

    KIND: ClassVar[str] = "card_given"
    seat: Seat
    to: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class TroubleShed:
    """A trouble card went under the special card on top, where that was agreed."""

    KIND: ClassVar[str] = "trouble_shed"
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class HandsSwapped:
    """Two seats swapped their hands."""

    KIND: ClassVar[str] = "hands_swapped"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat took so many cards from the draw pile by a rule; `cards` are those that are known."""

    KIND: ClassVar[str] = "cards_drawn"
    seat: Seat
    number: int
    cards: tuple[Card, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """So many cards under the top card were shuffled and put under the draw pile."""

    KIND: ClassVar[str] = "reshuffled"
    number: int


@dataclass(frozen=True, slots=True)
class MistakeMade:
    """A seat made a mistake against a rule; its card, if it is known, went back to the hand."""

    KIND: ClassVar[str] = "mistake_made"
    seat: Seat
    card: Card | None
    rule: str


@dataclass(frozen=True, slots=True)
class TurnLost:
    """A seat will be skipped once more."""

    KIND: ClassVar[str] = "turn_lost"
    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnMissed:
    """A seat was skipped."""

    KIND: ClassVar[str] = "turn_missed"
    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnBegun:
    """The turn of a seat begins."""

    KIND: ClassVar[str] = "turn_begun"
    seat: Seat


@dataclass(frozen=True, slots=True)
class DealWon:
    """A seat has no cards left; the other hands are counted."""

    KIND: ClassVar[str] = "deal_won"
    seat: Seat


@dataclass(frozen=True, slots=True)
class DealStopped:
    """The players agreed to end the deal; all hands are counted."""

    KIND: ClassVar[str] = "deal_stopped"


@dataclass(frozen=True, slots=True)
class CardCounted:
    """A card was left in the hand of a seat."""

    KIND: ClassVar[str] = "card_counted"
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class HandCounted:
    """The hand of a seat costs so many points; `cards` is None where only the points were given."""

    KIND: ClassVar[str] = "hand_counted"
    seat: Seat
    points: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class PlayReopened:
    """The latest card was a different one; the table is as it was before it."""

    KIND: ClassVar[str] = "play_reopened"


@dataclass(frozen=True, slots=True)
class TableAdopted:
    """The table was set up as given; the fields are those of `Adopt`, all of them filled in."""

    KIND: ClassVar[str] = "table_adopted"
    top: str
    discards: tuple[Card, ...]
    turn: Seat
    dir: int
    pending: int
    hands: tuple[tuple[Card, ...], ...]
    hand_sizes: tuple[int, ...]
    draw: int
    pile: tuple[Card, ...]
    skips: tuple[int, ...]
    race: Seat | None


Event = (
    CardRegistered
    | HandsForgotten
    | CardPlayed
    | CardShown
    | SymbolNamed
    | PlusThree
    | Asked
    | DirectionChanged
    | RaceBegun
    | RaceEnded
    | CardGiven
    | TroubleShed
    | HandsSwapped
    | CardsDrawn
    | Reshuffled
    | MistakeMade
    | TurnLost
    | TurnMissed
    | TurnBegun
    | DealWon
    | DealStopped
    | CardCounted
    | HandCounted
    | PlayReopened
    | SeatLeft
    | SeatJoined
    | TableAdopted
)

EVENTS: Final = (
    CardRegistered,
    HandsForgotten,
    CardPlayed,
    CardShown,
    SymbolNamed,
    PlusThree,
    Asked,
    DirectionChanged,
    RaceBegun,
    RaceEnded,
    CardGiven,
    TroubleShed,
    HandsSwapped,
    CardsDrawn,
    Reshuffled,
    MistakeMade,
    TurnLost,
    TurnMissed,
    TurnBegun,
    DealWon,
    DealStopped,
    CardCounted,
    HandCounted,
    PlayReopened,
    SeatLeft,
    SeatJoined,
    TableAdopted,
)
