"""The table of 6 nimmt!, and how events change it. Nothing is decided here."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from companion.core.cards import ROWS, TURNS, Card, Seat, clockwise, heads
from companion.core.game import Changes, Taken
from companion.core.ruling import SeatJoined, SeatLeft
from companion.games.six import records
from companion.games.six.options import Deck, Options
from companion.values import Value, replace, with_item

Row = tuple[Card, ...]
NO_HAND: Final = frozenset[Card]()


class SixTable(Value):
    """A deal as it was `agreed`.

    `rows` go from left to right (fewer than four while they are laid out), `turn` turns are finished.

    `shown` are cards of the turn that wait to be placed; their seat is None while nobody needs to know it.
    `placed` are the cards of the newest turn, also after it is finished, and `placed_on` the ends of the rows
    before each of them. `chosen` is the row that the lowest card takes, until its owner is known. `before` is
    the table as the newest turn began, from which a corrected turn is placed again. `hands` are the cards
    that players are known to hold, by seat: after an open draft all of them, else those that were scanned.
    `whole` are the seats whose whole hand was known; `unknown`: no hand is to be scanned in this deal.
    `unclaimed` are cards that took a row, each with that row, whose owner is not known. `taken` has
    one pile per seat of the match, in the order taken. `played` counts the cards that came to rows and piles
    after the four first ones. `earlier` are the rows taken before the newest turn.
    """

    agreed: Options
    players: tuple[Seat, ...]
    deck: int
    first: Seat
    taken: tuple[Row, ...]
    rows: tuple[Row, ...] = ()
    turn: int = 0
    shown: tuple[records.CardShown, ...] = ()
    placed: tuple[records.CardPlaced, ...] = ()
    placed_on: tuple[tuple[Card, ...], ...] = ()
    chosen: int | None = None
    hands: tuple[frozenset[Card], ...] = ()
    whole: frozenset[Seat] = frozenset()
    unknown: bool = False
    unclaimed: tuple[tuple[Card, Row], ...] = ()
    played: int = 0
    ended: bool = False
    before: SixTable | None = None
    earlier: tuple[Taken, ...] = ()

    @property
    def over(self) -> bool:
        return self.ended or (self.turn >= TURNS and not self.shown)

    @property
    def ends(self) -> tuple[Card, ...]:
        """The last card of every row."""
        return tuple([row[-1] for row in self.rows])

    @property
    def drafting(self) -> bool:
        """Whether the open draft is in progress."""
        return self.agreed.draft and not self.rows and self._picked < TURNS * len(self.players)

    @property
    def next_picker(self) -> Seat:
        """Whose turn it is in the open draft: clockwise from the first seat."""
        return clockwise(self.players, self.first)[self._picked % len(self.players)]

    @property
    def _picked(self) -> int:
        return sum(map(len, self.hands))

    @property
    def registering(self) -> tuple[Seat, ...]:
        """Whose hands are to be scanned before the rows are laid out: first the one that has been begun."""
        if self.rows or self.unknown:
            return ()
        order = clockwise(self.players, self.first)
        hands = self.hands or (NO_HAND,) * len(self.taken)
        missing = [seat for seat in order if self.agreed.scanned(seat) and seat not in self.whole]
        return tuple(sorted(missing, key=lambda seat: not hands[seat]))

    def holder(self, card: Card) -> Seat | None:
        """Who is known to hold a card."""
        return next((Seat(seat) for seat, hand in enumerate(self.hands) if card in hand), None)

    @property
    def placing(self) -> bool:
        """Whether all cards of the turn are known and some are not placed yet."""
        return bool(self.shown) and (bool(self.placed) or len(self.shown) >= len(self.players))

    @property
    def lowest(self) -> records.CardShown:
        """The card to be placed next; only while cards are shown."""
        return min(self.shown, key=attrgetter("card"))

    @property
    def newest(self) -> tuple[tuple[Card, Seat | None], ...]:
        """The cards of the latest turn and their owners: the placed ones, then those still shown."""
        turn: tuple[records.CardPlaced | records.CardShown, ...] = (*self.placed, *self.shown)
        return tuple([(card.card, card.seat) for card in turn])

    def owner_in_turn(self, seat: Seat) -> Card | None:
        """The card of this turn that `seat` is known to own."""
        turn = self.newest if self.shown else ()
        return next((card for card, owner in turn if owner == seat), None)

    @property
    def without_card(self) -> tuple[Seat, ...]:
        """The players whose card of this turn is not known."""
        owners = {owner for _, owner in self.newest} if self.shown else ()
        return tuple([seat for seat in self.players if seat not in owners])

    @property
    def possible_owners(self) -> tuple[Seat, ...]:
        """Who can own a card of this turn whose owner is not known."""
        return tuple([seat for seat in self.without_card if seat not in self.whole])

    @property
    def missing(self) -> int:
        """How many cards of the finished turns are in no row and no pile: nobody knew who took them."""
        finished = self.played - (len(self.placed) if self.shown else 0)
        return max(0, self.turn * len(self.players) - finished)

    @property
    def takes(self) -> tuple[Taken, ...]:
        """The rows that were taken and whose new owner is known."""
        taking = (placed for placed in self.placed if placed.takes)
        return (*self.earlier, *(_take(card.seat, card.takes) for card in taking if card.seat is not None))

    @property
    def points(self) -> tuple[int, ...]:
        """Heads taken in this deal, by seat."""
        return tuple(map(_heads_of, self.taken))


# All piles are asked for after every step, and few steps change one.
_heads_of = lru_cache(maxsize=64)(heads)


def _take(seat: Seat, row: Row) -> Taken:
    return Taken(seat, tuple(map(str, row)))


# ---------------------------------------------------------------------------------------- what events change


def _picked(table: SixTable, card: Card, seat: Seat) -> SixTable:
    hands = table.hands or (NO_HAND,) * len(table.taken)
    hands = with_item(hands, seat, hands[seat] | {card})
    return replace(
        table, hands=hands, whole=table.whole | {seat} if len(hands[seat]) == TURNS else table.whole
    )


def _hands_forgotten(table: SixTable, event: records.HandsForgotten) -> SixTable:
    before = _hands_forgotten(table.before, event) if table.before else None
    return replace(table, hands=(), whole=frozenset[Seat](), unknown=True, before=before)


def _card_shown(table: SixTable, event: records.CardShown) -> SixTable:
    if table.shown:
        return replace(table, shown=(*table.shown, event))
    # Only one turn back is kept: a chain of all tables before would grow with every turn.
    start = replace(table, placed=(), placed_on=(), before=None, earlier=table.takes)
    return replace(start, shown=(event,), before=start)


def _card_placed(table: SixTable, event: records.CardPlaced) -> SixTable:
    row = (event.card,) if event.takes else (*table.rows[event.row], event.card)
    taken, unclaimed = table.taken, table.unclaimed
    if event.seat is None:
        unclaimed = (*unclaimed, (event.card, event.takes)) if event.takes else unclaimed
    elif event.takes:
        taken = with_item(taken, event.seat, (*taken[event.seat], *event.takes))
    left = tuple([shown for shown in table.shown if shown.card != event.card])
    return replace(
        table,
        rows=with_item(table.rows, event.row, row),
        taken=taken,
        shown=left,
        hands=tuple(hand - {event.card} for hand in table.hands),
        unclaimed=unclaimed,
        placed=(*table.placed, event),
        placed_on=(*table.placed_on, table.ends),
        chosen=None,
        played=table.played + 1,
        turn=table.turn + (not left),
    )


def _owner_named(table: SixTable, event: records.OwnerNamed) -> SixTable:
    """It became known who played a card: one that is shown, or one that has taken a row before."""
    card, seat = event.card, event.seat
    row = dict(table.unclaimed).get(card)
    if row is None:
        named = (replace(shown, seat=seat) if shown.card == card else shown for shown in table.shown)
        return replace(table, shown=tuple(named))
    before = table.before
    if before is not None and card in dict(before.unclaimed):
        before = _owner_named(before, event)
    in_newest = any(placed.card == card for placed in table.placed)
    return replace(
        table,
        taken=with_item(table.taken, seat, (*table.taken[seat], *row)),
        unclaimed=tuple(row for row in table.unclaimed if row[0] != card),
        placed=tuple(
            replace(placed, seat=seat) if placed.card == card else placed for placed in table.placed
        ),
        before=before,
        earlier=table.earlier if in_newest else (*table.earlier, _take(seat, row)),
    )


def _turn_reopened(table: SixTable, event: records.TurnReopened) -> SixTable:
    start = table.before or table
    for card, owner in zip(event.cards, event.seats, strict=True):
        start = _card_shown(start, records.CardShown(card, owner))
    return start


def _owners_swapped(table: SixTable, event: records.OwnersSwapped) -> SixTable:
    """Owners change in what is shown, in what is placed, and with it the cards taken in this turn."""
    first, second = event.seats
    now: dict[Seat | None, Seat] = {first: second, second: first}
    # A pile also holds what was taken in earlier turns, and that stays with its owner.
    moved = {card for placed in table.placed if placed.seat in now for card in placed.takes}
    taken = [[card for card in pile if card not in moved] for pile in table.taken]
    for placed in table.placed:
        if placed.seat in now:
            taken[now[placed.seat]] += placed.takes
    return replace(
        table,
        shown=tuple(records.CardShown(card.card, now.get(card.seat, card.seat)) for card in table.shown),
        placed=tuple(replace(card, seat=now.get(card.seat, card.seat)) for card in table.placed),
        taken=tuple(map(tuple, taken)),
    )


def _seat_left(table: SixTable, event: SeatLeft) -> SixTable:
    return _seated(table, tuple(seat for seat in table.players if seat != event.seat))


def _seat_joined(table: SixTable, event: SeatJoined) -> SixTable:
    grown = table.taken + ((),) * (event.seat + 1 - len(table.taken))
    return _seated(replace(table, taken=grown), tuple(sorted((*table.players, event.seat))))


def _seated(table: SixTable, players: tuple[Seat, ...]) -> SixTable:
    """Other players; a known deck grows or shrinks with them as long as the table is empty.

    A turn whose cards are being shown can start again with the present players. A turn that was
    placed cannot: it was played by others.
    """
    known = table.agreed.deck is Deck.KNOWN and not table.rows
    hands = table.hands
    if hands:  # who leaves takes the hand along; who comes has none yet
        left = [hand if seat in players else NO_HAND for seat, hand in enumerate(hands)]
        hands = (*left, *[NO_HAND] * (len(table.taken) - len(left)))
    return replace(
        table,
        players=players,
        deck=table.agreed.highest(len(players)) if known else table.deck,
        before=_seated(table.before, players) if table.before and table.shown else None,
        hands=hands,
        whole=table.whole.intersection(players),
    )


def _table_adopted(table: SixTable, event: records.TableAdopted) -> SixTable:
    """The table as people say it is. Of scanned hands those cards are left that do not lie there."""
    lying = [card for pile in (*event.rows, *event.taken) for card in pile]
    hands = tuple(hand.difference(lying) for hand in table.hands) if table.whole else ()
    seated = table.agreed, table.players, table.deck, table.first
    after = SixTable(*seated, event.taken, event.rows, event.turn, hands=hands, whole=table.whole)
    return replace(after, played=len(lying) - ROWS, earlier=table.takes)


CHANGES: Final[Changes] = {
    records.RowBegun: lambda table, event: replace(table, rows=(*table.rows, (event.card,))),
    records.CardPicked: lambda table, event: _picked(table, event.card, event.seat),
    records.CardRegistered: lambda table, event: _picked(table, event.held, event.seat),
    records.HandsForgotten: _hands_forgotten,
    records.CardShown: _card_shown,
    records.RowChosen: lambda table, event: replace(table, chosen=event.row),
    records.OwnerNamed: _owner_named,
    records.CardPlaced: _card_placed,
    records.TurnReopened: _turn_reopened,
    records.OwnersSwapped: _owners_swapped,
    SeatLeft: _seat_left,
    SeatJoined: _seat_joined,
    records.TableAdopted: _table_adopted,
    records.DealEnded: lambda table, _: replace(table, ended=True),
}
"""What each event changes."""


def apply(table: SixTable, event: Any) -> SixTable:  # noqa: ANN401 - one of `CHANGES`
    after: SixTable = CHANGES[type(event)](table, event)
    return after
