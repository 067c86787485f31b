"""The commands of 11 nimmt!, and the events that follow from them. Both are stored.

A command is what people and programs ask the referee to do (`game.HANDLERS`), an event is what happened
(`table.CHANGES`). A stored kind never changes its meaning.
"""

from collections.abc import Mapping
from typing import Final

from companion.core.cards import Card, Seat
from companion.core.codec import Number, Record

NEW: Final = "new"
"""Names, in `Play`, the pile that is opened with a card when none is left."""


class Register(Record, tag="register"):
    """A card that a player was dealt, scanned so that the hand is known from the beginning.

    The field is not called `card`: what is told of the card of any command would tell of a hidden one.
    """

    seat: Seat
    held: Card


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


class ShowCard(Record, tag="show_card"):
    """A card that was shown while the player on turn may have more of them: theirs, or the next player's.

    Where it can be the card of one of the two alone, it is; else it is asked. If it is the next player's, the
    move in progress is over. Otherwise it is as `play_card`.
    """

    card: Card


class Claim(Record, tag="claim"):
    """The answer to the question who played a card."""

    card: Card
    seat: Seat


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


class CardShown(Record, tag="card_shown"):
    """A card can be of the player on turn or of the next one; it is asked whose it is."""

    card: Card


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
    """A seat plays from now on, with that number of cards; the deck has `deck` cards."""

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
