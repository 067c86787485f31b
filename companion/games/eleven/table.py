"""The table of 11 nimmt!, what is known of the hands, and how events change them.

Nothing is decided here; the events themselves are in `records`.
"""

from __future__ import annotations

from typing import Any, TypeVar

from companion.core.cards import Card, Seat, clockwise
from companion.core.game import Take
from companion.games.eleven import records
from companion.games.eleven.options import BULLS, CARDS, DEALT, Options
from companion.values import Value, replace

T = TypeVar("T")


class Pile(Value):
    """A pile from bottom to top; `number` counts from 0 in the order of creation.

    The number is for programs. People call a pile by the card on top of it.
    """

    number: int
    cards: tuple[Card, ...]

    @property
    def top(self) -> Card:
        return self.cards[-1]


class Laid(Value):
    """In the latest move, a card from a hand; `top` was the pile's before the move (None: it opened one)."""

    card: Card
    seat: Seat
    pile: int
    top: Card | None


Happened = Laid | records.CardTurnedUp | records.PileTaken
"""A part of the latest move."""


class ElevenTable(Value):
    """A deal as it was `agreed`.

    By seat of the match: `sizes`, the number of cards in each hand; `known`, the cards of it
    that are known; `bulls`; `counted`, the heads of a hand once the deal is over. `piles` are
    in the order of creation. `deck` cards are left, of which `due` have to be turned up now.
    `total` is the number of cards in the deal: 100, or fewer if a table with
    fewer was set up. `moves` are finished. While `moving`, the seat whose turn it is has begun its move:
    `waiting` is its card that fits several piles, `shown` one that may be of the next seat, `taking` the pile
    it takes once it is known who gives the bull card. `newest` is what happened in the latest move, also
    after it is finished, `before` the table as that move began, `earlier` what was taken before it. `out` is
    whose hand is empty, `seen` are the scanned cards of the hand that is being counted. `unscanned`: what was
    scanned of hands was wrong.
    """

    agreed: Options
    players: tuple[Seat, ...]
    turn: Seat
    sizes: tuple[int, ...]
    known: tuple[frozenset[Card], ...]
    bulls: tuple[int, ...]
    counted: tuple[int | None, ...]
    deck: int
    due: int = 1
    total: int = CARDS
    piles: tuple[Pile, ...] = ()
    next_pile: int = 0
    moves: int = 0
    moving: bool = False
    waiting: Card | None = None
    shown: Card | None = None
    taking: int | None = None
    newest: tuple[Happened, ...] = ()
    before: ElevenTable | None = None
    earlier: tuple[Take, ...] = ()
    out: Seat | None = None
    stopped: bool = False
    seen: tuple[Card, ...] = ()
    unscanned: bool = False

    @property
    def untouched(self) -> bool:
        """Whether no card of the deal was turned up yet."""
        return self.next_pile == 0 and self.moves == 0 and not self.piles

    @property
    def supply(self) -> int:
        """The bull cards that nobody has."""
        return BULLS - sum(self.bulls)

    @property
    def counting(self) -> bool:
        """Whether the moves are over and hands are counted, or all have been."""
        return self.stopped or self.out is not None

    @property
    def next_hand(self) -> Seat | None:
        """Whose hand is counted now: clockwise from who went out; None when none is left."""
        if not self.counting:
            return None
        order = clockwise(self.players, self.turn if self.out is None else self.out)
        return next((seat for seat in order if seat != self.out and self.counted[seat] is None), None)

    @property
    def over(self) -> bool:
        return self.counting and self.next_hand is None

    @property
    def laid(self) -> tuple[Laid, ...]:
        """The cards laid so far in the move in progress."""
        return tuple([one for one in self.newest if isinstance(one, Laid)]) if self.moving else ()

    def pile(self, number: int) -> Pile | None:
        """The pile of that number, if it exists."""
        return next((pile for pile in self.piles if pile.number == number), None)

    def top_before(self, pile: Pile) -> Card:
        """The top of a pile before the move in progress."""
        for one in self.newest if self.moving else ():
            if isinstance(one, Laid) and one.pile == pile.number and one.top is not None:
                return one.top
        return pile.top

    def after(self, seat: Seat) -> Seat:
        """Who plays after a seat, clockwise."""
        return self.players[(self.players.index(seat) + 1) % len(self.players)]

    @property
    def takes(self) -> tuple[Take, ...]:
        newest = (one for one in self.newest if isinstance(one, records.PileTaken))
        return (*self.earlier, *(Take(taken.seat, tuple(map(str, taken.cards))) for taken in newest))

    @property
    def points(self) -> tuple[int, ...]:
        """The heads counted so far, by seat."""
        return tuple(heads or 0 for heads in self.counted)


def start(agreed: Options, seats: int, players: tuple[Seat, ...], first: Seat) -> ElevenTable:
    """A new deal, before the first card is turned up; if the starter has left, the next seat starts."""
    turn = next((seat for seat in (*players, *players) if seat >= first), players[0])
    sizes = tuple(DEALT if seat in players else 0 for seat in range(seats))
    return ElevenTable(
        agreed,
        players,
        turn,
        sizes,
        known=(frozenset(),) * seats,
        bulls=(0,) * seats,
        counted=(None,) * seats,
        deck=CARDS - sum(sizes),
    )


def starter(_deal: int, _first: Seat, finished: ElevenTable) -> Seat:
    """The player with most minus points of the deal before; of several, the next one clockwise (H11-7)."""
    points = finished.points
    most = max(points[seat] for seat in finished.players)
    worst = [seat for seat in finished.players if points[seat] == most]
    seat = finished.turn if finished.out is None else finished.after(finished.out)
    while seat not in worst:
        seat = finished.after(seat)
    return seat


def apply(table: ElevenTable, event: records.Event) -> ElevenTable:  # noqa: C901, PLR0911, PLR0912 - one line per kind of event
    match event:
        case records.CardRegistered(card, seat):
            return replace(table, known=_at(table.known, seat, table.known[seat] | {card}))
        case records.HandsForgotten(seats):
            return _forgotten(table, seats)
        case records.CardTurnedUp():
            return _turned_up(table, event)
        case records.CardWaits(card, _):
            return replace(_in_move(table), waiting=card, shown=None)
        case records.CardShown(card):
            return replace(table, shown=card)
        case records.CardLaid():
            return _laid(_in_move(table), event)
        case records.PileOpened(card, seat, pile):
            table = _in_move(table)
            piles = (*table.piles, Pile(pile, (card,)))
            newest = (*table.newest, Laid(card, seat, pile, None))
            return replace(
                table, piles=piles, next_pile=pile + 1, newest=newest, **_from_hand(table, seat, card)
            )
        case records.PileChosen(pile, _):
            return replace(_in_move(table), taking=pile)
        case records.PileTaken():
            return _taken(_in_move(table), event)
        case records.BullsReturned(seat, bulls):
            return replace(table, bulls=_at(table.bulls, seat, table.bulls[seat] - bulls))
        case records.TurnPassed(seat):
            return replace(table, turn=seat, moving=False, shown=None, moves=table.moves + 1)
        case records.WentOut(seat):
            return replace(table, out=seat, moving=False, moves=table.moves + 1)
        case records.HandCardSeen(card, _):
            return replace(table, seen=(*table.seen, card))
        case records.HandCounted(seat, cards, heads):
            known = table.known if cards is None else _at(table.known, seat, frozenset(cards))
            return replace(table, counted=_at(table.counted, seat, heads), known=known, seen=())
        case records.CardReplaced():
            return _replaced(table, event)
        case records.MoveReopened():
            if table.before is None:
                raise ValueError("no move can be reopened")
            return table.before
        case records.SeatLeft() | records.SeatJoined():
            return _seated(table, event)
        case records.TableAdopted():
            return _adopted(table, event)
        case records.DealStopped():
            return replace(table, stopped=True)
    raise TypeError(event)  # pragma: no cover - the match is exhaustive, which mypy checks


def _forgotten(table: ElevenTable, seats: tuple[Seat, ...]) -> ElevenTable:
    before = _forgotten(table.before, seats) if table.before is not None else None
    known = tuple(frozenset[Card]() if seat in seats else hand for seat, hand in enumerate(table.known))
    return replace(table, known=known, unscanned=True, before=before)


def _at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    if not 0 <= index < len(values):
        raise IndexError(f"there is no seat {index}")
    return (*values[:index], value, *values[index + 1 :])


def _in_move(table: ElevenTable) -> ElevenTable:
    """The table with a move in progress; a new move replaces the one before."""
    if table.moving:
        return table
    start = replace(table, newest=(), before=None, earlier=table.takes)
    return replace(start, moving=True, before=start)


def _from_hand(table: ElevenTable, seat: Seat, card: Card) -> dict[str, Any]:
    """What a card that leaves a hand changes, by field."""
    sizes = _at(table.sizes, seat, table.sizes[seat] - 1)
    known = _at(table.known, seat, table.known[seat] - {card})
    return {"sizes": sizes, "known": known, "waiting": None, "shown": None}


def _with_pile(table: ElevenTable, pile: Pile) -> tuple[Pile, ...]:
    if table.pile(pile.number) is None:
        raise LookupError(f"there is no pile {pile.number}")
    return tuple(pile if old.number == pile.number else old for old in table.piles)


def _turned_up(table: ElevenTable, event: records.CardTurnedUp) -> ElevenTable:
    return replace(
        table,
        piles=(*table.piles, Pile(event.pile, (event.card,))),
        next_pile=event.pile + 1,
        deck=table.deck - 1,
        due=table.due - 1,
        newest=(*table.newest, event),
    )


def _laid(table: ElevenTable, event: records.CardLaid) -> ElevenTable:
    pile = table.pile(event.pile)
    if pile is None:
        raise LookupError(f"there is no pile {event.pile}")
    laid = Laid(event.card, event.seat, event.pile, table.top_before(pile))
    cards = (*pile.cards[: event.at], event.card, *pile.cards[event.at :])
    piles = _with_pile(table, Pile(pile.number, cards))
    left = _from_hand(table, event.seat, event.card)
    return replace(table, piles=piles, newest=(*table.newest, laid), **left)


def _taken(table: ElevenTable, event: records.PileTaken) -> ElevenTable:
    seat = event.seat
    bulls = table.bulls
    if event.bull:
        bulls = _at(bulls, seat, bulls[seat] + 1)
        if event.bull_from is not None:
            bulls = _at(bulls, event.bull_from, bulls[event.bull_from] - 1)
    return replace(
        table,
        piles=tuple(pile for pile in table.piles if pile.number != event.pile),
        sizes=_at(table.sizes, seat, table.sizes[seat] + len(event.cards)),
        known=_at(table.known, seat, table.known[seat] | frozenset(event.cards)),
        bulls=bulls,
        taking=None,
        due=event.due,
        newest=(*table.newest, event),
    )


def _replaced(table: ElevenTable, event: records.CardReplaced) -> ElevenTable:
    newest = tuple(
        replace(one, card=event.card)
        if isinstance(one, records.CardTurnedUp) and (one.card, one.pile) == (event.wrong, event.pile)
        else one
        for one in table.newest
    )
    return replace(table, newest=newest, piles=_with_pile(table, Pile(event.pile, (event.card,))))


def _seated(table: ElevenTable, event: records.SeatLeft | records.SeatJoined) -> ElevenTable:
    grown = event.seat + 1 - len(table.sizes)
    table = replace(
        table,
        sizes=table.sizes + (0,) * grown,
        known=table.known + (frozenset[Card](),) * grown,
        bulls=table.bulls + (0,) * grown,
        counted=table.counted + (None,) * grown,
        deck=event.deck,
    )
    if isinstance(event, records.SeatJoined):
        players = tuple(sorted((*table.players, event.seat)))
        return replace(table, players=players, sizes=_at(table.sizes, event.seat, event.cards))
    players = tuple(one for one in table.players if one != event.seat)
    return replace(
        table,
        players=players,
        sizes=_at(table.sizes, event.seat, 0),
        known=_at(table.known, event.seat, frozenset()),
        bulls=_at(table.bulls, event.seat, 0),
        turn=event.turn,
    )


def _adopted(table: ElevenTable, event: records.TableAdopted) -> ElevenTable:
    piles = tuple(sorted((Pile(int(name), cards) for name, cards in event.piles.items()), key=_number))
    return ElevenTable(
        table.agreed,
        table.players,
        event.turn,
        event.hand_sizes,
        known=tuple(map(frozenset, event.hands)),
        bulls=event.bulls,
        counted=(None,) * len(table.sizes),
        deck=event.deck,
        due=event.due,
        total=sum(event.hand_sizes) + sum(map(len, event.piles.values())) + event.deck,
        piles=piles,
        next_pile=event.next_pile,
        moves=event.moves,
        earlier=table.takes,
    )


def _number(pile: Pile) -> int:
    return pile.number
