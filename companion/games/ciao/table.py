"""The table of Ciao!, what is known of the hands, and how events change both. Nothing is decided here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum
from typing import Any, TypeVar

from companion.core.cards import Seat, clockwise
from companion.core.ruling import SeatJoined, SeatLeft
from companion.games.ciao import records
from companion.games.ciao.cards import Card, kind, may_be_same, split
from companion.games.ciao.options import DEALT, Options
from companion.values import Value, replace


class Hand(Value):
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
        for one in self.known:
            if may_be_same(one, card):
                return one
        return None

    def without(self, card: Card) -> Hand:
        """The hand after a card left it."""
        held = self.holding(card)
        if held is None:
            return Hand(self.size - 1, self.known)
        known = list(self.known)
        known.remove(held)
        return Hand(self.size - 1, tuple(known))

    def without_one(self) -> Hand:
        """The hand after a card left it that nobody saw: of each kind, all but one are surely still there."""
        kinds = Counter(kind(card).name for card in self.known)
        still = tuple(Card(name) for name, many in kinds.items() for _ in range(many - 1))
        return Hand(self.size - 1, still)

    def plus(self, number: int, cards: Iterable[Card] = ()) -> Hand:
        """The hand with `number` more cards; `cards` are those of them that are known."""
        return Hand(self.size + number, (*self.known, *cards))

    def seen(self, card: Card) -> Hand:
        """The hand after everybody saw one of its cards."""
        held = self.holding(card)
        if held is None:
            return Hand(self.size, (*self.known, card))
        if "#" in held or "#" not in card:
            return self
        known = list(self.known)
        known[known.index(held)] = card
        return Hand(self.size, tuple(known))

    def shown(self, cards: tuple[Card, ...]) -> Hand:
        """The hand after everybody saw these of its cards, side by side."""
        left = self
        for card in cards:
            left = left.without(card)
        return Hand(self.size, (*cards, *left.known))


T = TypeVar("T")


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
    hands: tuple[Hand, ...]
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
    news: tuple[records.Event, ...] = ()
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
    def uncounted(self) -> tuple[Seat, ...]:
        """Whose hands are to be counted: the one that was begun first, then clockwise from the winner."""
        order = clockwise(self.players, self.out)
        left = [seat for seat in order if self.counted[seat] is None]
        return tuple(sorted(left, key=lambda seat: not self.counting[seat]))

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
        tuple(Hand(DEALT if seat in players else 0) for seat in range(seats)),
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


def starter(_deal: int, _first: Seat, finished: CiaoTable) -> Seat:
    """The winner of the deal; if it ended early, the seat with the fewest points, clockwise on a tie."""
    if finished.out is not None and finished.out in finished.players:
        return finished.out
    points = finished.points
    return min(clockwise(finished.players, finished.first), key=lambda seat: points[seat])


def apply(table: CiaoTable, event: records.Event) -> CiaoTable:
    match event:
        case records.PlayReopened():
            return table.before or table
        case SeatLeft(seat):
            players = tuple(one for one in table.players if one != seat)
            return deal(len(table.hands), players, table.first, table.agreed)
        case SeatJoined(seat):
            seats = max(len(table.hands), seat + 1)
            return deal(seats, tuple(sorted((*table.players, seat))), table.first, table.agreed)
        case records.TableAdopted():
            return _adopt(table, event)
        case records.CardRegistered(card, seat):
            return _registered(table, card, seat)
        case records.HandsForgotten():
            return _forgotten(table)
    # A table has thirty fields, so it is copied once for an event, and not once for each of its changes.
    # The most frequent events are about no card.
    about_cards = {} if isinstance(event, (records.TurnBegun, records.Asked)) else _cards(table, event)
    changes = about_cards or _question(table, event)
    news = (event,) if table.news_complete else (*table.news, event)
    return replace(table, **{"news": news, "news_complete": False, **changes})


def _registered(table: CiaoTable, card: Card, seat: Seat) -> CiaoTable:
    """The table with a card known that has come into a hand; what happened last is shown as before."""
    hand = Hand(table.hands[seat].size, (*table.hands[seat].known, card))
    drawn = card if table.stage is Stage.DRAWN and seat == table.turn else table.drawn
    return replace(table, hands=_with(table.hands, seat, hand), drawn=drawn)


def _forgotten(table: CiaoTable) -> CiaoTable:
    before = _forgotten(table.before) if table.before is not None else None
    hands = tuple(Hand(hand.size) for hand in table.hands)
    return replace(table, hands=hands, drawn=None, unscanned=True, before=before)


def _cards(table: CiaoTable, event: records.Event) -> dict[str, Any]:
    """What an event about cards changes, by field; empty if it is another event."""
    hands = table.hands
    match event:
        case records.CardPlayed():
            return _play(table, event)
        case records.SymbolNamed(_, _, name):
            return {"named": name}
        case records.PlusThree(_, pending):
            return {"pending": pending}
        case records.CardGiven(seat, to, card):
            left = hands[seat].without_one() if card is None else hands[seat].without(card)
            got = hands[to].plus(1, () if card is None else (card,))
            return {"hands": _with(_with(hands, seat, left), to, got)}
        case records.TroubleShed(seat, card):
            discards = (*table.discards[:-1], card, table.discards[-1])
            return {"hands": _with(hands, seat, hands[seat].without(card)), "discards": discards}
        case records.HandsSwapped((one, other)):
            return {"hands": _with(_with(hands, one, hands[other]), other, hands[one])}
        case records.CardsDrawn(seat, number, cards, _):
            # Only a card that was drawn alone can be played at once (HC-2); a card out of turn is no matter.
            drawn = cards[0] if len(cards) == number == 1 else None
            return {
                "hands": _with(hands, seat, hands[seat].plus(number, cards)),
                "draw": table.draw - number,
                "pile": table.pile[len(cards) :],
                "drawn": drawn if seat == table.turn else table.drawn,
                "moves": table.moves + 1,
                "before": None,
            }
        case records.Reshuffled(number):
            return {"draw": table.draw + number, "discards": table.discards[-1:]}
        case records.MistakeMade(seat, card, _):
            seen = hands[seat] if card is None else hands[seat].seen(card)
            stage = Stage.RACE if table.stage is Stage.CLAIM else table.stage
            return {"hands": _with(hands, seat, seen), "stage": stage, "shown": None, "mistaken": ""}
        case _:
            return {}


def _question(table: CiaoTable, event: records.Event) -> dict[str, Any]:
    """What an event about the open question changes, by field."""
    match event:
        case records.TurnBegun(seat):
            begun = {"stage": Stage.TURN, "turn": seat, "actor": seat, "news_complete": True}
            return {**begun, "drawn": None, "challenger": None}
        case records.Asked(what, seat, other):
            return {"stage": Stage(what), "actor": seat, "other": other, "news_complete": True}
        case records.DirectionChanged(_, direction):
            return {"dir": direction}
        case records.RaceBegun(seat):
            return {"stage": Stage.RACE, "challenger": seat, "news_complete": True}
        case records.RaceEnded():
            return {"challenger": None}
        case records.CardShown(card, mistake):
            return {"stage": Stage.CLAIM, "shown": card, "mistaken": mistake, "news_complete": True}
        case records.TurnLost(seat):
            skips = _with(table.skips, seat, table.skips[seat] + 1)
            return {"skips": skips, "news_complete": table.stage is Stage.RACE or seat != table.turn}
        case records.TurnMissed(seat):
            return {"skips": _with(table.skips, seat, table.skips[seat] - 1)}
        case records.DealStopped():
            return {"stage": Stage.COUNT, "stopped": True, "news_complete": True}
        case _:
            return _count(table, event)


def _count(table: CiaoTable, event: records.Event) -> dict[str, Any]:
    """What an event about the end of a deal changes, by field."""
    match event:
        case records.DealWon(seat):
            counted = _with(table.counted, seat, 0)
            return {"stage": Stage.COUNT, "out": seat, "counted": counted, "news_complete": True}
        case records.CardCounted(seat, card):
            cards = (*table.counting[seat], card)
            hands = _with(table.hands, seat, table.hands[seat].shown(cards))
            return {"hands": hands, "counting": _with(table.counting, seat, cards), "news_complete": True}
        case records.HandCounted(seat, cost, left):
            seen = table.hands[seat] if left is None else Hand(len(left), left)
            hands = _with(table.hands, seat, seen)
            return {"hands": hands, "counted": _with(table.counted, seat, cost), "news_complete": True}
        case _:
            return {}


def _play(table: CiaoTable, event: records.CardPlayed) -> dict[str, Any]:
    hand = table.hands[event.seat]
    # Only the drawn card may be played then (HC-2). Where nobody saw it, what was known stays in the hand.
    unseen = table.stage is Stage.DRAWN and table.drawn is None
    left = Hand(hand.size - 1, hand.known) if unseen else hand.without(event.card)
    return {
        "hands": _with(table.hands, event.seat, left),
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


def _adopt(table: CiaoTable, event: records.TableAdopted) -> CiaoTable:
    cards, named = event.top.partition("=")[::2]
    top = (*event.discards, *((_known(table, cards),) if cards else ()))
    located = [*event.discards, *event.pile, *(card for hand in event.hands for card in hand)]
    located += [top[-1]] if cards else []
    before = table.players[(table.players.index(event.turn) - event.dir) % len(table.players)]
    return replace(
        deal(len(table.hands), table.players, table.first, table.agreed),
        hands=tuple(Hand(size, known) for size, known in zip(event.hand_sizes, event.hands, strict=True)),
        draw=event.draw,
        total=sum(event.hand_sizes) + event.draw + len(top),
        turn=event.turn,
        actor=event.turn,
        after=before if event.race is None else event.race,
        by=before if event.race is None else event.race,
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


def _with(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
