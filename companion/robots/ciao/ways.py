"""Quick ways to play Ciao!: they look at the own hand, the card on top and the sizes of the other hands."""

from typing import Final

from companion.games.ciao.cards import Icon
from companion.robots.ciao.deal import CiaoPlayout, Way


def special_first(deal: CiaoPlayout, seat: int, fits: int) -> int:
    """Special cards first and jokers last; of each the one that costs most."""
    return (deal.hands[seat] & fits).bit_length() - 1


def fewest(deal: CiaoPlayout, seat: int) -> int:
    """Who else has the fewest cards."""
    return min([(hand.bit_count(), other) for other, hand in enumerate(deal.hands) if other != seat])[1]


def worst(deal: CiaoPlayout, seat: int) -> int:
    """A trouble card, or the card that costs most."""
    hand, cards = deal.hands[seat], deal.cards
    found = hand & cards.troubles
    for _, of_worth in cards.of_worth:
        found = found or hand & of_worth
    return (found & -found).bit_length() - 1


PLAIN: Final = Way(
    card=special_first,
    drawn=lambda _deal, _seat, _card: True,
    race=special_first,
    symbol=lambda _deal, _seat: 0,
    again=lambda _deal, _seat: True,
    other=fewest,
    gift=worst,
)
"""Whatever can be got rid of; everything bad is for who has the fewest cards."""

_SWAP_GAINS: Final = 2
"""So many cards fewer make a swap of hands worth more than any other card."""

_FIRST: Final = (Icon.BAD_CARD, Icon.PLUS_THREE)
_FEW: Final = 3


def _careful(deal: CiaoPlayout, seat: int, fits: int) -> int:
    hand, cards = deal.hands[seat], deal.cards
    able = hand & fits
    if not able & (able - 1):
        return able.bit_length() - 1
    swaps = able & cards.of_icon[Icon.SWAP]
    if swaps:
        least = deal.hands[fewest(deal, seat)].bit_count()
        if hand.bit_count() - 1 - least >= _SWAP_GAINS:
            return swaps.bit_length() - 1
    jokers = able & cards.jokers
    if jokers and hand.bit_count() < _FEW and deal.hands[fewest(deal, seat)].bit_count() < _FEW:
        return jokers.bit_length() - 1
    for icon in _FIRST:
        if found := able & cards.of_icon[icon]:
            return found.bit_length() - 1
    again = able & cards.of_icon[Icon.AGAIN_OR_REVERSE]
    while again:
        card = again.bit_length() - 1
        if hand & ~(1 << card) & cards.fits[cards.face[card]]:
            return card
        again ^= 1 << card
    rest = able & ~swaps & ~jokers
    return (rest or swaps or jokers).bit_length() - 1


def _own_symbol(deal: CiaoPlayout, seat: int) -> int:
    """The symbol that most of the own cards are higher than."""
    hand = deal.hands[seat]
    of_symbol = [(hand & cards).bit_count() for cards in deal.cards.of_symbol]
    beats = of_symbol[1:] + of_symbol[:1]  # the next symbol is higher than each
    return beats.index(max(beats))


CAREFUL: Final = Way(
    card=_careful,
    drawn=lambda _deal, _seat, _card: True,
    race=_careful,
    symbol=_own_symbol,
    again=lambda deal, seat: bool(deal.hands[seat] & deal.higher()),
    other=fewest,
    gift=worst,
)
"""First what harms others, then what lets it play again; hands are swapped only with who has fewer cards."""
