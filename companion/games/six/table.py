"""The table of 6 nimmt! and how events change it. Nothing is decided here."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter

from companion.core.cards import ROWS, TURNS, Card, Seat, clockwise, heads
from companion.core.game import Take
from companion.core.ruling import SeatJoined, SeatLeft
from companion.games.six import records
from companion.games.six.options import Deck, Options
from companion.values import Value, replace

Row = tuple[Card, ...]


class FaceUpCard(Value):
    """A card that is face up and not yet placed; the seat is None while nobody needs to know it."""

    card: Card
    seat: Seat | None


class PlacedInTurn(Value):
    """A card of the latest turn and where it went; `ends` are the ends of the rows before it."""

    card: Card
    seat: Seat | None
    row: int
    rule: str
    takes: tuple[Card, ...]
    ends: tuple[Card, ...]


class SixTable(Value):
    """A deal as it was `agreed`.

    `rows` go from left to right (fewer than four while they are laid out), `turn` turns are finished.

    `placed` are the cards of the newest turn, also after it is finished. `chosen` is the row
    that the lowest card takes, until its owner is known. `before` is the table as the newest
    turn began, from which a corrected turn is placed again. `hands` are the cards that players are
    known to hold, by seat: after an open draft all of them, else those that were scanned. `whole` are the
    seats whose whole hand was known; `unknown`: no hand is to be scanned in this deal.
    `unclaimed` are cards that took a row, each with that row, of which nobody knows the owner.
    `taken` has one pile per seat of the match, in the order taken. `played` counts the cards that
    came to rows and piles after the four first ones. `earlier` are the rows taken before the newest turn.
    """

    agreed: Options
    players: tuple[Seat, ...]
    deck: int
    first: Seat
    taken: tuple[tuple[Card, ...], ...]
    rows: tuple[Row, ...] = ()
    turn: int = 0
    shown: tuple[FaceUpCard, ...] = ()
    placed: tuple[PlacedInTurn, ...] = ()
    chosen: int | None = None
    hands: tuple[frozenset[Card], ...] = ()
    whole: frozenset[Seat] = frozenset()
    unknown: bool = False
    unclaimed: tuple[tuple[Card, Row], ...] = ()
    played: int = 0
    ended: bool = False
    before: SixTable | None = None
    earlier: tuple[Take, ...] = ()

    @property
    def ends(self) -> tuple[Card, ...]:
        """The last card of every row."""
        return tuple([row[-1] for row in self.rows])

    @property
    def placing(self) -> bool:
        """Whether all cards of the turn are known and some are not placed yet."""
        return bool(self.shown) and (bool(self.placed) or len(self.shown) >= len(self.players))

    @property
    def lowest(self) -> FaceUpCard:
        """The card to be placed next; only while cards are shown."""
        return min(self.shown, key=attrgetter("card"))

    @property
    def over(self) -> bool:
        return self.ended or (self.turn >= TURNS and not self.shown)

    @property
    def missing(self) -> int:
        """How many cards of the finished turns are in no row and no pile: nobody knew who took them."""
        finished = self.played - (len(self.placed) if self.shown else 0)
        return max(0, self.turn * len(self.players) - finished)

    def owner_in_turn(self, seat: Seat) -> Card | None:
        """The card of this turn that `seat` is known to own."""
        return next((one.card for one in self._of_turn() if one.seat == seat), None)

    @property
    def without_card(self) -> tuple[Seat, ...]:
        """The players whose card of this turn is not known."""
        owners = {one.seat for one in self._of_turn()}
        return tuple([seat for seat in self.players if seat not in owners])

    def _of_turn(self) -> tuple[PlacedInTurn | FaceUpCard, ...]:
        """The cards of a turn that is not finished."""
        return (*self.placed, *self.shown) if self.shown else ()

    @property
    def newest(self) -> tuple[tuple[Card, Seat | None], ...]:
        """The cards of the latest turn and their owners: the placed ones, then those still shown."""
        placed = tuple((one.card, one.seat) for one in self.placed)
        return (*placed, *((one.card, one.seat) for one in self.shown))

    @property
    def takes(self) -> tuple[Take, ...]:
        """The rows that were taken and whose new owner is known."""
        newest = (_take(one.seat, one.takes) for one in self.placed if one.takes and one.seat is not None)
        return (*self.earlier, *newest)

    @property
    def points(self) -> tuple[int, ...]:
        """Heads taken in this deal, by seat."""
        return tuple(map(_heads_of, self.taken))


def _take(seat: Seat, row: Row) -> Take:
    return Take(seat, tuple(map(str, row)))


def start(agreed: Options, seats: int, players: tuple[Seat, ...], first: Seat) -> SixTable:
    """A new deal, before the rows are laid out."""
    return SixTable(agreed, players, agreed.highest(len(players)), first, ((),) * seats)


# All piles are asked for after every step, and few steps change one.
_heads_of = lru_cache(maxsize=64)(heads)


def starter(deal: int, first: Seat, finished: SixTable) -> Seat:
    """Who picks first in the draft: it moves one seat clockwise each deal (house rule H6-5)."""
    return clockwise(finished.players, first)[(deal - 1) % len(finished.players)]


def apply(table: SixTable, event: records.Event) -> SixTable:  # noqa: C901, PLR0911 - one line per kind of event
    match event:
        case records.CardShown(card, seat):
            return _shown(table, FaceUpCard(card, seat))
        case records.CardPlaced():
            return _placed(table, event)
        case records.RowChosen(_, row):
            return replace(table, chosen=row)
        case records.OwnerNamed(card, seat):
            return _owned(table, card, seat)
        case records.RowBegun(card):
            return replace(table, rows=(*table.rows, (card,)))
        case records.CardPicked(card, seat) | records.CardRegistered(card, seat):
            return _picked(table, card, seat)
        case records.HandsForgotten():
            return _without_hands(table)
        case records.TurnReopened(cards, seats):
            start = table.before or table
            for card, owner in zip(cards, seats, strict=True):
                start = _shown(start, FaceUpCard(card, owner))
            return start
        case records.OwnersSwapped((one, other)):
            return _swapped(table, {one: other, other: one})
        case SeatLeft(seat):
            return _seated(table, tuple(one for one in table.players if one != seat))
        case SeatJoined(seat):
            grown = table.taken + ((),) * (seat + 1 - len(table.taken))
            return _seated(replace(table, taken=grown), tuple(sorted((*table.players, seat))))
        case records.TableAdopted():
            return _adopted(table, event)
        case records.DealEnded():
            return replace(table, ended=True)
    raise TypeError(event)  # pragma: no cover - the match is exhaustive, which mypy checks


def _adopted(table: SixTable, event: records.TableAdopted) -> SixTable:
    """The table as people say it is. Of scanned hands those cards are left that do not lie there."""
    rows, taken = event.rows, event.taken
    played = sum(map(len, (*rows, *taken))) - ROWS
    after = SixTable(table.agreed, table.players, table.deck, table.first, taken)
    after = replace(after, rows=rows, turn=event.turn, played=played, earlier=table.takes)
    if not table.whole:
        return after
    lying = {card for pile in (*rows, *taken) for card in pile}
    left = tuple(hand - lying for hand in table.hands)
    return replace(after, hands=left, whole=table.whole)


def _seated(table: SixTable, players: tuple[Seat, ...]) -> SixTable:
    """Other players; a known deck grows or shrinks with them as long as the table is empty.

    A turn whose cards are being shown can start again with the present players. A turn that was
    placed cannot: it was played by others.
    """
    known = table.agreed.deck is Deck.KNOWN and not table.rows
    before = _seated(table.before, players) if table.before and table.shown else None
    deck = table.agreed.highest(len(players)) if known else table.deck
    hands = table.hands
    if hands:  # who leaves takes the hand along; who comes has none yet
        seats = len(table.taken)
        hands = tuple(hand if seat in players else frozenset[Card]() for seat, hand in enumerate(hands))
        hands += (frozenset[Card](),) * (seats - len(hands))
    whole = table.whole.intersection(players)
    return replace(table, players=players, deck=deck, before=before, hands=hands, whole=whole)


def _shown(table: SixTable, shown: FaceUpCard) -> SixTable:
    if table.shown:
        return replace(table, shown=(*table.shown, shown))
    # Only one turn back is kept: a chain of all tables before would grow with every turn.
    start = replace(table, placed=(), before=None, earlier=table.takes)
    return replace(start, shown=(shown,), before=start)


def _placed(table: SixTable, event: records.CardPlaced) -> SixTable:
    row = (event.card,) if event.takes else (*table.rows[event.row], event.card)
    rows = (*table.rows[: event.row], row, *table.rows[event.row + 1 :])
    taken = table.taken
    if event.takes and event.seat is not None:
        taken = tuple(
            [(*pile, *event.takes) if seat == event.seat else pile for seat, pile in enumerate(taken)]
        )
    unclaimed = table.unclaimed
    if event.takes and event.seat is None:
        unclaimed = (*unclaimed, (event.card, event.takes))
    left = tuple([one for one in table.shown if one.card != event.card])
    hands = tuple(hand - {event.card} for hand in table.hands)
    placed = PlacedInTurn(event.card, event.seat, event.row, event.rule, event.takes, table.ends)
    return replace(
        table,
        rows=rows,
        taken=taken,
        shown=left,
        hands=hands,
        unclaimed=unclaimed,
        placed=(*table.placed, placed),
        chosen=None,
        played=table.played + 1,
        turn=table.turn + (not left),
    )


def _owned(table: SixTable, card: Card, seat: Seat) -> SixTable:
    """It became known who played a card: one that is shown, or one that has taken a row before."""
    row = dict(table.unclaimed).get(card)
    if row is None:
        return replace(
            table, shown=tuple(FaceUpCard(card, seat) if one.card == card else one for one in table.shown)
        )
    taken = tuple((*pile, *row) if owner == seat else pile for owner, pile in enumerate(table.taken))
    unclaimed = tuple(one for one in table.unclaimed if one[0] != card)
    placed = tuple(replace(one, seat=seat) if one.card == card else one for one in table.placed)
    in_newest = any(one.card == card for one in table.placed)
    earlier = table.earlier if in_newest else (*table.earlier, _take(seat, row))
    before = table.before
    if before is not None and card in dict(before.unclaimed):
        before = _owned(before, card, seat)
    return replace(table, taken=taken, unclaimed=unclaimed, placed=placed, before=before, earlier=earlier)


def _picked(table: SixTable, card: Card, seat: Seat) -> SixTable:
    hands = table.hands or (frozenset[Card](),) * len(table.taken)
    hands = tuple(hand | {card} if owner == seat else hand for owner, hand in enumerate(hands))
    whole = table.whole | {seat} if len(hands[seat]) == TURNS else table.whole
    return replace(table, hands=hands, whole=whole)


def _without_hands(table: SixTable) -> SixTable:
    before = _without_hands(table.before) if table.before else None
    return replace(table, hands=(), whole=frozenset[Seat](), unknown=True, before=before)


def _swapped(table: SixTable, other: dict[Seat, Seat]) -> SixTable:
    """Owners change in what is shown, in what is placed, and with it the cards taken in this turn."""

    def now(seat: Seat | None) -> Seat | None:
        return None if seat is None else other.get(seat, seat)

    # A pile also holds what was taken in earlier turns, and that stays with its owner.
    moved = {card for one in table.placed if one.seat in other for card in one.takes}
    piles = [[card for card in pile if card not in moved] for pile in table.taken]
    for one in table.placed:
        if one.seat in other:
            piles[other[one.seat]].extend(one.takes)
    return replace(
        table,
        shown=tuple(FaceUpCard(one.card, now(one.seat)) for one in table.shown),
        placed=tuple(replace(one, seat=now(one.seat)) for one in table.placed),
        taken=tuple(tuple(pile) for pile in piles),
    )
