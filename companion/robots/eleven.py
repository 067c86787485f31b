"""The robots for 11 nimmt!: easy, normal and hard, and the deals that they play in their thoughts.

A deal is plain Python, quick enough to play one to its end some thousand times a second; the tests hold it
equal to the referee. It explains nothing and refuses nothing. It plays by the usual rules: bull cards are
kept, and lie on at most as many piles as a player has of them. A hand or a pile is one number, with a bit for
every card; card 1 is bit 0. Quick policies stand below the deal: they look at the own hand, the piles and the
sizes of the other hands.

The hard robot deals the cards that nobody has seen again and again, plays every move that comes into question
to the end of the deal, and takes the one that leaves it with the fewest heads, compared with the others. All
moves are tried in the same deals. The policy `eager` plays on for it, and proposes the move that the other
moves have to be better than. Their bull cards tell whether the other players go on by it, or by `thrifty`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct

from companion.core.ask import Answer, Ask, AskKind
from companion.core.cards import Card, Seat, bullheads
from companion.core.game import RandomSource
from companion.games.eleven.cards import REACH
from companion.games.eleven.options import BULLS, CARDS, NEW_PILES, PILE_FOR_BULL
from companion.games.eleven.table import ElevenTable
from companion.robots.rollouts import best_of, beyond_others, copy, dealt, places, seed_of
from companion.values import Value

Cards = int
"""Cards as bits."""

Move = tuple[tuple[int, Cards], ...]
"""The cards that are laid on each pile, by its place; without cards the pile is taken. The place behind the
last pile begins a new one."""

Policy: TypeAlias = "Callable[[ElevenPlayout], Move]"
"""What is done by whose turn it is."""

FITS: Final = tuple(sum(1 << (top + step) % CARDS for step in range(1, REACH + 1)) for top in range(CARDS))
"""By the top of a pile: the cards that can be laid on it."""

_DEARER: Final = tuple(
    (heads - 1, sum(1 << card - 1 for card in range(1, CARDS + 1) if bullheads(Card(card)) == heads))
    for heads in (2, 3, 5, 7)
)


def heads(cards: Cards) -> int:
    return cards.bit_count() + sum([more * (cards & dear).bit_count() for more, dear in _DEARER])


def bits(cards: Iterable[int]) -> Cards:
    """Cards, given by their numbers, as bits."""
    return sum(1 << card - 1 for card in cards)


def nearest(cards: Cards, top: int) -> int:
    """Of cards that fit on a top, the one with the smallest step."""
    beyond = cards >> top + 1
    if beyond:
        return top + (beyond & -beyond).bit_length()
    return (cards & -cards).bit_length() - 1


def farthest(cards: Cards, top: int) -> int:
    """Of cards that fit on a top, the one with the largest step."""
    round_again = cards & (1 << top) - 1
    return (round_again or cards).bit_length() - 1


class ElevenPlayout(Struct):
    """A deal in progress: by seat hands and bull cards; the piles and their tops; the deck, last first."""

    hands: list[Cards]
    piles: list[Cards]
    tops: list[int]
    bulls: list[int]
    deck: list[int]
    turn: int

    def move(self, move: Move) -> None:
        """The seat whose turn it is does this; then it is the next one's turn."""
        seat = self.turn
        for pile, cards in move:
            if not cards:
                self._take(seat, pile)
                continue
            self.hands[seat] &= ~cards
            if pile == len(self.tops):
                self.piles.append(cards)
                self.tops.append(cards.bit_length() - 1)
            else:
                self.piles[pile] |= cards
                self.tops[pile] = farthest(cards, self.tops[pile])
        self.turn = (seat + 1) % len(self.hands)

    def _take(self, seat: int, pile: int) -> None:
        del self.tops[pile]
        cards = self.piles.pop(pile)
        self.hands[seat] |= cards
        if cards.bit_count() >= PILE_FOR_BULL:
            if sum(self.bulls) < BULLS:
                self.bulls[seat] += 1
            elif (giver := self.giver(seat)) is not None:
                self.bulls[giver] -= 1
                self.bulls[seat] += 1
        for _ in range(min(NEW_PILES, len(self.deck))):
            card = self.deck.pop()
            self.tops.append(card)
            self.piles.append(1 << card)

    def giver(self, seat: int) -> int | None:
        """Who gives a seat a bull card when the supply is empty: of those with most who has fewest cards."""
        others = [other for other in range(len(self.hands)) if other != seat]
        most = max(self.bulls[other] for other in others)
        if not most or self.bulls[seat] > most:
            return None
        with_most = [other for other in others if self.bulls[other] == most]
        return min(with_most, key=lambda other: self.hands[other].bit_count())


def play_out(deal: ElevenPlayout, policies: Sequence[Policy], moves: int) -> list[int]:
    """The heads in every hand when one is empty, or after so many moves; each seat has its policy."""
    hands = deal.hands
    for _ in range(moves):
        seat = deal.turn
        deal.move(policies[seat](deal))
        if not hands[seat]:
            break
    return [heads(hand) for hand in hands]


BULLS_WANTED: Final = 2
"""The bull cards that are worth a pile each: found by playing 200 matches with each number."""

_TIME_FOR_BULLS: Final = 5
"""While nobody else has fewer cards, there is time to take a pile for its bull card."""


def thrifty(deal: ElevenPlayout) -> Move:
    """Take as few piles as possible: the smallest step, or with bull cards as many cards as can be laid.

    If nothing fits, it is the pile that costs least.
    """
    hand, tops, bulls = deal.hands[deal.turn], deal.tops, deal.bulls[deal.turn]
    if not tops:
        return ((0, 1 << max(places(hand), key=lambda card: heads(1 << card))),)
    laid = _most_cards(hand, tops, bulls) if bulls else _smallest_step(hand, tops)
    return laid or ((min((heads(pile), place) for place, pile in enumerate(deal.piles))[1], 0),)


def eager(deal: ElevenPlayout) -> Move:
    """The same, but first take piles that bring bull cards, as long as nobody else is near the end."""
    least = min([hand.bit_count() for seat, hand in enumerate(deal.hands) if seat != deal.turn])
    if deal.bulls[deal.turn] < BULLS_WANTED and least >= _TIME_FOR_BULLS:
        piles = enumerate(deal.piles)
        bringing = [(heads(pile), place) for place, pile in piles if pile.bit_count() >= PILE_FOR_BULL]
        if bringing:
            return ((min(bringing)[1], 0),)
    return thrifty(deal)


def _smallest_step(hand: int, tops: list[int]) -> Move | None:
    found, least = None, CARDS
    for place, top in enumerate(tops):
        fit = hand & FITS[top]
        if fit:
            card = nearest(fit, top)
            step = (card - top) % CARDS
            if step < least:
                found, least = ((place, 1 << card),), step
    return found


def _most_cards(hand: int, tops: list[int], bulls: int) -> Move | None:
    """The pile that takes most cards, then the one that takes most of the others, as often as bulls allow."""
    found = []
    for _ in range(bulls):
        most, best = 0, (0, 0)
        for place, top in enumerate(tops):
            fit = hand & FITS[top]
            many = fit.bit_count()
            if many > most:
                most, best = many, (place, fit)
        if not most:
            break
        found.append(best)
        hand &= ~best[1]
    return tuple(found) or None


class ElevenPlayerView(Value):
    """A deal as the player at place `turn` sees it who has remembered all cards that lay open.

    `sizes` and `bulls` are by place at the table. Cards that others hold are never in it, also not those of
    piles that they have taken: nobody can look whether they still hold them.
    """

    turn: int
    hand: int
    piles: tuple[int, ...]
    tops: tuple[int, ...]
    sizes: tuple[int, ...]
    bulls: tuple[int, ...]
    deck: int

    def world(self, chance: RandomSource) -> ElevenPlayout:
        cards = places((1 << CARDS) - 1 & ~sum(self.piles, self.hand))
        chance.shuffle(cards)
        hands = dealt(cards, self.sizes, self.turn, self.hand)
        piles, tops, bulls = list(self.piles), list(self.tops), list(self.bulls)
        return ElevenPlayout(hands, piles, tops, bulls, cards[: self.deck], self.turn)


def seen_by(table: ElevenTable, seat: Seat, hand: Iterable[int]) -> ElevenPlayerView:
    """What the player at a seat, whose turn it is, has seen, with these cards in the hand.

    While a move is in progress, it is what was seen when it began.
    """
    held = bits(hand)
    if table.moving and table.before is not None:
        held |= bits(laid.card for laid in table.laid)
        table = table.before
    return ElevenPlayerView(
        table.players.index(seat),
        held,
        tuple(bits(pile.cards) for pile in table.piles),
        tuple(pile.top - 1 for pile in table.piles),
        tuple(table.sizes[player] for player in table.players),
        tuple(table.bulls[player] for player in table.players),
        table.deck,
    )


def answer(
    player: ElevenPlayer, table: ElevenTable, asks: Sequence[Ask], seat: Seat, hand: Iterable[str]
) -> Answer:
    """What the player at a seat, with these cards in the hand, answers when it is to play or to choose."""
    ask = asks[0]
    if ask.kind is AskKind.WHOM:  # of those with most bull cards, the one who is nearest to the end
        return Answer(ask, min(ask.choices, key=lambda choice: table.sizes[int(choice)]), seat)
    move = _move(player, seen_by(table, seat, map(int, hand)))
    begun = table.before if table.moving and table.before is not None else table
    numbers = [str(pile.number) for pile in begun.piles]
    if ask.kind is AskKind.CHOOSE:
        wanted = (numbers[place] for place, cards in move if cards >> int(ask.card) - 1 & 1)
        return Answer(ask, next((choice for choice in wanted if choice in ask.choices), ask.choices[0]), seat)
    laid = bits(laid.card for laid in table.laid)
    planned = sum(cards for _, cards in move)
    if not table.laid and not planned:
        take = next(ask for ask in asks if ask.kind is AskKind.TAKE)
        return Answer(take, numbers[move[0][0]], seat)
    # Where something else was laid in its name, the robot lays nothing more.
    left = places(planned & ~laid) if not laid & ~planned else []
    if left:
        return Answer(ask, str(left[0] + 1), seat)
    return Answer(asks[-1], asks[-1].choices[0], seat)


@lru_cache(maxsize=8)
def _move(player: ElevenPlayer, seen: ElevenPlayerView) -> Move:
    return player.move(seen)


ElevenPlayer: TypeAlias = "Easy | Normal | Hard"

_OFTEN: Final = 0.9
"""How often the easy robot plays where it could also take a pile."""

_MOVES: Final = 12
"""So many ways to lay cards are tried at most."""

_PILES: Final = 6
"""Of more piles, only those that take most cards come into question for a move with bull cards."""

_TO_THE_END: Final = 200
"""A deal that takes more moves than this is counted as it stands."""


class Easy(Value):
    """Plays any card that fits, and now and then takes any pile, as a child that does not look ahead."""

    seed: int = 0

    def move(self, seen: ElevenPlayerView) -> Move:
        chance = Random(seed_of(self.seed, seen))
        laid = single_cards(seen)
        if seen.piles and (not laid or chance.random() > _OFTEN):
            return ((chance.randrange(len(seen.piles)), 0),)
        first = chance.choice(laid)
        (place, _), left = first[0], seen.hand & ~first[0][1]
        more = left & FITS[seen.tops[place]] if seen.tops and seen.bulls[seen.turn] else 0
        return ((place, first[0][1] | more),)


class Normal(Value):
    """Plays by one sensible rule: as few piles as possible, the smallest step, with bull cards many cards."""

    def move(self, seen: ElevenPlayerView) -> Move:
        # The rule looks at no card that is hidden, so any deal of them will do.
        return thrifty(seen.world(Random(0)))


class Hard(Value):
    """Plays the moves that come into question to the end, in `worlds` deals for each of them in the mean."""

    seed: int = 0
    worlds: int = 96

    def move(self, seen: ElevenPlayerView) -> Move:
        chance = Random(seed_of(self.seed, seen))
        proposed = eager(seen.world(chance))
        tried = candidates(seen)
        if proposed not in tried:
            tried.append(proposed)
        for move in tried:
            if sum(cards for _, cards in move) == seen.hand:
                return move  # the deal is won

        # Who collects bull cards takes a pile that brings one as soon as it is there; others have one now and
        # then because nothing fitted. The chances are estimates.
        passed = any(pile.bit_count() >= PILE_FOR_BULL for pile in seen.piles)
        likely = [(0.15 if bulls else 0.05) if passed else (0.6 if bulls else 0.2) for bulls in seen.bulls]

        def world() -> tuple[ElevenPlayout, list[Policy]]:
            policies: list[Policy] = [eager if chance.random() < odds else thrifty for odds in likely]
            policies[seen.turn] = eager
            return seen.world(chance), policies

        def cost(world: tuple[ElevenPlayout, list[Policy]], move: Move) -> float:
            deal, policies = world
            deal = copy(deal)
            deal.move(move)
            return beyond_others(play_out(deal, policies, _TO_THE_END), seen.turn)

        return best_of(tried, tried.index(proposed), world, cost, self.worlds)


def single_cards(seen: ElevenPlayerView) -> list[Move]:
    """Every card on every pile that it fits on, the smallest step first."""
    if not seen.piles:
        return [((0, 1 << card),) for card in places(seen.hand)]
    found = [
        ((card - top) % CARDS, place, card)
        for place, top in enumerate(seen.tops)
        for card in places(seen.hand & FITS[top])
    ]
    return [((place, 1 << card),) for _, place, card in sorted(found)]


def candidates(seen: ElevenPlayerView) -> list[Move]:
    """The moves that come into question: cards to lay, and piles to take."""
    bulls = seen.bulls[seen.turn]
    laid = _many_cards(seen, bulls) if bulls and seen.piles else single_cards(seen)
    return [*laid[:_MOVES], *_piles(seen)]


def _piles(seen: ElevenPlayerView) -> list[Move]:
    """The cheapest pile to take, and the cheapest one that brings a bull card."""
    costs = sorted((heads(pile), place) for place, pile in enumerate(seen.piles))
    bringing = [(cost, place) for cost, place in costs if seen.piles[place].bit_count() >= PILE_FOR_BULL]
    return [((place, 0),) for _, place in sorted({*costs[:1], *bringing[:2]})]


def _many_cards(seen: ElevenPlayerView, bulls: int) -> list[Move]:
    """All cards that fit on some piles, on at most as many as there are bull cards; most cards first."""
    fitting = [(seen.hand & FITS[top], place) for place, top in enumerate(seen.tops)]
    fitting = sorted(((fit, place) for fit, place in fitting if fit), key=lambda pair: -pair[0].bit_count())
    found: dict[tuple[int, tuple[int, ...]], Move] = {}
    for many in range(1, min(bulls, _PILES, len(fitting)) + 1):
        for some in combinations(fitting[:_PILES], many):
            move, used = [], 0
            for fit, place in reversed(some):  # the pile that takes fewer cards chooses first
                if fit & ~used:
                    move.append((place, fit & ~used))
                    used |= fit
            found.setdefault((used, tuple(place for place, _ in move)), tuple(move))
    return [found[key] for key in sorted(found, key=lambda key: -key[0].bit_count())]
