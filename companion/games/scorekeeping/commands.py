"""The commands for counting a deal. Cards are strings in every game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.cards import Seat  # noqa: TC001 - records are decoded by these annotations
from companion.core.lifecycle import Join, Leave


@dataclass(frozen=True, slots=True)
class TypeSum:
    """The points of a seat in this deal, in place of what was counted for it; without a seat: of the rows."""

    KIND: ClassVar[str] = "type_sum"
    points: int
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class CountCard:
    """A card that is counted: for `seat`, or for a seat that is named later, or in the rows.

    `typed` says that its number was typed, so it may have been read upside down.
    """

    KIND: ClassVar[str] = "put_card"
    card: str
    seat: Seat | None = None
    typed: bool = False


@dataclass(frozen=True, slots=True)
class ChooseCard:
    """Which of two cards was typed, one being the other upside down."""

    KIND: ClassVar[str] = "meant"
    card: str


@dataclass(frozen=True, slots=True)
class EndPile:
    """The owner of the cards counted last; without a seat they belong to the rows."""

    KIND: ClassVar[str] = "end_pile"
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    """Cards that were counted by mistake, and their replacements, one for one."""

    KIND: ClassVar[str] = "correct"
    remove: tuple[str, ...] = ()
    add: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Swap:
    """Two seats whose scores of this deal were mixed up."""

    KIND: ClassVar[str] = "swap"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Adopt:
    """All that is counted in this deal, in place of what was: for a seat a sum, or a pile of some cards."""

    KIND: ClassVar[str] = "adopt"
    sums: tuple[int | None, ...] = ()
    piles: tuple[tuple[str, ...], ...] = ()
    rows: tuple[str, ...] = ()
    rows_sum: int | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """The deal is counted; `anyway` closes it even if a check has failed."""

    KIND: ClassVar[str] = "close"
    anyway: bool = False


Command = TypeSum | CountCard | ChooseCard | EndPile | Correct | Swap | Adopt | Leave | Join | Close

COMMANDS: Final = (TypeSum, CountCard, ChooseCard, EndPile, Correct, Swap, Adopt, Leave, Join, Close)
