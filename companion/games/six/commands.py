"""The commands of 6 nimmt!: what players, scanners and programs ask the referee to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.cards import Card, Seat  # noqa: TC001 - records are decoded by these annotations
from companion.core.lifecycle import EndDeal, Join, Leave


@dataclass(frozen=True, slots=True)
class LayRows:
    """The four cards that start the rows, from row 0 to row 3."""

    KIND: ClassVar[str] = "lay_rows"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Lay:
    """One card that starts the next row."""

    KIND: ClassVar[str] = "lay"
    card: Card


@dataclass(frozen=True, slots=True)
class Pick:
    """A card taken in the open draft."""

    KIND: ClassVar[str] = "pick"
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Register:
    """A card that a player was dealt, scanned before the deal so that it needs no owner when it is played.

    The field is not called `card`: what is told of the card of any command would tell of a hidden one.
    """

    KIND: ClassVar[str] = "register"
    seat: Seat
    held: Card


@dataclass(frozen=True, slots=True)
class ForgetHands:
    """No hands are known from now on in this deal: owners are asked about as usual."""

    KIND: ClassVar[str] = "forget_hands"


@dataclass(frozen=True, slots=True)
class Play:
    """A card revealed in this turn, in any order, with its owner or without."""

    KIND: ClassVar[str] = "play"
    card: Card
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class TakeRow:
    """The row that the owner of the lowest card takes; `seat`, if given, says who that is."""

    KIND: ClassVar[str] = "take_row"
    row: int
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Who played a card that takes a row, or has taken one of which nobody knew the owner."""

    KIND: ClassVar[str] = "claim"
    card: Card
    seat: Seat


@dataclass(frozen=True, slots=True)
class SkipOwner:
    """Nobody knows who played a card that takes a row: nobody is charged, until `Claim` says who it was."""

    KIND: ClassVar[str] = "skip_owner"
    card: Card


@dataclass(frozen=True, slots=True)
class Adopt:
    """The table as people say it is, in place of the deal in progress.

    What is left out stays: `taken`, but for cards that lie in a row now, and `turn`, unless so many cards
    lie there that more turns must be finished. An empty `taken` says that it is not known who took what.
    Where piles are given, rows and piles together hold all cards that were played, but for `missing` ones
    of which nobody knows who took them.
    """

    KIND: ClassVar[str] = "adopt"
    rows: tuple[tuple[Card, ...], ...]
    turn: int | None = None
    taken: tuple[tuple[Card, ...], ...] | None = None
    missing: int | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    """Wrong cards of the latest turn, and the correct ones."""

    KIND: ClassVar[str] = "correct"
    remove: tuple[Card, ...] = ()
    add: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Swap:
    """Two seats whose cards of the latest turn were mixed up."""

    KIND: ClassVar[str] = "swap"
    seats: tuple[Seat, ...]


Command = (
    LayRows
    | Lay
    | Pick
    | Register
    | ForgetHands
    | Play
    | TakeRow
    | Claim
    | SkipOwner
    | Adopt
    | Correct
    | Swap
    | Leave
    | Join
    | EndDeal
)

COMMANDS: Final = (
    LayRows,
    Lay,
    Pick,
    Register,
    ForgetHands,
    Play,
    TakeRow,
    Claim,
    SkipOwner,
    Adopt,
    Correct,
    Swap,
    Leave,
    Join,
    EndDeal,
)
