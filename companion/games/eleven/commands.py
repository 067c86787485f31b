"""The commands of 11 nimmt!: what players, scanners and programs ask the referee to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.core.cards import Card, Seat
from companion.core.codec import Number, Record
from companion.core.lifecycle import EndDeal, Join, Leave

NEW: Final = "new"
"""Names, in `Play`, the pile that is opened with a card when none is left."""


class Register(Record, tag="register"):
    """A card that a player was dealt, scanned so that the hand is known from the beginning.

    The field is not called `card`: what is told of the card of any command would tell of a hidden one.
    """

    seat: Seat
    held: Card


class ForgetHands(Record, tag="forget_hands"):
    """What was scanned of hands is wrong: in this deal they are no longer known."""


class TurnUp(Record, tag="turn_up"):
    """Cards from the draw deck that begin piles, in this order."""

    cards: tuple[Card, ...]


class Play(Record, tag="play"):
    """A whole move: cards by the number of their pile; it ends the turn."""

    cards: Mapping[str, tuple[Card, ...]]
    seat: Seat | None = None


class PlayCard(Record, tag="play_card"):
    """One card of a move; without a pile it goes where it fits, and if several fit, the player is asked."""

    card: Card
    pile: Number | None = None
    seat: Seat | None = None


class Choose(Record, tag="choose"):
    """The pile for a card that fits several."""

    pile: Number
    seat: Seat | None = None


class Done(Record, tag="done"):
    """No more cards in this move; where a hand is counted, that its other cards are the known ones."""

    seat: Seat | None = None


class Take(Record, tag="take"):
    """A pile is taken; `bull_from` says from whom the bull card comes where there is a choice."""

    pile: Number
    bull_from: Seat | None = None
    seat: Seat | None = None


class BullFrom(Record, tag="bull_from"):
    """From whom the taker of a pile draws the bull card."""

    giver: Seat
    seat: Seat | None = None


class HandCard(Record, tag="hand_card"):
    """One card left in the hand that is being counted."""

    card: Card
    seat: Seat | None = None


class Hand(Record, tag="hand"):
    """All cards left in a hand, or only the bullheads on them."""

    seat: Seat
    cards: tuple[Card, ...] | None = None
    heads: Number | None = None


class Adopt(Record, tag="adopt"):
    """A table to set up in place of the deal in progress; fields left out keep their present values.

    `piles` are whole piles by number. In their place, `tops` may name what lies on each of all piles, from
    bottom to top, in any order: of a pile that begins with a card of a pile on the table, the cards below
    that card stay, unseen. `hands` are the cards known to be in the hands, `hand_sizes` the numbers of
    cards in them. `deck` left out is what remains of the hundred cards. `moves` are the finished moves.
    """

    piles: Mapping[str, tuple[Card, ...]] | None = None
    hands: tuple[tuple[Card, ...], ...] | None = None
    hand_sizes: tuple[Number, ...] | None = None
    bulls: tuple[Number, ...] | None = None
    deck: Number | None = None
    due: Number | None = None
    turn: Seat | None = None
    moves: Number | None = None
    next_pile: Number | None = None
    tops: tuple[tuple[Card, ...], ...] | None = None


class Correct(Record, tag="correct"):
    """Wrong cards of the latest move, and the correct ones in their places."""

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
