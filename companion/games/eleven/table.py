"""The table of 11 nimmt!: what lies there, what can be concluded from it, and how events change it.

The referee sees a hand only where its cards are scanned when they are dealt. Of the other hands it knows what
was seen: a card that is on a pile or known to be in one hand is in no other hand. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from companion.core.cards import Card, Seat, clockwise
from companion.core.game import Changes, Taken
from companion.games.eleven import records
from companion.games.eleven.cards import ALL, FITTING, fits
from companion.games.eleven.options import BULLS, CARDS, DEALT, BullPiles, Leader, Options
from companion.values import Value, replace, with_item


class Pile(Value):
    """A pile from bottom to top; `number` counts from 0 in the order of creation.

    The number is for programs. People call a pile by the card on top of it.
    """

    number: int
    cards: tuple[Card, ...]

    @property
    def top(self) -> Card:
        return self.cards[-1]


FromHand = records.CardLaid | records.PileOpened
Happened = FromHand | records.CardTurnedUp | records.PileTaken
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
    earlier: tuple[Taken, ...] = ()
    out: Seat | None = None
    stopped: bool = False
    seen: tuple[Card, ...] = ()
    unscanned: bool = False

    @property
    def untouched(self) -> bool:
        """Whether no card of the deal was turned up yet."""
        return self.next_pile == 0 and self.moves == 0 and not self.piles

    @property
    def registering(self) -> tuple[Seat, ...]:
        """The seats whose hands are to be scanned before the first card is turned up.

        The hand that has been begun comes first, then they follow clockwise from who starts.
        """
        if not self.agreed.hands or not self.untouched or self.unscanned:
            return ()
        order = clockwise(self.players, self.turn)
        missing = [seat for seat in order if seat in self.agreed.hands and self.unknown(seat)]
        return tuple(sorted(missing, key=lambda seat: not self.known[seat]))

    def after(self, seat: Seat) -> Seat:
        """Who plays after a seat, clockwise."""
        return self.players[(self.players.index(seat) + 1) % len(self.players)]

    @property
    def takes(self) -> tuple[Taken, ...]:
        newest = (event for event in self.newest if isinstance(event, records.PileTaken))
        return (*self.earlier, *(Taken(taken.seat, tuple(map(str, taken.cards))) for taken in newest))

    @property
    def left(self) -> tuple[Taken, ...]:
        """The hands that cost points at the end of the deal, if all their cards are known."""
        ends = [seat for seat in self.players if self.over and self.sizes[seat] and not self.unknown(seat)]
        return tuple(Taken(seat, tuple(map(str, sorted(self.known[seat])))) for seat in ends)

    # ------------------------------------------------------------------------------------------------ piles

    def pile(self, number: int) -> Pile | None:
        """The pile of that number, if it exists."""
        for pile in self.piles:  # quicker than `next`, and asked for every pile of every card
            if pile.number == number:
                return pile
        return None

    @property
    def tops(self) -> tuple[Card, ...]:
        """The top cards of the piles: their names."""
        return tuple(pile.top for pile in self.piles)

    def top_before(self, number: int) -> Card | None:
        """The top of a pile as the latest move began; None: it was not there."""
        pile = None if self.before is None else self.before.pile(number)
        return None if pile is None else pile.top

    def base(self, pile: Pile) -> Card:
        """The card that the next one must be above: in a move, for all its cards, the top before the move."""
        return (self.top_before(pile.number) if self.moving else None) or pile.top

    @property
    def laid(self) -> tuple[FromHand, ...]:
        """The cards played so far in the move in progress."""
        return tuple([event for event in self.newest if isinstance(event, FromHand)]) if self.moving else ()

    @property
    def counts(self) -> dict[int, int]:
        """How many cards were played on each pile in the move in progress."""
        counts: dict[int, int] = {}
        for laid in self.laid:
            counts[laid.pile] = counts.get(laid.pile, 0) + 1
        return counts

    def permits(self, counts: Mapping[int, int], bulls: int) -> bool:
        """Whether a move may have this many cards on these piles (11 nimmt! rulebook, Bull cards; H11-9)."""
        several = sum(number > 1 for number in counts.values())
        extra = 1 if self.agreed.bull_piles is BullPiles.ONE_MORE and bulls else 0
        return several <= bulls and len(counts) <= max(1, bulls + extra)

    @property
    def open_piles(self) -> tuple[Pile, ...]:
        """The piles on which the move in progress may have one more card."""
        if not self.moving:
            return self.piles
        counts, bulls = self.counts, self.bulls[self.turn]
        return tuple(
            pile
            for pile in self.piles
            if self.permits({**counts, pile.number: counts.get(pile.number, 0) + 1}, bulls)
        )

    def open_to(self, card: Card) -> tuple[Pile, ...]:
        """The piles on which a card may go in this move."""
        return tuple(pile for pile in self.open_piles if fits(card, self.base(pile)))

    @property
    def opens_pile(self) -> bool:
        """Whether the player whose turn it is opens a pile, because none is left (house rule H11-6)."""
        return not self.piles and not self.due

    @property
    def may_lay(self) -> bool:
        """Whether the seat whose turn it is may lay a card now, if it has one that fits.

        What is known of its hand does not matter: what is asked is seen by all, and must not tell them
        whether a hand has a card that fits.
        """
        return not self.laid if self.opens_pile else bool(self.open_piles)

    @property
    def can_lay(self) -> bool:
        """Whether the seat whose turn it is may have a card that it can lay now, by all that is known.

        A move with bull cards ends by itself where it has none.
        """
        hand = self.possible(self.turn)
        if self.opens_pile:
            return bool(hand) and not self.laid
        return any(not hand.isdisjoint(FITTING[self.base(pile)]) for pile in self.open_piles)

    # ----------------------------------------------------------------------------------- bull cards and hands

    @property
    def supply(self) -> int:
        """The bull cards that nobody has."""
        return BULLS - sum(self.bulls)

    @property
    def givers(self) -> tuple[Seat, ...]:
        """Who can give a bull card when the supply is empty (11 nimmt! rulebook, Taking a pile; H11-4)."""
        others = [seat for seat in self.players if seat != self.turn]
        most = max(self.bulls[seat] for seat in others)
        leads_alone = self.bulls[self.turn] > most
        if not most or (leads_alone and self.agreed.leader is Leader.NOTHING):
            return ()
        return tuple(seat for seat in others if self.bulls[seat] == most)

    @property
    def unseen(self) -> frozenset[Card]:
        """The cards that may be in the deck or in any hand."""
        return ALL.difference(*(pile.cards for pile in self.piles), *self.known)

    def unknown(self, seat: Seat) -> int:
        """How many cards of a hand are not known."""
        return self.sizes[seat] - len(self.known[seat])

    def possible(self, seat: Seat) -> frozenset[Card]:
        """The cards that a hand can hold."""
        return self.known[seat] | self.unseen if self.unknown(seat) > 0 else self.known[seat]

    def whole(self, seat: Seat) -> frozenset[Card] | None:
        """A hand, where all of it is known: because its cards were seen, or because all the others were."""
        unknown = self.unknown(seat)
        if unknown == 0:
            return self.known[seat]
        return self.known[seat] | self.unseen if len(self.unseen) == unknown else None

    # ------------------------------------------------------------------------------------ the end of the deal

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
    def points(self) -> tuple[int, ...]:
        """The heads counted so far, by seat."""
        return tuple(heads or 0 for heads in self.counted)

    @property
    def worst(self) -> tuple[Seat, ...]:
        """The players with most minus points, of several the one first who starts next.

        That is the next one clockwise after the one who went out, or had the turn (house rule H11-7).
        """
        points = self.points
        most = max(points[seat] for seat in self.players)
        first = self.turn if self.out is None else self.after(self.out)
        return tuple(seat for seat in clockwise(self.players, first) if points[seat] == most)


def start(agreed: Options, seats: int, players: tuple[Seat, ...], first: Seat) -> ElevenTable:
    """A new deal, before the first card is turned up; if the starter has left, the next seat starts."""
    turn = next((seat for seat in players if seat >= first), players[0])
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


# ---------------------------------------------------------------------------------------- what events change


def _card_registered(table: ElevenTable, event: records.CardRegistered) -> ElevenTable:
    known = with_item(table.known, event.seat, table.known[event.seat] | {event.held})
    return replace(table, known=known)


def _hands_forgotten(table: ElevenTable, event: records.HandsForgotten) -> ElevenTable:
    before = _hands_forgotten(table.before, event) if table.before is not None else None
    known = tuple(frozenset[Card]() if seat in event.seats else hand for seat, hand in enumerate(table.known))
    return replace(table, known=known, unscanned=True, before=before)


def _card_turned_up(table: ElevenTable, event: records.CardTurnedUp) -> ElevenTable:
    return replace(
        table,
        piles=(*table.piles, Pile(event.pile, (event.card,))),
        next_pile=event.pile + 1,
        deck=table.deck - 1,
        due=table.due - 1,
        newest=(*table.newest, event),
    )


def _in_move(table: ElevenTable) -> ElevenTable:
    """The table with a move in progress; a new move replaces the one before."""
    if table.moving:
        return table
    start = replace(table, newest=(), before=None, earlier=table.takes)
    return replace(start, moving=True, before=start)


def _card_waits(table: ElevenTable, event: records.CardWaits) -> ElevenTable:
    return replace(_in_move(table), waiting=event.card, shown=None)


def _card_laid(table: ElevenTable, event: records.CardLaid) -> ElevenTable:
    cards = _pile(table, event.pile).cards
    cards = (*cards[: event.at], event.card, *cards[event.at :])
    return _from_hand(_in_move(table), event, _with_pile(table, event.pile, cards), table.next_pile)


def _pile_opened(table: ElevenTable, event: records.PileOpened) -> ElevenTable:
    piles = (*table.piles, Pile(event.pile, (event.card,)))
    return _from_hand(_in_move(table), event, piles, event.pile + 1)


def _from_hand(table: ElevenTable, event: FromHand, piles: tuple[Pile, ...], next_pile: int) -> ElevenTable:
    """The table after a card went from a hand to a pile."""
    seat = event.seat
    return replace(
        table,
        piles=piles,
        next_pile=next_pile,
        newest=(*table.newest, event),
        sizes=with_item(table.sizes, seat, table.sizes[seat] - 1),
        known=with_item(table.known, seat, table.known[seat] - {event.card}),
        waiting=None,
        shown=None,
    )


def _pile(table: ElevenTable, number: int) -> Pile:
    pile = table.pile(number)
    if pile is None:
        raise LookupError(f"there is no pile {number}")
    return pile


def _with_pile(table: ElevenTable, number: int, cards: tuple[Card, ...]) -> tuple[Pile, ...]:
    return tuple(Pile(number, cards) if pile.number == number else pile for pile in table.piles)


def _pile_taken(table: ElevenTable, event: records.PileTaken) -> ElevenTable:
    table, seat = _in_move(table), event.seat
    bulls = table.bulls
    if event.bull:
        bulls = with_item(bulls, seat, bulls[seat] + 1)
        if event.bull_from is not None:
            bulls = with_item(bulls, event.bull_from, bulls[event.bull_from] - 1)
    return replace(
        table,
        piles=tuple(pile for pile in table.piles if pile.number != event.pile),
        sizes=with_item(table.sizes, seat, table.sizes[seat] + len(event.cards)),
        known=with_item(table.known, seat, table.known[seat].union(event.cards)),
        bulls=bulls,
        taking=None,
        due=event.due,
        newest=(*table.newest, event),
    )


def _bulls_returned(table: ElevenTable, event: records.BullsReturned) -> ElevenTable:
    return replace(table, bulls=with_item(table.bulls, event.seat, table.bulls[event.seat] - event.bulls))


def _turn_passed(table: ElevenTable, event: records.TurnPassed) -> ElevenTable:
    return replace(table, turn=event.seat, moving=False, shown=None, moves=table.moves + 1)


def _went_out(table: ElevenTable, event: records.WentOut) -> ElevenTable:
    return replace(table, out=event.seat, moving=False, moves=table.moves + 1)


def _hand_counted(table: ElevenTable, event: records.HandCounted) -> ElevenTable:
    seat, cards = event.seat, event.cards
    known = table.known if cards is None else with_item(table.known, seat, frozenset(cards))
    return replace(table, counted=with_item(table.counted, seat, event.heads), known=known, seen=())


def _card_replaced(table: ElevenTable, event: records.CardReplaced) -> ElevenTable:
    _pile(table, event.pile)
    wrong = records.CardTurnedUp(event.wrong, event.pile)
    newest = tuple(replace(wrong, card=event.card) if part == wrong else part for part in table.newest)
    return replace(table, newest=newest, piles=_with_pile(table, event.pile, (event.card,)))


def _move_reopened(table: ElevenTable, _event: records.MoveReopened) -> ElevenTable:
    if table.before is None:
        raise ValueError("no move can be reopened")
    return table.before


def _seat_left(table: ElevenTable, event: records.SeatLeft) -> ElevenTable:
    table = _with_seat(table, event.seat, 0)
    players = tuple(seat for seat in table.players if seat != event.seat)
    return replace(table, players=players, turn=event.turn, deck=event.deck)


def _seat_joined(table: ElevenTable, event: records.SeatJoined) -> ElevenTable:
    players = tuple(sorted((*table.players, event.seat)))
    return replace(_with_seat(table, event.seat, event.cards), players=players, deck=event.deck)


def _with_seat(table: ElevenTable, seat: Seat, cards: int) -> ElevenTable:
    """The table with this many unknown cards at a seat, which may be new."""
    grown = max(0, seat + 1 - len(table.sizes))
    return replace(
        table,
        sizes=with_item(table.sizes + (0,) * grown, seat, cards),
        known=with_item(table.known + (frozenset[Card](),) * grown, seat, frozenset[Card]()),
        bulls=with_item(table.bulls + (0,) * grown, seat, 0),
        counted=table.counted + (None,) * grown,
    )


def _table_adopted(table: ElevenTable, event: records.TableAdopted) -> ElevenTable:
    piles = [Pile(int(name), cards) for name, cards in event.piles.items()]
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
        piles=tuple(sorted(piles, key=attrgetter("number"))),
        next_pile=event.next_pile,
        moves=event.moves,
        earlier=table.takes,
    )


CHANGES: Final[Changes] = {
    records.CardRegistered: _card_registered,
    records.HandsForgotten: _hands_forgotten,
    records.CardTurnedUp: _card_turned_up,
    records.CardWaits: _card_waits,
    records.CardShown: lambda table, event: replace(table, shown=event.card),
    records.CardLaid: _card_laid,
    records.PileOpened: _pile_opened,
    records.PileChosen: lambda table, event: replace(_in_move(table), taking=event.pile),
    records.PileTaken: _pile_taken,
    records.BullsReturned: _bulls_returned,
    records.TurnPassed: _turn_passed,
    records.WentOut: _went_out,
    records.HandCardSeen: lambda table, event: replace(table, seen=(*table.seen, event.card)),
    records.HandCounted: _hand_counted,
    records.CardReplaced: _card_replaced,
    records.MoveReopened: _move_reopened,
    records.SeatLeft: _seat_left,
    records.SeatJoined: _seat_joined,
    records.TableAdopted: _table_adopted,
    records.DealStopped: lambda table, _: replace(table, stopped=True),
}
"""What each event changes."""


def apply(table: ElevenTable, event: Any) -> ElevenTable:  # noqa: ANN401 - one of `CHANGES`
    after: ElevenTable = CHANGES[type(event)](table, event)
    return after
