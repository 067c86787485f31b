"""The commands of 11 nimmt!: what players, scanners and programs ask the referee to do."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - records are decoded by these annotations
from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.cards import Card, Seat  # noqa: TC001 - see above
from companion.core.lifecycle import EndDeal, Join, Leave

NEW: Final = "new"
"""Names, in `Play`, the pile that is opened with a card when none is left."""


@dataclass(frozen=True, slots=True)
class Register:
    """A card that a player was dealt, scanned so that the hand is known from the beginning.

    The field is not called `card`: what is told of the card of any command would tell of a hidden one.
    """

    KIND: ClassVar[str] = "register"
    seat: Seat
    held: Card


@dataclass(frozen=True, slots=True)
class ForgetHands:
    """What was scanned of hands is wrong: in this deal they are no longer known."""

    KIND: ClassVar[str] = "forget_hands"


@dataclass(frozen=True, slots=True)
class TurnUp:
    """Cards from the draw deck that begin piles, in this order."""

    KIND: ClassVar[str] = "turn_up"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A whole move: cards by the number of their pile; it ends the turn."""

    KIND: ClassVar[str] = "play"
    cards: Mapping[str, tuple[Card, ...]]
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class PlayCard:
    """One card of a move; without a pile it goes where it fits, and if several fit, the player is asked."""

    KIND: ClassVar[str] = "play_card"
    card: Card
    pile: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """The pile for a card that fits several."""

    KIND: ClassVar[str] = "choose"
    pile: int
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """No more cards in this move; where a hand is counted, that its other cards are the known ones."""

    KIND: ClassVar[str] = "done"
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Take:
    """A pile is taken; `bull_from` says from whom the bull card comes where there is a choice."""

    KIND: ClassVar[str] = "take"
    pile: int
    bull_from: Seat | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class BullFrom:
    """From whom the taker of a pile draws the bull card."""

    KIND: ClassVar[str] = "bull_from"
    giver: Seat
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class HandCard:
    """One card left in the hand that is being counted."""

    KIND: ClassVar[str] = "hand_card"
    card: Card
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """All cards left in a hand, or only the bullheads on them."""

    KIND: ClassVar[str] = "hand"
    seat: Seat
    cards: tuple[Card, ...] | None = None
    heads: int | None = None


@dataclass(frozen=True, slots=True)
class Adopt:
    """A table to set up in place of the deal in progress; fields left out keep their present values.

    `piles` are whole piles by number. In their place, `tops` may name what lies on each of all piles, from
    bottom to top, in any order: of a pile that begins with a card of a pile on the table, the cards below
    that card stay, unseen. `hands` are the cards known to be in the hands, `hand_sizes` the numbers of
    cards in them. `deck` left out is what remains of the hundred cards. `moves` are the finished moves.
    """

    KIND: ClassVar[str] = "adopt"
    piles: Mapping[str, tuple[Card, ...]] | None = None
    hands: tuple[tuple[Card, ...], ...] | None = None
    hand_sizes: tuple[int, ...] | None = None
    bulls: tuple[int, ...] | None = None
    deck: int | None = None
    due: int | None = None
    turn: Seat | None = None
    moves: int | None = None
    next_pile: int | None = None
    tops: tuple[tuple[Card, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    """Wrong cards of the latest move, and the correct ones in their places."""

    KIND: ClassVar[str] = "correct"
    remove: tuple[Card, ...]
    add: tuple[Card, ...]


Command = (
    Register
    | ForgetHands
    | TurnUp
    | Play
    | PlayCard
    | Choose
    | Done
    | Take
    | BullFrom
    | HandCard
    | Hand
    | Adopt
    | Correct
    | Leave
    | Join
    | EndDeal
)

COMMANDS: Final = (
    Register,
    ForgetHands,
    TurnUp,
    Play,
    PlayCard,
    Choose,
    Done,
    Take,
    BullFrom,
    HandCard,
    Hand,
    Adopt,
    Correct,
    Leave,
    Join,
    EndDeal,
)
