"""A second referee for 11 nimmt!, as short and plain as the rulebook, to compare the real one with."""

from tests.companion.games.six.naive_six import heads

AFTER_100 = [*range(1, 101), *range(1, 11)]
"""Rule 3: the numbers continue with 1, 2, 3 (11 nimmt! rulebook, Playing cards, rule 3)."""


def window(top: int) -> list[int]:
    """The ten numbers after a top (11 nimmt! rulebook, Playing cards, rules 1 to 3)."""
    return AFTER_100[top : top + 10]


def may_play(piles: dict[int, list[int]], bulls: int, hand: set[int], move: dict[int, list[int]]) -> bool:
    """Whether a whole move is legal (11 nimmt! rulebook, Course of play to Bull cards)."""
    played = [card for laid in move.values() for card in laid]
    if not played or len(set(played)) < len(played) or not set(played) <= hand:
        return False
    if not all(laid and pile in piles for pile, laid in move.items()):
        return False
    if len(played) > 1 and len(move) > bulls:
        return False
    return all(card in window(piles[pile][-1]) for pile, laid in move.items() for card in laid)


def after_play(piles: dict[int, list[int]], move: dict[int, list[int]]) -> dict[int, list[int]]:
    """The piles after a legal move, the cards stacked as they follow each other (house rule H11-3)."""
    return {
        number: [*pile, *sorted(move.get(number, []), key=window(pile[-1]).index)]
        for number, pile in piles.items()
    }


def minus(hand: set[int]) -> int:
    """The minus points of a hand (11 nimmt! rulebook, End of the game and scoring; house rule H11-1)."""
    return sum(map(heads, hand))
