"""A deal of 11 nimmt! in plain Python, quick enough to play one to its end some thousand times a second.

Robots reason with it; the tests hold it equal to the referee. It explains nothing and refuses nothing. It
plays by the usual rules: bull cards are kept, and lie on at most as many piles as a player has of them.

Quick ways to play stand below it: they look at the own hand, the piles and the sizes of the other hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

from companion.core.cards import Card, bullheads
from companion.games.eleven.legal import REACH
from companion.games.eleven.options import BULLS, CARDS, NEW_PILES, PILE_FOR_BULL
from companion.robots.rollouts import places

Cards = int
"""Cards as bits."""

Move = tuple[tuple[int, Cards], ...]
"""The cards that are laid on each pile, by its place; without cards the pile is taken. The place behind the
last pile begins a new one."""

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

    def copy(self) -> ElevenPlayout:
        lists = (self.hands, self.piles, self.tops, self.bulls, self.deck)
        hands, piles, tops, bulls, deck = (one.copy() for one in lists)
        return ElevenPlayout(hands, piles, tops, bulls, deck, self.turn)

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
            giver = None if sum(self.bulls) < BULLS else self.giver(seat)
            if giver is None:
                self.bulls[seat] += sum(self.bulls) < BULLS
            else:
                self.bulls[giver] -= 1
                self.bulls[seat] += 1
        for _ in range(min(NEW_PILES, len(self.deck))):
            card = self.deck.pop()
            self.tops.append(card)
            self.piles.append(1 << card)

    def giver(self, seat: int) -> int | None:
        """Who gives a seat a bull card when the supply is empty: of those with most who has fewest cards."""
        others = [one for one in range(len(self.hands)) if one != seat]
        most = max(self.bulls[one] for one in others)
        if not most or self.bulls[seat] > most:
            return None
        return min(
            (one for one in others if self.bulls[one] == most), key=lambda one: self.hands[one].bit_count()
        )


def play_out(deal: ElevenPlayout, ways: Sequence[Callable[[ElevenPlayout], Move]], moves: int) -> list[int]:
    """The heads in every hand when one is empty, or after that number of moves; each seat plays its way."""
    hands = deal.hands
    for _ in range(moves):
        seat = deal.turn
        deal.move(ways[seat](deal))
        if not hands[seat]:
            break
    return [heads(hand) for hand in hands]


BULLS_WANTED: Final = 2
"""So many bull cards are worth a pile each: found by playing 200 matches with each number."""

_TIME_FOR_BULLS: Final = 5
"""While nobody else has fewer cards, there is time to take a pile for its bull card."""


def thrifty(deal: ElevenPlayout) -> Move:
    """Take as few piles as possible: the smallest step, or with bull cards as many cards as can be laid.

    If nothing fits, it is the pile that costs least.
    """
    return _laid(deal) or ((min((heads(pile), place) for place, pile in enumerate(deal.piles))[1], 0),)


def eager(deal: ElevenPlayout) -> Move:
    """The same, but first take piles that bring bull cards, as long as nobody else is near the end."""
    if deal.bulls[deal.turn] < BULLS_WANTED and _least(deal) >= _TIME_FOR_BULLS:
        piles = enumerate(deal.piles)
        bringing = [(heads(pile), place) for place, pile in piles if pile.bit_count() >= PILE_FOR_BULL]
        if bringing:
            return ((min(bringing)[1], 0),)
    return thrifty(deal)


def _least(deal: ElevenPlayout) -> int:
    return min([hand.bit_count() for seat, hand in enumerate(deal.hands) if seat != deal.turn])


def _laid(deal: ElevenPlayout) -> Move | None:
    hand, tops = deal.hands[deal.turn], deal.tops
    if not tops:
        return ((0, 1 << max(places(hand), key=lambda card: heads(1 << card))),)
    bulls = deal.bulls[deal.turn]
    return most_cards(hand, tops, bulls) if bulls else _smallest_step(hand, tops)


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


def most_cards(hand: int, tops: list[int], bulls: int) -> Move | None:
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
