"""What is counted of a deal and how events change it. Nothing is decided here."""

from companion.core.cards import Seat
from companion.core.game import Take
from companion.core.ruling import SeatJoined, SeatLeft
from companion.games.scorekeeping import records
from companion.games.scorekeeping.options import CountedCards, CountedDeck, Entry, Options
from companion.values import Value, cached, replace


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
    takes: tuple[Take, ...] = ()
    closed: bool = False
    faults: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @cached
    def box(self) -> CountedDeck:
        """The cards that are counted."""
        return self.agreed.box

    @property
    def entry(self) -> Entry:
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

    @cached  # the questions about a table ask for it again and again
    def seats_open(self) -> tuple[Seat, ...]:
        """The players who have no score for the deal yet."""
        return tuple([seat for seat in self.players if not self.scored(seat)])

    @property
    def rows_counted(self) -> bool:
        """Whether anything is known of the rows."""
        return bool(self.rows) or self.rows_sum is not None

    @property
    def seen(self) -> frozenset[str]:
        return frozenset((*self.loose, *self.rows, *(card for count in self.counts for card in count.pile)))

    def scored(self, seat: Seat) -> bool:
        """Whether a seat has a score; with cards scanned during play, it has one from the start."""
        count = self.counts[seat]
        return count.points is not None or count.ended or self.entry is Entry.TAKES

    def points(self, seat: Seat) -> int:
        """The points of a seat as far as they are counted."""
        return self.all_points[seat]

    @cached
    def all_points(self) -> tuple[int, ...]:
        """The points as far as they are counted, by seat."""
        piled = self.box.points
        return tuple([piled(one.pile) if one.points is None else one.points for one in self.counts])

    def in_rows(self) -> bool:
        """Whether a card without an owner belongs to the rows."""
        if self.box.left is not CountedCards.PILES or self.entry is Entry.TAKES:
            return False
        return self.entry is Entry.TYPED or (not self.seats_open and not self.loose)


def apply(table: CountTable, event: records.Event) -> CountTable:
    match event:
        case records.SumTyped(points, seat):
            return _typed(table, points, seat)
        case records.CardCounted(card, seat, rows):
            return _counted(replace(table, doubt=None), card, seat, rows=rows)
        case records.CardDoubted():
            return replace(table, doubt=event)
        case records.PileEnded(seat, cards):
            return _pile_ended(table, seat, cards)
        case records.CardsCorrected(remove, add):
            return _corrected(table, dict(zip(remove, (*add, *(None,) * len(remove)), strict=False)))
        case records.ScoresSwapped((one, other)):
            first, second = table.counts[one], table.counts[other]
            return _with(_with(table, one, second), other, first)
        case records.CountAdopted():
            return _adopted(table, event)
        case SeatLeft(seat):
            return replace(table, players=tuple(one for one in table.players if one != seat))
        case SeatJoined(seat):
            grown = table.counts + (NOTHING_YET,) * (seat + 1 - len(table.counts))
            return replace(table, players=tuple(sorted((*table.players, seat))), counts=grown)
        case records.DealClosed(faults, missing):
            return replace(table, closed=True, faults=faults, missing=missing)
    raise TypeError(event)  # pragma: no cover - the match is exhaustive, which mypy checks


def _with(table: CountTable, seat: Seat, count: Count) -> CountTable:
    return replace(table, counts=_at(table.counts, seat, count), newest=None)


def _at(counts: tuple[Count, ...], seat: Seat, count: Count) -> tuple[Count, ...]:
    return tuple(count if at == seat else old for at, old in enumerate(counts))


def _typed(table: CountTable, points: int, seat: Seat | None) -> CountTable:
    if seat is None:
        return replace(table, rows_sum=points, rows=())
    loose = () if table.entry is Entry.PILES else table.loose
    return replace(table, counts=_at(table.counts, seat, Count(points)), newest=None, loose=loose)


def _pile_ended(table: CountTable, seat: Seat | None, cards: tuple[str, ...]) -> CountTable:
    if seat is None:
        return replace(table, loose=(), rows=(*table.rows, *cards), rows_sum=None)
    count = Count(None, (*table.counts[seat].pile, *cards), ended=table.entry is Entry.PILES)
    table = replace(_with(table, seat, count), loose=())
    return replace(table, newest=(seat, cards), takes=(*table.takes, Take(seat, cards))) if cards else table


def _counted(table: CountTable, card: str, seat: Seat | None, *, rows: bool) -> CountTable:
    if rows:
        return replace(table, rows=(*table.rows, card), rows_sum=None)
    if seat is None:
        return replace(table, loose=(*table.loose, card))
    count = table.counts[seat]
    return _with(table, seat, Count(count.points, (*count.pile, card), count.ended))


def _corrected(table: CountTable, by: dict[str, str | None]) -> CountTable:
    def replaced(cards: tuple[str, ...]) -> tuple[str, ...]:
        others = (by.get(card, card) for card in cards)
        return tuple(card for card in others if card is not None)

    counts = tuple(Count(one.points, replaced(one.pile), one.ended) for one in table.counts)
    return replace(table, counts=counts, loose=replaced(table.loose), rows=replaced(table.rows), newest=None)


def _adopted(table: CountTable, event: records.CountAdopted) -> CountTable:
    seats, ended = len(table.counts), table.entry is not Entry.TAKES
    sums, piles = event.sums or (None,) * seats, event.piles or ((),) * seats
    counts = tuple(
        Count(points, pile, ended=bool(pile) and ended) for points, pile in zip(sums, piles, strict=True)
    )
    fresh = CountTable(table.agreed, table.players, counts, takes=table.takes)
    return replace(fresh, rows=event.rows, rows_sum=event.rows_sum)
