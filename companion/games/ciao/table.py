"""The table of Ciao!, what is known of the hands, and how events change both. Nothing is decided here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Final

from companion.core.cards import Seat, clockwise
from companion.core.codec import Record
from companion.core.game import Changes
from companion.core.ruling import SeatJoined, SeatLeft
from companion.games.ciao import records
from companion.games.ciao.cards import Card, kind, may_be_same, split
from companion.games.ciao.options import DEALT, Options
from companion.values import Value, replace, with_item


class Holding(Value):
    """`size` cards, of which `known` were seen: given in a position, given away, or taken back."""

    size: int = 0
    known: tuple[Card, ...] = ()

    @property
    def open(self) -> bool:
        """Whether every card of it is known."""
        return len(self.known) >= self.size

    def holding(self, card: Card) -> Card | None:
        """The known card that may be this one; the very copy before one of its kind."""
        if card in self.known:
            return card
        return next((known for known in self.known if may_be_same(known, card)), None)

    def without(self, card: Card | None) -> Holding:
        """The hand after a card left it; None: one that nobody saw, and that may be one of each kind."""
        if card is None:
            kinds = Counter(kind(known).name for known in self.known)
            still = tuple(Card(name) for name, number in kinds.items() for _ in range(number - 1))
            return Holding(self.size - 1, still)
        known, held = list(self.known), self.holding(card)
        if held is not None:
            known.remove(held)
        return Holding(self.size - 1, tuple(known))

    def plus(self, number: int, cards: Iterable[Card] = ()) -> Holding:
        """The hand with `number` more cards; `cards` are those of them that are known."""
        return Holding(self.size + number, (*self.known, *cards))

    def seen(self, card: Card) -> Holding:
        """The hand after everybody saw one of its cards."""
        held = self.holding(card)
        if held is None:
            return Holding(self.size, (*self.known, card))
        if "#" in held or "#" not in card:
            return self
        known = list(self.known)
        known[known.index(held)] = card
        return Holding(self.size, tuple(known))

    def shown(self, cards: tuple[Card, ...]) -> Holding:
        """The hand after everybody saw these of its cards, side by side."""
        left = self
        for card in cards:
            left = left.without(card)
        return Holding(self.size, (*cards, *left.known))


class Stage(Enum):
    """What the table waits for; the value is stored in `Asked`."""

    TURN = "turn"
    DRAWN = "drawn"
    NAME = "name"
    MODE = "mode"
    TROUBLE = "trouble"
    TO = "to"
    GIVE = "give"
    THANKS = "thanks"
    WITH = "with"
    RACE = "race"
    CLAIM = "claim"
    COUNT = "count"


class CiaoTable(Value):
    """A deal.

    `hands`, `skips` (turns still to lose), `counting` (cards scanned at the end) and `counted`
    (points, None: not yet) are by seat of the match. `draw` is the number of cards in the draw
    pile, `pile` those on top of it that are known; `total` cards are in the deal. `discards`
    are in order, the newest last; `named` is the symbol of a joker there. `turn` is the seat whose
    turn it is, `dir` 1 or -1, `pending` the cards that a +3 makes the next player draw.

    `stage` is what is asked, `actor` who has to answer it, `other` who gets a bad card,
    `challenger` who began the race, `shown` a card of unknown owner and `mistaken` the rule it
    breaks, `drawn` a drawn card that may be played, where it is known. The latest card was
    played `by` a seat, and play continues after the seat `after`. `moves` counts cards played
    and drawings, `out` is whose hand is empty. `news` is what happened since the latest
    question (`news_complete`: the next event starts it again), `before` the table before the latest
    card. `counts` says that no more cards of a kind are there than in the deck: only then can be
    concluded from the cards that were seen which cards a hand cannot have. `unscanned` says that what was
    scanned of hands was wrong, and is not scanned any more.

    `turn` and `actor` differ in a challenge: the winner of it decides about the icon while the turn is
    still the challenger's. `after` and `by` differ where play goes on after the challenger (HC-4).
    """

    players: tuple[Seat, ...]
    first: Seat
    agreed: Options
    hands: tuple[Holding, ...]
    draw: int
    total: int
    turn: Seat
    skips: tuple[int, ...]
    counted: tuple[int | None, ...]
    counting: tuple[tuple[Card, ...], ...]
    actor: Seat
    after: Seat
    by: Seat
    pile: tuple[Card, ...] = ()
    discards: tuple[Card, ...] = ()
    named: str = ""
    dir: int = 1
    pending: int = 0
    stage: Stage = Stage.TURN
    other: Seat | None = None
    challenger: Seat | None = None
    shown: Card | None = None
    mistaken: str = ""
    drawn: Card | None = None
    moves: int = 0
    out: Seat | None = None
    stopped: bool = False
    counts: bool = True
    unscanned: bool = False
    news: tuple[Record, ...] = ()
    news_complete: bool = True
    before: CiaoTable | None = None

    @property
    def top(self) -> str:
        """The card on top, a joker with its symbol; empty if there is none."""
        if not self.discards:
            return ""
        return f"{self.discards[-1].partition('#')[0]}={self.named}" if self.named else self.discards[-1]

    @property
    def top_copy(self) -> int | None:
        """Which copy of its kind the card on top is; None if that is not known, or if there is no card."""
        found = split(self.discards[-1]) if self.discards else None
        return None if found is None else found[1]

    @property
    def fresh(self) -> bool:
        """Whether nothing has happened in this deal."""
        return self.moves == 0 and not self.discards and self.stage is Stage.TURN

    @property
    def over(self) -> bool:
        """Whether the deal is finished: it has ended, and every hand is counted."""
        return self.stage is Stage.COUNT and not self.uncounted

    @property
    def registering(self) -> tuple[Seat, ...]:
        """The seats that hold cards which are to be scanned, clockwise from who began the deal.

        The hand that has been begun comes first.
        """
        agreed = self.agreed.hands
        if not agreed or self.unscanned or self.stage in (Stage.THANKS, Stage.COUNT):
            return ()  # thanks are said at once, or three more cards come
        order = clockwise(self.players, self.first)
        missing = [seat for seat in order if seat in agreed and not self.hands[seat].open]
        return tuple(sorted(missing, key=lambda seat: not self.hands[seat].known))

    @property
    def uncounted(self) -> tuple[Seat, ...]:
        """Whose hands are to be counted: the one that was begun first, then clockwise from the winner."""
        order = clockwise(self.players, self.out)
        left = [seat for seat in order if self.counted[seat] is None]
        return tuple(sorted(left, key=lambda seat: not self.counting[seat]))

    def rest(self, seat: Seat) -> tuple[Card, ...] | None:
        """The cards of a hand that were not scanned; None if they are not known, or if none is left."""
        left = self.hands[seat]
        for card in self.counting[seat]:
            left = left.without(card)
        return left.known if left.size and left.open else None

    def outside_hand(self, seat: Seat | None) -> list[Card]:
        """The cards that are known to be outside a hand: on the table, in the draw pile, in other hands."""
        others = (card for owner, hand in enumerate(self.hands) if owner != seat for card in hand.known)
        return [*self.discards, *self.pile, *others]

    @property
    def racers(self) -> tuple[Seat, ...]:
        """Who may answer the challenge, from the next one after the challenger in the direction of play."""
        if self.challenger is None:
            return ()
        racers = [self.next_after(self.challenger)]
        while len(racers) < len(self.players) - 1:
            racers.append(self.next_after(racers[-1]))
        return tuple(racers)

    def next_after(self, seat: Seat) -> Seat:
        """The neighbour of a seat in the direction of play."""
        place = self.players.index(seat) + self.dir
        return self.players[place % len(self.players)]

    @property
    def points(self) -> tuple[int, ...]:
        """The points of the hands that are counted, by seat."""
        return tuple(count or 0 for count in self.counted)


def deal(seats: int, players: tuple[Seat, ...], first: Seat, agreed: Options) -> CiaoTable:
    """A new deal; if `first` does not play, the next one clockwise begins."""
    # `first` may have left the match since it was chosen.
    begins = next((seat for seat in players if seat >= first), players[0])
    size = agreed.size
    return CiaoTable(
        players,
        begins,
        agreed,
        tuple(Holding(DEALT if seat in players else 0) for seat in range(seats)),
        draw=size - DEALT * len(players),
        total=size,
        turn=begins,
        actor=begins,
        after=begins,
        by=begins,
        skips=(0,) * seats,
        counted=tuple(None if seat in players else 0 for seat in range(seats)),
        counting=((),) * seats,
    )


def fits_the_deck(agreed: Options, cards: Iterable[Card]) -> bool:
    """Whether the deck has all these cards at once."""
    many: dict[str, int] = {}
    copies: set[Card] = set()
    for card in cards:
        name = card.partition("#")[0]
        many[name] = many.get(name, 0) + 1
        if card in copies or not agreed.has(card):
            return False
        if "#" in card:
            copies.add(card)
    return all(number <= agreed.many(name) for name, number in many.items())


# ---------------------------------------------------------------------------------------- what events change

Change = Callable[[CiaoTable, Any], CiaoTable]
Fields = dict[str, Any]
"""What an event changes, by field."""


def _news(fields: Callable[[CiaoTable, Any], Fields]) -> Change:
    """The change by an event that is told as news, with the fields that it changes.

    A table has thirty fields, so it is copied once for an event, and not once for each of its changes.
    """

    def change(table: CiaoTable, event: Record) -> CiaoTable:
        news = (event,) if table.news_complete else (*table.news, event)
        return replace(table, **{"news": news, "news_complete": False, **fields(table, event)})

    return change


def _card_registered(table: CiaoTable, event: records.CardRegistered) -> CiaoTable:
    """The table with a card known that has come into a hand; what happened last is shown as before."""
    card, seat = event.held, event.seat
    hand = table.hands[seat].plus(0, [card])
    drawn = card if table.stage is Stage.DRAWN and seat == table.turn else table.drawn
    return replace(table, hands=with_item(table.hands, seat, hand), drawn=drawn)


def _hands_forgotten(table: CiaoTable, event: records.HandsForgotten) -> CiaoTable:
    before = _hands_forgotten(table.before, event) if table.before is not None else None
    hands = tuple(Holding(hand.size) for hand in table.hands)
    return replace(table, hands=hands, drawn=None, unscanned=True, before=before)


def _card_played(table: CiaoTable, event: records.CardPlayed) -> Fields:
    hand = table.hands[event.seat]
    # Only the drawn card may be played then (HC-2). Where nobody saw it, what was known stays in the hand.
    unseen = table.stage is Stage.DRAWN and table.drawn is None
    left = hand.plus(-1) if unseen else hand.without(event.card)
    return {
        "hands": with_item(table.hands, event.seat, left),
        "discards": (*table.discards, event.card),
        "named": "",
        "actor": event.seat,
        "after": event.after,
        "by": event.seat,
        "shown": None,
        "drawn": None,
        "moves": table.moves + 1,
        "before": replace(table, before=None, news=(), news_complete=True),
    }


def _card_given(table: CiaoTable, event: records.CardGiven) -> Fields:
    hands, seat, to, card = table.hands, event.seat, event.to, event.card
    got = hands[to].plus(1, () if card is None else (card,))
    return {"hands": with_item(with_item(hands, seat, hands[seat].without(card)), to, got)}


def _trouble_shed(table: CiaoTable, event: records.TroubleShed) -> Fields:
    seat, card = event.seat, event.card
    discards = (*table.discards[:-1], card, table.discards[-1])
    return {"hands": with_item(table.hands, seat, table.hands[seat].without(card)), "discards": discards}


def _hands_swapped(table: CiaoTable, event: records.HandsSwapped) -> Fields:
    hands, (first, second) = table.hands, event.seats
    return {"hands": with_item(with_item(hands, first, hands[second]), second, hands[first])}


def _cards_drawn(table: CiaoTable, event: records.CardsDrawn) -> Fields:
    seat, number, cards = event.seat, event.number, event.cards
    # Only a card that was drawn alone can be played at once (HC-2); a card out of turn is no matter.
    drawn = cards[0] if len(cards) == number == 1 else None
    return {
        "hands": with_item(table.hands, seat, table.hands[seat].plus(number, cards)),
        "draw": table.draw - number,
        "pile": table.pile[len(cards) :],
        "drawn": drawn if seat == table.turn else table.drawn,
        "moves": table.moves + 1,
        "before": None,
    }


def _mistake_made(table: CiaoTable, event: records.MistakeMade) -> Fields:
    seen = table.hands[event.seat] if event.card is None else table.hands[event.seat].seen(event.card)
    stage = Stage.RACE if table.stage is Stage.CLAIM else table.stage
    return {"hands": with_item(table.hands, event.seat, seen), "stage": stage, "shown": None, "mistaken": ""}


def _turn_lost(table: CiaoTable, event: records.TurnLost) -> Fields:
    skips = with_item(table.skips, event.seat, table.skips[event.seat] + 1)
    return {"skips": skips, "news_complete": table.stage is Stage.RACE or event.seat != table.turn}


def _deal_won(table: CiaoTable, event: records.DealWon) -> Fields:
    counted = with_item(table.counted, event.seat, 0)
    return {"stage": Stage.COUNT, "out": event.seat, "counted": counted, "news_complete": True}


def _card_counted(table: CiaoTable, event: records.CardCounted) -> Fields:
    seat, cards = event.seat, (*table.counting[event.seat], event.card)
    hands = with_item(table.hands, seat, table.hands[seat].shown(cards))
    return {"hands": hands, "counting": with_item(table.counting, seat, cards), "news_complete": True}


def _hand_counted(table: CiaoTable, event: records.HandCounted) -> Fields:
    seat, left = event.seat, event.cards
    hands = table.hands if left is None else with_item(table.hands, seat, Holding(len(left), left))
    return {"hands": hands, "counted": with_item(table.counted, seat, event.points), "news_complete": True}


def _seat_left(table: CiaoTable, event: SeatLeft) -> CiaoTable:
    players = tuple(seat for seat in table.players if seat != event.seat)
    return deal(len(table.hands), players, table.first, table.agreed)


def _seat_joined(table: CiaoTable, event: SeatJoined) -> CiaoTable:
    seats, players = max(len(table.hands), event.seat + 1), tuple(sorted((*table.players, event.seat)))
    return deal(seats, players, table.first, table.agreed)


def _table_adopted(table: CiaoTable, event: records.TableAdopted) -> CiaoTable:
    cards, named = event.top.partition("=")[::2]
    top = (*event.discards, *((_known(table, cards),) if cards else ()))
    located = [*top, *event.pile, *(card for hand in event.hands for card in hand)]
    before = table.players[(table.players.index(event.turn) - event.dir) % len(table.players)]
    by = before if event.race is None else event.race
    return replace(
        deal(len(table.hands), table.players, table.first, table.agreed),
        hands=tuple(Holding(size, known) for size, known in zip(event.hand_sizes, event.hands, strict=True)),
        draw=event.draw,
        total=sum(event.hand_sizes) + event.draw + len(top),
        turn=event.turn,
        actor=event.turn,
        after=by,
        by=by,
        skips=event.skips,
        pile=event.pile,
        discards=top,
        named=named,
        dir=event.dir,
        pending=event.pending,
        stage=Stage.TURN if event.race is None else Stage.RACE,
        challenger=event.race,
        moves=table.moves + 1,
        counts=fits_the_deck(table.agreed, located),
        unscanned=table.unscanned,
    )


def _known(table: CiaoTable, card: str) -> Card:
    """The top card with the number of its copy, if the same card was there before with a known number.

    Without it, setting up a table with the same top card would forget which copy lies there.
    """
    newest = table.discards[-1] if table.discards and "#" not in card else None
    return newest if newest is not None and may_be_same(newest, card) else Card(card)


# fmt: off
CHANGES: Final[Changes] = {
    records.CardRegistered: _card_registered,
    records.HandsForgotten: _hands_forgotten,
    records.CardPlayed: _news(_card_played),
    records.CardShown: _news(lambda _, event: {
        "stage": Stage.CLAIM, "shown": event.card, "mistaken": event.mistake, "news_complete": True}),
    records.SymbolNamed: _news(lambda _, event: {"named": event.name}),
    records.PlusThree: _news(lambda _, event: {"pending": event.pending}),
    records.Asked: _news(lambda _, event: {
        "stage": Stage(event.what), "actor": event.seat, "other": event.other, "news_complete": True}),
    records.DirectionChanged: _news(lambda _, event: {"dir": event.dir}),
    records.RaceBegun: _news(lambda _, event: {
        "stage": Stage.RACE, "challenger": event.seat, "news_complete": True}),
    records.RaceEnded: _news(lambda *_: {"challenger": None}),
    records.CardGiven: _news(_card_given),
    records.TroubleShed: _news(_trouble_shed),
    records.HandsSwapped: _news(_hands_swapped),
    records.CardsDrawn: _news(_cards_drawn),
    records.Reshuffled: _news(lambda table, event: {
        "draw": table.draw + event.number, "discards": table.discards[-1:]}),
    records.MistakeMade: _news(_mistake_made),
    records.TurnLost: _news(_turn_lost),
    records.TurnMissed: _news(lambda table, event: {
        "skips": with_item(table.skips, event.seat, table.skips[event.seat] - 1)}),
    records.TurnBegun: _news(lambda _, event: {
        "stage": Stage.TURN, "turn": event.seat, "actor": event.seat, "drawn": None, "challenger": None,
        "news_complete": True}),
    records.DealWon: _news(_deal_won),
    records.DealStopped: _news(lambda *_: {"stage": Stage.COUNT, "stopped": True, "news_complete": True}),
    records.CardCounted: _news(_card_counted),
    records.HandCounted: _news(_hand_counted),
    records.PlayReopened: lambda table, _: table.before or table,
    SeatLeft: _seat_left,
    SeatJoined: _seat_joined,
    records.TableAdopted: _table_adopted,
}
# fmt: on
"""What each event changes."""


def apply(table: CiaoTable, event: Any) -> CiaoTable:  # noqa: ANN401 - one of `CHANGES`
    after: CiaoTable = CHANGES[type(event)](table, event)
    return after
