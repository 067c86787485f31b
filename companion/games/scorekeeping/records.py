"""The commands for counting a deal, and the events that follow. Both are stored; cards are strings here."""

from companion.core.cards import Seat
from companion.core.codec import Number, Record


class TypeSum(Record, tag="type_sum"):
    """The points of a seat in this deal, in place of what was counted for it; without a seat: of the rows."""

    points: Number
    seat: Seat | None = None


class CountCard(Record, tag="put_card"):
    """A card that is counted: for `seat`, or for a seat that is named later, or in the rows.

    `typed` says that its number was typed, so it may have been read upside down.
    """

    card: str
    seat: Seat | None = None
    typed: bool = False


class ChooseCard(Record, tag="meant"):
    """Which of two cards was typed, one being the other upside down."""

    card: str


class EndPile(Record, tag="end_pile"):
    """The owner of the cards counted last; without a seat they belong to the rows."""

    seat: Seat | None = None


class Correct(Record, tag="correct"):
    """Cards that were counted by mistake, and their replacements, one for one."""

    remove: tuple[str, ...] = ()
    add: tuple[str, ...] = ()


class Adopt(Record, tag="adopt"):
    """All that is counted in this deal, in place of what was: for a seat a sum, or a pile of some cards."""

    sums: tuple[Number | None, ...] = ()
    piles: tuple[tuple[str, ...], ...] = ()
    rows: tuple[str, ...] = ()
    rows_sum: Number | None = None


class Close(Record, tag="close"):
    """The deal is counted; `anyway` closes it even if a check has failed."""

    anyway: bool = False


class SumTyped(Record, tag="sum_typed"):
    """The points of a seat were typed, or without a seat those of the rows."""

    points: Number
    seat: Seat | None


class CardCounted(Record, tag="card_counted"):
    """A card was counted: for a seat, in the rows, or for a seat that is named next."""

    card: str
    seat: Seat | None
    rows: bool


class CardDoubted(Record, tag="card_doubted"):
    """A card was typed that may be another one read upside down."""

    card: str
    other: str
    seat: Seat | None
    rows: bool


class PileEnded(Record, tag="pile_ended"):
    """The cards counted last belong to a seat, or without a seat to the rows."""

    seat: Seat | None
    cards: tuple[str, ...]


class CardsCorrected(Record, tag="cards_corrected"):
    """Cards were counted by mistake; those in `add` replace them, one for one."""

    remove: tuple[str, ...]
    add: tuple[str, ...]


class ScoresSwapped(Record, tag="scores_swapped"):
    """Two seats swapped what is counted for them in this deal."""

    seats: tuple[Seat, ...]


class CountAdopted(Record, tag="count_adopted"):
    """What is counted was set as given."""

    sums: tuple[Number | None, ...]
    piles: tuple[tuple[str, ...], ...]
    rows: tuple[str, ...]
    rows_sum: Number | None


class DealClosed(Record, tag="deal_closed"):
    """The deal was closed, with these checks failing and these cards missing."""

    faults: tuple[str, ...]
    missing: tuple[str, ...]
