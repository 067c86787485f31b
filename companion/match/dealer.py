"""A dealer: who holds which card of a match, and what players with these cards answer.

For demonstrations, players that think, simulated tables and tests. The referee needs none: it sees no hand.

A dealer compares the hands with what the table says of them (`Dealing`): cards that lie on the table leave
the hands, cards that are known to be in a hand come into it, and a hand that is too small draws. So any match
will do, also one after an undo or a correction: what does not agree with the table is dealt again.

All chance comes from the source that the dealer is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, Protocol

from companion.core import games
from companion.core.ask import Answer, Ask, AskKind, Gives, Wait
from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.values import replace

if TYPE_CHECKING:
    from companion.core.game import Dealing, RandomSource
    from companion.match.match import Match

Hand = tuple[str, ...]

_FROM_DECK: Final = (AskKind.LAY, AskKind.TURN_UP, AskKind.PICK)
_TOGETHER: Final = (AskKind.PLAY, AskKind.CHOOSE)
_RARELY: Final = 0.1
_OFTEN: Final = 0.8


class Strategy(Protocol):
    """What players do who are asked; any of them."""

    def __call__(self, match: Match, seat: Seat, hand: Hand, /) -> Answer | None:
        """The answer of this seat, whose cards are in the order in which they came; None: it has none.

        Where a stack is chosen for a card, the card is in the hand of the player who chooses. In a race any
        answer to another question means that this seat is not in it.
        """


class Group(Protocol):
    """A group that plays matches."""

    def answer(self, match: Match, /) -> Answer:
        """What one of them does next: a legal answer to an open question. At least one must be open."""


def players_by_chance(game: str, rng: RandomSource) -> Group:
    """Players of a game who know it well enough to play legally."""
    own: Callable[[RandomSource], Group] | None = getattr(games.module(game), "Counters", None)
    return Dealer(rng) if own is None else own(rng)


class Dealer:
    """Deals the cards of a match, and lets `player` answer for every seat; without it, chance does.

    With `named`, each card comes with its owner. Else cards that all play together come without, as at most
    tables, and the owner is told where it is asked for.
    """

    def __init__(self, rng: RandomSource, player: Strategy | None = None, *, named: bool = False) -> None:
        self._rng: Final = rng
        self._player: Final = by_chance(rng) if player is None else player
        self._named: Final = named
        self._updated_to: tuple[int, int] = (0, -1)  # a deal, and a number of steps
        self._hands: dict[Seat, list[str]] = {}
        self._deck: list[str] = []
        self._owners: dict[str, Seat] = {}
        self._table: Dealing | None = None

    @property
    def deck(self) -> Hand:
        """The cards that are left to draw; the last one is drawn next."""
        return tuple(self._deck)

    def hand(self, seat: Seat) -> Hand:
        """The cards of a seat after the newest `update`, in the order in which they came."""
        return tuple(self._hands.get(seat, ()))

    def owner(self, card: str) -> Seat | None:
        """Who has played a card that lies on the table, or holds it."""
        if card in self._owners:
            return self._owners[card]
        return next((seat for seat, hand in self._hands.items() if card in hand), None)

    def answer(self, match: Match) -> Answer:
        """What one of the players does next: an answer to one of the open questions."""
        given = self.without_choice(match)
        if given is not None:
            return given
        ask = match.asks[0]
        if ask.kind is AskKind.RACE:
            return self._race(match, ask)
        seat = self._rng.choice(self.asked(match))
        hand = self.hand(seat)
        if ask.kind is AskKind.CHOOSE and ask.card not in hand:
            hand = (*hand, ask.card)
        given = self._player(match, seat, hand)
        if given is None:
            raise RuntimeError(f"seat {seat} has no answer to {ask.kind.value}")
        open_to_several = len(ask.seats) > 1 and ask.kind in _TOGETHER
        return replace(given, seat=None) if open_to_several and not self._named else given

    def asked(self, match: Match) -> tuple[Seat, ...]:
        """The players who have to answer the first open question next."""
        self.update(match)
        ask = match.asks[0]
        if ask.kind is AskKind.CHOOSE and (owner := self.owner(ask.card)) is not None:
            return (owner,)
        if ask.wait is Wait.ALL:
            done = {self._owners.get(card) for card in ask.have}
            left = [seat for seat in ask.seats if seat not in done]
            most = max(len(self._hands[seat]) for seat in left)
            return tuple(seat for seat in left if len(self._hands[seat]) == most)
        return ask.seats[:1]

    def without_choice(self, match: Match) -> Answer | None:
        """The answer to a question that nobody decides: the deck, whose a card is, what is in a hand."""
        self.update(match)
        ask = match.asks[0]
        seat = ask.seats[0]
        if ask.kind in _FROM_DECK:
            return Answer(ask, self._deck[-1], seat if ask.kind is AskKind.PICK else None)
        if ask.kind is AskKind.CLAIM:
            owner = self.owner(ask.card)
            return Answer(ask, ask.choices[0] if owner is None else str(owner), owner)
        if ask.kind not in (AskKind.HAND, AskKind.HOLD):
            return None
        shown = ask.have if ask.kind is AskKind.HAND else match.game.dealing(match.position.table).known[seat]
        return Answer(ask, _without(self._hands[seat], shown, match.game.may_be_same)[0], seat)

    def update(self, match: Match) -> None:
        """Bring hands and deck to what the table says; a match that is over changes nothing."""
        at = (match.position.deal, match.steps)
        if not match.asks or at == self._updated_to:
            return
        table, game, newest = match.game.dealing(match.position.table), match.game, match.newest
        if at[0] != self._updated_to[0]:
            self._hands, self._owners, self._deck, self._table = {}, {}, list(table.deck), None
            self._rng.shuffle(self._deck)
        elif newest is None or newest.number < match.steps:  # the newest step was undone
            self._take_back(table.out)
        else:
            for first, second in filter(None, map(game.swapped, newest.events)):
                self._hands[first], self._hands[second] = self._hands[second], self._hands[first]
        self._updated_to = at
        if table != self._table:
            self._table = table
            self._agree(table, game.may_be_same)

    def _take_back(self, out: Iterable[str]) -> None:
        """After an undo, return the cards that no longer lie on the table to the hands they came from."""
        lying = frozenset(out)
        for card, seat in list(self._owners.items()):
            if card not in lying:
                self._hands[seat].append(card)

    def _agree(self, table: Dealing, same: Callable[[str, str], bool]) -> None:
        """Let hands, deck and table be the cards of one deal."""
        hands = {Seat(seat): self._hands.get(Seat(seat), []) for seat in range(len(table.sizes))}
        self._hands = hands
        of_deal = frozenset(table.deck)
        out = of_deal.intersection(table.out)
        self._owners = {card: seat for card, seat in self._owners.items() if card in out}
        for seat, hand in hands.items():
            if gone := out.intersection(hand):
                self._owners |= dict.fromkeys(gone, seat)
                hand[:] = [card for card in hand if card not in out]
        for place, known in enumerate(table.known):
            if known:
                self._hold(Seat(place), known, of_deal - out, same)
        sizes = {Seat(seat): size for seat, size in enumerate(table.sizes)}
        # Of some cards that lie there, nobody knows which copy they are.
        vague = [] if of_deal.issuperset(table.out) else [card for card in table.out if card not in of_deal]
        for seat, hand in hands.items():
            if len(hand) <= sizes[seat]:
                continue
            spare = _without(hand, table.known[seat], same)
            spare.sort(key=lambda card: any(same(card, name) for name in vague))
            for card in spare[sizes[seat] - len(hand) :]:
                hand.remove(card)
        held = out.union(*hands.values())
        new = [*of_deal.difference(held, self._deck)]
        if new:
            new.sort()  # the order of a set is not the same in every run
            self._rng.shuffle(new)
        if new or not held.isdisjoint(self._deck):
            self._deck = [*new, *(card for card in self._deck if card not in held)]
        if vague:
            self._deck = _without(self._deck, vague, same)
        missing = sum(table.sizes) - table.unnamed - sum(map(len, hands.values()))
        for seat, hand in hands.items():
            while missing > 0 and self._deck and len(hand) < sizes[seat]:
                hand.append(self._deck.pop())
                missing -= 1

    def _hold(
        self, seat: Seat, known: Iterable[str], there: frozenset[str], same: Callable[[str, str], bool]
    ) -> None:
        """Bring the cards that are known to be in a hand into it, wherever they have been."""
        own = list(self._hands[seat])
        for name in known:
            card = name if name in own else _first(own, name, same)
            if card is not None:
                own.remove(card)
                continue
            elsewhere = [card for card in self._deck if card in there]
            card = name if name in there else _first(elsewhere, name, same)
            if card is None:
                continue
            for hand in self._hands.values():
                if card in hand:
                    hand.remove(card)
            self._hands[seat].append(card)

    def _race(self, match: Match, ask: Ask) -> Answer:
        """Who is quickest is a matter of chance."""
        found = (self._player(match, seat, self.hand(seat)) for seat in ask.seats)
        able = [answer for answer in found if answer is not None and answer.ask.kind is AskKind.RACE]
        if not able:
            nobody = match.asks[1]
            return Answer(nobody, nobody.choices[0])
        given: Answer = self._rng.choice(able)
        return given if self._named or self._rng.random() < _OFTEN else replace(given, seat=None)


def by_chance(rng: RandomSource) -> Strategy:
    """Players who play any card that fits, most of the time, and take the cheapest row."""

    def answer(match: Match, seat: Seat, hand: Hand) -> Answer | None:
        asks = [ask for ask in match.asks if seat in ask.seats]
        if len(asks) > 1 and rng.random() < _RARELY:
            asks.reverse()
        for ask in asks:
            texts = list(possible(match, ask, hand))
            rng.shuffle(texts)
            if ask.kind is AskKind.CHOOSE:
                cost = {stack.choice: stack.heads for stack in match.board.stacks}
                texts.sort(key=cost.__getitem__)
            for text in texts:
                if is_legal(match, given := Answer(ask, text, seat)):
                    return given
        return None

    return answer


def possible(match: Match, ask: Ask, hand: Hand) -> tuple[str, ...]:
    """What a player with these cards can answer, if the referee allows it."""
    if (answers := match.game.only(match.position.table, ask, hand)) is not None:
        return answers
    return hand if ask.kind.gives is Gives.CARD and not ask.choices else ask.choices


def is_legal(match: Match, answer: Answer) -> bool:
    """Whether the referee allows an answer."""
    command = match.game.read(answer.ask, answer.seat, answer.text)
    return not isinstance(match.propose(command), Refused)


def legal_answers(match: Match, ask: Ask, seat: Seat, hand: Hand) -> Iterator[Answer]:
    """The answers of a player to a question that the referee allows."""
    for text in dict.fromkeys(possible(match, ask, hand)):
        if is_legal(match, given := Answer(ask, text, seat)):
            yield given


def _first(cards: Iterable[str], name: str, same: Callable[[str, str], bool]) -> str | None:
    return next((card for card in cards if same(card, name)), None)


def _without(cards: Iterable[str], names: Iterable[str], same: Callable[[str, str], bool]) -> list[str]:
    """The cards without those of these names; a name that does not say which copy it is means any of them."""
    left = list(cards)
    for name in names:
        card = name if name in left else _first(left, name, same)
        if card is not None:
            left.remove(card)
    return left
