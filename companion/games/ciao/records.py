"""The commands of Ciao!, and the events that follow from them. Both are stored.

A command is what people and programs ask the referee to do (`game.HANDLERS`). Whatever a card needs may be
given with it, or left out: then it is asked for. `seat` says who gives the command; if it may be left out,
the seat that is asked is meant. An event is what happened (`table.CHANGES`). A stored kind never changes its
meaning.
"""

from typing import Final

from companion.core.cards import Seat
from companion.core.codec import Number, Record
from companion.games.ciao.cards import Card

NOT_SHOWN: Final = Card("")
"""In `Play` and `Race`, a bad card that is given face down."""


class Register(Record, tag="register"):
    """A card that has come into a hand, scanned so that all of the hand is known.

    The field is not called `card`: what is told of the card of any command would tell of a hidden one.
    """

    seat: Seat
    held: Card


class _PlayedCard(Record):
    """A card of a seat, with what its effect needs.

    `name` is the symbol of a joker, `mode` "again" or "reverse", `with_` whose hand is swapped
    for one's own, `to` who gets the bad card `give` (empty: it is not shown), `thanks` whether
    that player said thank you, `trouble` whether a trouble card is discarded with it.
    """

    card: Card
    seat: Seat | None = None
    name: str | None = None
    mode: str | None = None
    with_: Seat | None = None
    to: Seat | None = None
    give: Card | None = None
    thanks: bool | None = None
    trouble: bool | None = None


class Play(_PlayedCard, tag="play"):
    """A card of the seat whose turn it is."""


class Race(_PlayedCard, tag="race"):
    """The first card on a speed challenge; without a seat, the owner is asked for."""


class RaceOff(Record, tag="race_off"):
    """Nobody can answer the challenge."""


class Claim(Record, tag="claim"):
    """Who played the first card on a challenge."""

    card: Card
    seat: Seat


class Draw(Record, tag="draw"):
    """A card from the draw pile instead of a card on top; against a +3, all that wait."""

    seat: Seat | None = None


class Keep(Record, tag="keep"):
    """The drawn card is not played."""

    seat: Seat | None = None


class Name(Record, tag="name"):
    """The symbol of a joker."""

    name: str
    seat: Seat | None = None


class Mode(Record, tag="mode"):
    """Play again, or change the direction."""

    mode: str
    seat: Seat | None = None


class ChoosePlayer(Record, tag="whom"):
    """Who gets the bad card, or with whom hands are swapped."""

    to: Seat
    seat: Seat | None = None


class Give(Record, tag="give"):
    """The bad card; left out, it is given face down."""

    card: Card | None = None
    seat: Seat | None = None


class Thanks(Record, tag="thanks"):
    """Whether the receiver of a bad card said thank you."""

    said: bool
    seat: Seat | None = None


class DiscardTrouble(Record, tag="trouble"):
    """Whether a trouble card is discarded with the special card, if that was agreed."""

    goes: bool
    seat: Seat | None = None


class Foul(Record, tag="foul"):
    """A mistake when playing; without a seat, by the seat whose turn it is; in a race it is asked for."""

    seat: Seat | None = None
    card: Card | None = None


class HandCard(Record, tag="hand_card"):
    """One card left in a hand at the end of a deal."""

    card: Card
    seat: Seat | None = None


class Hand(Record, tag="hand"):
    """All cards left in a hand, or only their points."""

    seat: Seat
    cards: tuple[Card, ...] | None = None
    points: Number | None = None


class Done(Record, tag="done"):
    """The cards of a hand that were not scanned are those that are known to be in it."""

    seat: Seat | None = None


class Adopt(Record, tag="adopt"):
    """A table to set up in place of the deal in progress; fields left out keep their present values.

    `hands` are the cards known to be in the hands, `hand_sizes` the numbers of cards in them,
    `draw` the number of cards in the draw pile and `pile` those on top of it that are known.
    `top_copy` says which copy of its kind the card on top is, if `top` does not.
    """

    top: str | None = None
    turn: Seat | None = None
    dir: Number | None = None
    pending: Number | None = None
    hands: tuple[tuple[Card, ...], ...] | None = None
    hand_sizes: tuple[Number, ...] | None = None
    draw: Number | None = None
    pile: tuple[Card, ...] | None = None
    discards: tuple[Card, ...] | None = None
    skips: tuple[Number, ...] | None = None
    race: Seat | None = None
    top_copy: Number | None = None


class Correct(Record, tag="correct"):
    """The latest card was scanned wrong, and another was played."""

    remove: tuple[Card, ...]
    add: tuple[Card, ...]


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
    """The number of cards that wait for the next player has changed; 0: none wait."""

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
    """A seat took cards from the draw pile by a rule; `cards` are those of them that are known."""

    seat: Seat
    number: Number
    cards: tuple[Card, ...]
    rule: str


class Reshuffled(Record, tag="reshuffled"):
    """Cards under the top card were shuffled and put under the draw pile."""

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
    """The hand of a seat was counted; `cards` is None where only its points were given."""

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
