"""The commands of Ciao!: what players, scanners and programs ask the referee to do.

Whatever a card needs may be given with it, or left out: then it is asked for. `seat` says who
gives the command; if it may be left out, the seat that is asked is meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.cards import Seat  # noqa: TC001 - records are decoded by these annotations
from companion.core.lifecycle import EndDeal, Join, Leave
from companion.games.ciao.cards import Card

NOT_SHOWN: Final = Card("")
"""In `Play` and `Race`, a bad card that is given face down."""


@dataclass(frozen=True, slots=True)
class Register:
    """A card that has come into a hand, scanned so that all of the hand is known.

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
class Play:
    """A card of the seat whose turn it is, with what its effect needs.

    `name` is the symbol of a joker, `mode` "again" or "reverse", `with_` whose hand is swapped
    for one's own, `to` who gets the bad card `give` (empty: it is not shown), `thanks` whether
    that player said thank you, `trouble` whether a trouble card is discarded with it.
    """

    KIND: ClassVar[str] = "play"
    card: Card
    seat: Seat | None = None
    name: str | None = None
    mode: str | None = None
    with_: Seat | None = None
    to: Seat | None = None
    give: Card | None = None
    thanks: bool | None = None
    trouble: bool | None = None


@dataclass(frozen=True, slots=True)
class Race:
    """The first card on a speed challenge; without a seat, the owner is asked for. Otherwise like `Play`."""

    KIND: ClassVar[str] = "race"
    card: Card
    seat: Seat | None = None
    name: str | None = None
    mode: str | None = None
    with_: Seat | None = None
    to: Seat | None = None
    give: Card | None = None
    thanks: bool | None = None
    trouble: bool | None = None


@dataclass(frozen=True, slots=True)
class RaceOff:
    """Nobody can answer the challenge."""

    KIND: ClassVar[str] = "race_off"


@dataclass(frozen=True, slots=True)
class Claim:
    """Who played the first card on a challenge."""

    KIND: ClassVar[str] = "claim"
    card: Card
    seat: Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """A card from the draw pile instead of a card on top; against a +3, all that wait."""

    KIND: ClassVar[str] = "draw"
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """The drawn card is not played."""

    KIND: ClassVar[str] = "keep"
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """The symbol of a joker."""

    KIND: ClassVar[str] = "name"
    name: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Mode:
    """Play again, or change the direction."""

    KIND: ClassVar[str] = "mode"
    mode: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class ChoosePlayer:
    """Who gets the bad card, or with whom hands are swapped."""

    KIND: ClassVar[str] = "whom"
    to: Seat
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Give:
    """The bad card; left out, it is given face down."""

    KIND: ClassVar[str] = "give"
    card: Card | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Thanks:
    """Whether the receiver of a bad card said thank you."""

    KIND: ClassVar[str] = "thanks"
    said: bool
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class DiscardTrouble:
    """Whether a trouble card is discarded with the special card, if that was agreed."""

    KIND: ClassVar[str] = "trouble"
    goes: bool
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Foul:
    """A mistake when playing; without a seat, by the seat whose turn it is; in a race it is asked for."""

    KIND: ClassVar[str] = "foul"
    seat: Seat | None = None
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class HandCard:
    """One card left in a hand at the end of a deal."""

    KIND: ClassVar[str] = "hand_card"
    card: Card
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """All cards left in a hand, or only their points."""

    KIND: ClassVar[str] = "hand"
    seat: Seat
    cards: tuple[Card, ...] | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """The cards of a hand that were not scanned are those that are known to be in it."""

    KIND: ClassVar[str] = "done"
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Adopt:
    """A table to set up in place of the deal in progress; fields left out keep their present values.

    `hands` are the cards known to be in the hands, `hand_sizes` the numbers of cards in them,
    `draw` the number of cards in the draw pile and `pile` those on top of it that are known.
    `top_copy` says which copy of its kind the card on top is, if `top` does not.
    """

    KIND: ClassVar[str] = "adopt"
    top: str | None = None
    turn: Seat | None = None
    dir: int | None = None
    pending: int | None = None
    hands: tuple[tuple[Card, ...], ...] | None = None
    hand_sizes: tuple[int, ...] | None = None
    draw: int | None = None
    pile: tuple[Card, ...] | None = None
    discards: tuple[Card, ...] | None = None
    skips: tuple[int, ...] | None = None
    race: Seat | None = None
    top_copy: int | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    """The latest card was scanned wrong, and another was played."""

    KIND: ClassVar[str] = "correct"
    remove: tuple[Card, ...]
    add: tuple[Card, ...]


Command = (
    Register
    | ForgetHands
    | Play
    | Race
    | RaceOff
    | Claim
    | Draw
    | Keep
    | Name
    | Mode
    | ChoosePlayer
    | Give
    | Thanks
    | DiscardTrouble
    | Foul
    | HandCard
    | Hand
    | Done
    | Adopt
    | Correct
    | Leave
    | Join
    | EndDeal
)

COMMANDS: Final = (
    Register,
    ForgetHands,
    Play,
    Race,
    RaceOff,
    Claim,
    Draw,
    Keep,
    Name,
    Mode,
    ChoosePlayer,
    Give,
    Thanks,
    DiscardTrouble,
    Foul,
    HandCard,
    Hand,
    Done,
    Adopt,
    Correct,
    Leave,
    Join,
    EndDeal,
)
