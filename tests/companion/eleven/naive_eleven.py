"""A second referee for 11 nimmt!, as short and plain as the booklet, to compare the real one with."""

from __future__ import annotations

from tests.companion.six.naive_six import heads

AFTER_100 = [*range(1, 101), *range(1, 11)]
"""Rule 3: the numbers go on with 1, 2, 3 (booklet 001:59)."""


def window(top: int) -> list[int]:
    """The ten numbers behind a top (booklet 001:53-63)."""
    return AFTER_100[top : top + 10]


def may_play(piles: dict[int, list[int]], bulls: int, hand: set[int], move: dict[int, list[int]]) -> bool:
    """Whether a whole move is legal (booklet 001:42-89)."""
    played = [card for laid in move.values() for card in laid]
    if not played or len(set(played)) < len(played) or not set(played) <= hand:
        return False
    if not all(laid and pile in piles for pile, laid in move.items()):
        return False
    if len(played) > 1 and len(move) > bulls:
        return False
    return all(card in window(piles[pile][-1]) for pile, laid in move.items() for card in laid)


def after_play(piles: dict[int, list[int]], move: dict[int, list[int]]) -> dict[int, list[int]]:
    """The piles after a legal move, the cards stacked as they follow each other (house ruling H11-3)."""
    return {
        number: [*pile, *sorted(move.get(number, []), key=window(pile[-1]).index)]
        for number, pile in piles.items()
    }


def minus(hand: set[int]) -> int:
    """The minus points of a hand (booklet 001:183, house ruling H11-1)."""
    return sum(map(heads, hand))
