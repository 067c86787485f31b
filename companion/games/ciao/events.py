"""The events of Ciao!; a stored kind never changes its meaning. What they do is in `table`."""

from __future__ import annotations

from typing import Final

from companion.core.cards import Seat
from companion.core.codec import Number, Record
from companion.core.lifecycle import SeatJoined, SeatLeft
from companion.games.ciao.cards import Card


class CardRegistered(Record, tag="card_registered"):
    """A card is in the hand of a seat: it was scanned when it was dealt, drawn or swapped."""

    held: Card
    seat: Seat


class HandsForgotten(Record, tag="hands_forgotten"):
    """No hand is known in this deal from now on."""


class CardPlayed(Record, tag="card_played"):
    """A card went on top of `on` (empty: it was the first card); play continues after the seat `after`."""

    seat: Seat
    card: Card
    on: str
    rule: str
    after: Seat


class CardShown(Record, tag="card_shown"):
    """A card of unknown owner was played in a challenge; `mistake` is the rule that it breaks, or empty."""

    card: Card
    mistake: str


class SymbolNamed(Record, tag="symbol_named"):
    """The joker on top stands for a symbol."""

    seat: Seat
    card: Card
    name: str


class PlusThree(Record, tag="plus_three"):
    """So many cards wait for the next player; 0: none any more."""

    seat: Seat
    pending: Number


class Asked(Record, tag="asked"):
    """A seat has to decide something (a `Stage` by its value); `other` is who gets the bad card."""

    what: str
    seat: Seat
    other: Seat | None


class DirectionChanged(Record, tag="direction_changed"):
    """Play goes clockwise (1) or anticlockwise (-1)."""

    seat: Seat
    dir: Number


class RaceBegun(Record, tag="race_begun"):
    """Everybody but the challenger may now play."""

    seat: Seat


class RaceEnded(Record, tag="race_ended"):
    """Nobody could answer the challenge."""

    seat: Seat


class CardGiven(Record, tag="card_given"):
    """A bad card went to another hand; the card is None where it was not shown."""

    seat: Seat
    to: Seat
    card: Card | None


class TroubleShed(Record, tag="trouble_shed"):
    """A trouble card went under the special card on top, where that was agreed."""

    seat: Seat
    card: Card


class HandsSwapped(Record, tag="hands_swapped"):
    """Two seats swapped their hands."""

    seats: tuple[Seat, ...]


class CardsDrawn(Record, tag="cards_drawn"):
    """A seat took so many cards from the draw pile by a rule; `cards` are those that are known."""

    seat: Seat
    number: Number
    cards: tuple[Card, ...]
    rule: str


class Reshuffled(Record, tag="reshuffled"):
    """So many cards under the top card were shuffled and put under the draw pile."""

    number: Number


class MistakeMade(Record, tag="mistake_made"):
    """A seat made a mistake against a rule; its card, if it is known, went back to the hand."""

    seat: Seat
    card: Card | None
    rule: str


class TurnLost(Record, tag="turn_lost"):
    """A seat will be skipped once more."""

    seat: Seat


class TurnMissed(Record, tag="turn_missed"):
    """A seat was skipped."""

    seat: Seat


class TurnBegun(Record, tag="turn_begun"):
    """The turn of a seat begins."""

    seat: Seat


class DealWon(Record, tag="deal_won"):
    """A seat has no cards left; the other hands are counted."""

    seat: Seat


class DealStopped(Record, tag="deal_stopped"):
    """The players agreed to end the deal; all hands are counted."""


class CardCounted(Record, tag="card_counted"):
    """A card was left in the hand of a seat."""

    seat: Seat
    card: Card


class HandCounted(Record, tag="hand_counted"):
    """The hand of a seat costs so many points; `cards` is None where only the points were given."""

    seat: Seat
    points: Number
    cards: tuple[Card, ...] | None


class PlayReopened(Record, tag="play_reopened"):
    """The latest card was a different one; the table is as it was before it."""


class TableAdopted(Record, tag="table_adopted"):
    """The table was set up as given; the fields are those of `Adopt`, all of them filled in."""

    top: str
    discards: tuple[Card, ...]
    turn: Seat
    dir: Number
    pending: Number
    hands: tuple[tuple[Card, ...], ...]
    hand_sizes: tuple[Number, ...]
    draw: Number
    pile: tuple[Card, ...]
    skips: tuple[Number, ...]
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
