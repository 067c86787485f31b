"""Quick ways to play 11 nimmt!: they look at the own hand, the piles and the sizes of the other hands."""

from typing import Final

from companion.games.eleven.options import CARDS, PILE_FOR_BULL
from companion.robots.chance import places
from companion.robots.eleven.deal import FITS, ElevenPlayout, Move, heads, nearest

BULLS_WANTED: Final = 2
"""So many bull cards are worth a pile each: found by playing 200 matches with each number."""

_TIME_FOR_BULLS: Final = 5
"""While nobody else has fewer cards, there is time to take a pile for its bull card."""


def thrifty(deal: ElevenPlayout) -> Move:
    """Take as few piles as possible: the smallest step, or with bull cards as many cards as can be laid."""
    return _laid(deal) or _taken(deal, wants_bull=False)


def eager(deal: ElevenPlayout) -> Move:
    """The same, but first take piles that bring bull cards, as long as nobody else is near the end."""
    if deal.bulls[deal.turn] < BULLS_WANTED and _least(deal) >= _TIME_FOR_BULLS:
        bringing = [
            (heads(pile), place) for place, pile in enumerate(deal.piles) if pile.bit_count() >= PILE_FOR_BULL
        ]
        if bringing:
            return ((min(bringing)[1], 0),)
        return _laid(deal) or _taken(deal, wants_bull=True)
    return _laid(deal) or _taken(deal, wants_bull=False)


def _least(deal: ElevenPlayout) -> int:
    return min([hand.bit_count() for seat, hand in enumerate(deal.hands) if seat != deal.turn])


def _laid(deal: ElevenPlayout) -> Move | None:
    """Cards to lay; None if none fits."""
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


def _taken(deal: ElevenPlayout, *, wants_bull: bool) -> Move:
    """The pile that costs least, if a bull card is wanted one that brings it."""
    costs = [
        (wants_bull and pile.bit_count() < PILE_FOR_BULL, heads(pile), place)
        for place, pile in enumerate(deal.piles)
    ]
    return ((min(costs)[2], 0),)
