"""Quick ways to play Ciao!: they look at the own hand, the card on top and the sizes of the other hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.ciao.box import BOX
from companion.games.ciao.cards import KINDS, Icon, Symbol
from robots.ciao.deal import FACE, ICON, JOKER, NO_FACE, PASS, TROUBLES, WORTH, Way, fitting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robots.ciao.deal import Deal

_SPECIAL_FIRST: Final = tuple(
    (not JOKER[card]) * 100 + (ICON[card] is not None) * 10 + WORTH[card] for card in range(len(WORTH))
)
_SYMBOL_OF: Final = tuple(
    None if kind.symbol is None else tuple(Symbol).index(kind.symbol) for kind in KINDS.values()
)
_HIGHER_ONES: Final = tuple(
    sum(number for number, fits in zip(BOX.values(), of_face, strict=True) if fits)
    for of_face in fitting(colours=True)[:NO_FACE]
)
"""By what lies on top: how many cards of the box are higher."""


def special_first(deal: Deal, seat: int, fits: Sequence[bool]) -> int:
    """Special cards first and jokers last; of each the one that costs most."""
    cards = [card for card in deal.hands[seat] if fits[card]]
    return max(cards, key=_SPECIAL_FIRST.__getitem__, default=PASS)


def fewest(deal: Deal, seat: int) -> int:
    """Who else has the fewest cards."""
    return min([(len(hand), other) for other, hand in enumerate(deal.hands) if other != seat])[1]


def worst(deal: Deal, seat: int) -> int:
    """A trouble card, or the card that costs most."""
    hand = deal.hands[seat]
    return TROUBLES if TROUBLES in hand else max(hand, key=WORTH.__getitem__)


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

# What a card is good for, in points. The numbers were found by changing them at random, a thousand matches
# against three that play PLAIN for each change, and keeping what won more.
_ICON: Final = {Icon.PLUS_THREE: 6.0, Icon.BAD_CARD: 8.0, Icon.CHALLENGE: 0.0, None: 0.0}
_FOLLOWED, _NOT_FOLLOWED = 6.0, 2.0
_OF_SWAP: Final = 3.0
_OF_JOKER, _OF_JOKER_AT_END, _OF_JOKER_IN_DANGER, _OF_JOKER_IN_RACE = -8.0, 2.3, 4.5, -6.0
_OF_WORTH, _OF_HIGHER_ONE, _OF_SYMBOL = 0.4, -0.05, 0.5
_KEPT: Final = -15.0
_FEW: Final = 4


def _good(deal: Deal, seat: int, card: int) -> float:
    """What it is good for to play a card that fits."""
    hand = deal.hands[seat]
    least = len(deal.hands[fewest(deal, seat)])
    if JOKER[card]:
        danger = _OF_JOKER_IN_DANGER if least < _FEW - 1 else 0.0
        return _OF_JOKER + _OF_JOKER_AT_END * max(0, _FEW - len(hand)) + danger
    left = hand.copy()
    left.remove(card)
    symbols = _OF_SYMBOL * len({_SYMBOL_OF[other] for other in left})
    icon = ICON[card]
    if icon is Icon.SWAP:
        return symbols + _OF_SWAP * (len(left) - least)
    good = symbols + _OF_WORTH * WORTH[card] + _OF_HIGHER_ONE * _HIGHER_ONES[FACE[card]]
    if icon is Icon.AGAIN_OR_REVERSE:
        return good + (_FOLLOWED if _follows(deal, left, FACE[card]) else _NOT_FOLLOWED)
    return good + _ICON[icon]


def _follows(deal: Deal, hand: Sequence[int], face: int) -> bool:
    fits = fitting(colours=deal.colours)[face]
    return any(fits[card] for card in hand)


def _best(deal: Deal, seat: int, fits: Sequence[bool]) -> int:
    hand = deal.hands[seat]
    if len(hand) == 1:
        return hand[0] if fits[hand[0]] else PASS
    found, most = PASS, _KEPT
    for card in hand:
        if fits[card] and (good := _good(deal, seat, card)) > most:
            found, most = card, good
    return found


def _race(deal: Deal, seat: int, fits: Sequence[bool]) -> int:
    card = _best(deal, seat, fits)
    if card != PASS and JOKER[card] and len(deal.hands[seat]) > 1:
        return card if _good(deal, seat, card) + _OF_JOKER_IN_RACE > _KEPT else PASS
    return card


def _own_symbol(deal: Deal, seat: int) -> int:
    """The symbol that most of the own cards are higher than."""
    beats = [0] * len(Symbol)
    for card in deal.hands[seat]:
        if (symbol := _SYMBOL_OF[card]) is not None:
            beats[symbol - 1] += 1
    return beats.index(max(beats))


CAREFUL: Final = Way(
    card=_best,
    drawn=lambda deal, seat, card: len(deal.hands[seat]) == 1 or _good(deal, seat, card) > _KEPT,
    race=_race,
    symbol=_own_symbol,
    again=lambda deal, seat: _follows(deal, deal.hands[seat], deal.face),
    other=fewest,
    gift=worst,
)
"""What a card is good for: its effect, what it leaves in the hand, and how hard it is to beat."""
