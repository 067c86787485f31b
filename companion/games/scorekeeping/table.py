"""What is counted of a deal and how events change it. Nothing is decided here."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from companion.core.cards import Seat
from companion.core.game import Changes, Taken
from companion.core.ruling import SeatJoined, SeatLeft
from companion.games.scorekeeping import records
from companion.games.scorekeeping.options import CountedCards, CountedDeck, Input, Options
from companion.values import Value, cached_property, replace, with_item


class Count(Value):
    """What is counted for a seat: a typed sum, or a pile of cards, which is complete once it is `ended`."""

    points: int | None = None
    pile: tuple[str, ...] = ()
    ended: bool = False


NOTHING_YET = Count()


class CountTable(Value, dict=True):
    """A deal that is counted, as it was `agreed`. `counts` has a place for every seat of the match.

    `loose` are cards whose owner is not known yet. `rows` were scanned, or their points typed as `rows_sum`.
    `doubt` may have been read upside down. `newest` is the seat whose pile was ended last, and its cards;
    `takes` are all that were ended.
    """

    agreed: Options
    players: tuple[Seat, ...]
    counts: tuple[Count, ...]
    loose: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    rows_sum: int | None = None
    doubt: records.CardDoubted | None = None
    newest: tuple[Seat, tuple[str, ...]] | None = None
    takes: tuple[Taken, ...] = ()
    closed: bool = False
    faults: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @cached_property
    def box(self) -> CountedDeck:
        """The cards that are counted."""
        return self.agreed.box

    @property
    def entry(self) -> Input:
        """How scores are entered."""
        return self.agreed.entry

    @property
    def deck(self) -> tuple[str, ...]:
        """The cards that can be there."""
        return self.box.deck(len(self.players))

    @property
    def fresh(self) -> bool:
        rows = self.loose or self.rows or self.rows_sum is not None or self.doubt
        return not rows and all(count == NOTHING_YET for count in self.counts)

    @cached_property  # the questions about a table ask for it again and again
    def seats_open(self) -> tuple[Seat, ...]:
        """The players who have no score for the deal yet."""
        return tuple([seat for seat in self.players if not self.scored(seat)])

    @property
    def rows_counted(self) -> bool:
        """Whether anything is known of the rows."""
        return bool(self.rows) or self.rows_sum is not None

    @cached_property
    def seen(self) -> frozenset[str]:
        return frozenset((*self.loose, *self.rows, *(card for count in self.counts for card in count.pile)))

    def scored(self, seat: Seat) -> bool:
        """Whether a seat has a score; with cards scanned during play, it has one from the start."""
        count = self.counts[seat]
        return count.points is not None or count.ended or self.entry is Input.TAKES

    def points(self, seat: Seat) -> int:
        """The points of a seat as far as they are counted."""
        return self.all_points[seat]

    @cached_property
    def all_points(self) -> tuple[int, ...]:
        """The points as far as they are counted, by seat."""
        piled = self.box.points
        return tuple([piled(count.pile) if count.points is None else count.points for count in self.counts])

    def in_rows(self) -> bool:
        """Whether a card without an owner belongs to the rows."""
        if self.box.left is not CountedCards.PILES or self.entry is Input.TAKES:
            return False
        return self.entry is Input.TYPED or (not self.seats_open and not self.loose)


def _with(table: CountTable, seat: Seat, count: Count) -> CountTable:
    return replace(table, counts=with_item(table.counts, seat, count), newest=None)


def _sum_typed(table: CountTable, event: records.SumTyped) -> CountTable:
    if event.seat is None:
        return replace(table, rows_sum=event.points, rows=())
    loose = () if table.entry is Input.PILES else table.loose
    return replace(_with(table, event.seat, Count(event.points)), loose=loose)


def _pile_ended(table: CountTable, event: records.PileEnded) -> CountTable:
    seat, cards = event.seat, event.cards
    if seat is None:
        return replace(table, loose=(), rows=(*table.rows, *cards), rows_sum=None)
    count = Count(None, (*table.counts[seat].pile, *cards), ended=table.entry is Input.PILES)
    table = replace(_with(table, seat, count), loose=())
    return replace(table, newest=(seat, cards), takes=(*table.takes, Taken(seat, cards))) if cards else table


def _card_counted(table: CountTable, event: records.CardCounted) -> CountTable:
    table = replace(table, doubt=None)
    if event.rows:
        return replace(table, rows=(*table.rows, event.card), rows_sum=None)
    if event.seat is None:
        return replace(table, loose=(*table.loose, event.card))
    count = table.counts[event.seat]
    return _with(table, event.seat, replace(count, pile=(*count.pile, event.card)))


def _cards_corrected(table: CountTable, event: records.CardsCorrected) -> CountTable:
    by = dict(zip_longest(event.remove, event.add))

    def replaced(cards: tuple[str, ...]) -> tuple[str, ...]:
        others = (by.get(card, card) for card in cards)
        return tuple(card for card in others if card is not None)

    counts = tuple(replace(count, pile=replaced(count.pile)) for count in table.counts)
    return replace(table, counts=counts, loose=replaced(table.loose), rows=replaced(table.rows), newest=None)


def _scores_swapped(table: CountTable, event: records.ScoresSwapped) -> CountTable:
    first, second = event.seats
    return _with(_with(table, first, table.counts[second]), second, table.counts[first])


def _count_adopted(table: CountTable, event: records.CountAdopted) -> CountTable:
    seats, ended = len(table.counts), table.entry is not Input.TAKES
    sums, piles = event.sums or (None,) * seats, event.piles or ((),) * seats
    counts = tuple(
        Count(points, pile, ended=bool(pile) and ended) for points, pile in zip(sums, piles, strict=True)
    )
    fresh = CountTable(table.agreed, table.players, counts, takes=table.takes)
    return replace(fresh, rows=event.rows, rows_sum=event.rows_sum)


def _seat_left(table: CountTable, event: SeatLeft) -> CountTable:
    return replace(table, players=tuple(seat for seat in table.players if seat != event.seat))


def _seat_joined(table: CountTable, event: SeatJoined) -> CountTable:
    grown = table.counts + (NOTHING_YET,) * (event.seat + 1 - len(table.counts))
    return replace(table, players=tuple(sorted((*table.players, event.seat))), counts=grown)


CHANGES: Final[Changes] = {
    records.SumTyped: _sum_typed,
    records.CardCounted: _card_counted,
    records.CardDoubted: lambda table, event: replace(table, doubt=event),
    records.PileEnded: _pile_ended,
    records.CardsCorrected: _cards_corrected,
    records.ScoresSwapped: _scores_swapped,
    records.CountAdopted: _count_adopted,
    SeatLeft: _seat_left,
    SeatJoined: _seat_joined,
    records.DealClosed: lambda table, event: replace(
        table, closed=True, faults=event.faults, missing=event.missing
    ),
}
"""What each event changes."""
