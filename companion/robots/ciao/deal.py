"""A deal of Ciao! in plain Python, quick enough to play one to its end some thousand times a second.

Robots reason with it; the tests hold it equal to the referee. It explains nothing and refuses nothing. Nobody
makes a mistake in it, everybody says thank you, and the quickest of those who answer a challenge is anybody.

A card is its place, from 0, among all cards of the deal; a hand has a bit for each of its cards. The places
are in the order in which cards are kept: first jokers, then cards without an icon, then those with one, each
by its worth. So the best card of a hand that fits is its highest bit that fits.

Quick ways to play stand at the end: they look at the own hand, the card on top and the sizes of the other
hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import RandomSource
from companion.games.ciao.cards import KINDS, CardKind, Colour, Icon, Symbol, higher
from companion.games.ciao.options import PENALTY

_KINDS: Final = tuple(KINDS.values())
_SYMBOLS: Final = tuple(Symbol)
_COLOURS: Final = tuple(Colour)

KIND: Final = {name: number for number, name in enumerate(KINDS)}
"""The number of a kind by its name."""

NO_FACE: Final = -1
"""Nothing lies on top yet: any card opens."""


def face_of(colour: Colour, symbol: Symbol) -> int:
    """The number of what a card shows."""
    return _SYMBOLS.index(symbol) * len(_COLOURS) + _COLOURS.index(colour)


def named(joker: int, symbol: int) -> int:
    """What a joker, given by its kind, shows for which this symbol was named."""
    colour = _KINDS[joker].colour
    return symbol * len(_COLOURS) + (0 if colour is None else _COLOURS.index(colour))


class Cards:
    """All cards of a deal with these numbers of each kind: what each is by its place, and sets of them.

    Without `colours` only the symbol counts. `fits` and `answers` are by what lies on top, `NO_FACE` last:
    the cards that are higher, and those of them that answer a +3. `of_worth` begins with the cards that cost
    most.
    """

    def __init__(self, deck: tuple[int, ...], *, colours: bool = True) -> None:
        kinds = [kind for kind, many in enumerate(deck) for _ in range(many)]
        kinds.sort(key=lambda kind: (*_kept(_KINDS[kind]), -kind))

        def those(wanted: Iterable[bool]) -> int:
            of_kind = tuple(wanted)
            return sum(1 << place for place, kind in enumerate(kinds) if of_kind[kind])

        tops = [colour.value + symbol.value for symbol in _SYMBOLS for colour in _COLOURS]
        worths = sorted({kind.worth for kind in _KINDS}, reverse=True)
        self.kind: Final = tuple(kinds)
        self.face: Final = tuple(_face(_KINDS[kind]) for kind in kinds)
        self.icon: Final = tuple(_KINDS[kind].icon for kind in kinds)
        self.of_kind: Final = tuple(those(kind is one for kind in _KINDS) for one in _KINDS)
        self.of_icon: Final = {icon: those(kind.icon is icon for kind in _KINDS) for icon in (*Icon, None)}
        self.of_symbol: Final = tuple(those(kind.symbol is symbol for kind in _KINDS) for symbol in _SYMBOLS)
        self.of_worth: Final = tuple(
            (worth, those(kind.worth == worth for kind in _KINDS)) for worth in worths
        )
        self.jokers: Final = those(kind.joker for kind in _KINDS)
        self.troubles: Final = those(kind.trouble for kind in _KINDS)
        self.fits: Final = tuple(
            those(higher(kind.name, top, colours=colours) is not None for kind in _KINDS)
            for top in (*tops, "")
        )
        answers = self.jokers | self.of_icon[Icon.PLUS_THREE]
        self.answers: Final = tuple(one & answers for one in self.fits)

    def worth(self, hand: int) -> int:
        return sum([worth * (hand & cards).bit_count() for worth, cards in self.of_worth])

    def hand(self, kinds: Iterable[int], of: int = -1) -> int:
        """Some of the cards `of` (all, if nothing is said), given by their kinds."""
        found = 0
        for kind in kinds:
            left = self.of_kind[kind] & of & ~found
            found |= left & -left
        return found


cards_of: Final = lru_cache(maxsize=4)(Cards)


def _kept(kind: CardKind) -> tuple[bool, bool, int]:
    return not kind.joker, kind.icon is not None, kind.worth


def _face(kind: CardKind) -> int:
    return NO_FACE if kind.colour is None or kind.symbol is None else face_of(kind.colour, kind.symbol)


PASS: Final = -1
"""Instead of a card: none is played."""


class Way(NamedTuple):
    """A quick way to play: each choice by the deal and the seat, which looks at its own hand only.

    `card` is one of the cards of the hand that are in a set, which has at least one of them; `symbol` is
    named for a joker, from 0; `again`: whether to play again, else the direction changes.
    """

    card: Callable[[CiaoPlayout, int, int], int]
    symbol: Callable[[CiaoPlayout, int], int]
    again: Callable[[CiaoPlayout, int], bool]


class CiaoPlayout(Struct):
    """A deal in progress; `pile` is drawn from its end, the newest card of `lying` is the last."""

    cards: Cards
    hands: list[int]
    face: int
    pile: list[int]
    lying: list[int]
    step: int
    pending: int
    turn: int
    skips: list[int]
    chance: RandomSource

    def copy(self) -> CiaoPlayout:
        return replace(
            self,
            hands=self.hands.copy(),
            pile=self.pile.copy(),
            lying=self.lying.copy(),
            skips=self.skips.copy(),
        )

    def fits(self) -> int:
        """The cards that may be played in a turn now."""
        return self.cards.answers[self.face] if self.pending else self.cards.fits[self.face]

    def higher(self) -> int:
        return self.cards.fits[self.face]

    def draw(self, seat: int, many: int) -> None:
        """A seat draws; if the pile is too small, the cards under the top one are shuffled."""
        if len(self.pile) < many and len(self.lying) > 1:
            under, self.lying = self.lying[:-1], self.lying[-1:]
            self.chance.shuffle(under)
            self.pile = under + self.pile
        for _ in range(min(many, len(self.pile))):
            self.hands[seat] |= 1 << self.pile.pop()

    def pass_on(self, after: int) -> None:
        """It is the turn of the next one after a seat, who has no turn to lose."""
        many = len(self.hands)
        seat = (after + self.step) % many
        while self.skips[seat]:
            self.skips[seat] -= 1
            seat = (seat + self.step) % many
        self.turn = seat

    def draw_in_turn(self, seat: int, ways: Sequence[Way]) -> None:
        """The seat plays no card: it draws, and may play the card that it has drawn."""
        if self.pending:
            self.draw(seat, self.pending)
            self.pending = 0
            self.pass_on(seat)
            return
        before = self.hands[seat]
        self.draw(seat, 1)
        drawn = self.hands[seat] & ~before
        if drawn & self.higher():
            self.put(seat, drawn.bit_length() - 1, ways)
        else:
            self.pass_on(seat)

    def put(self, seat: int, card: int, ways: Sequence[Way]) -> None:
        self.hands[seat] ^= 1 << card
        self.lying.append(card)
        cards, more = self.cards, self.pending
        self.face = cards.face[card]
        self.pending = 0
        if not self.hands[seat]:
            return
        if cards.jokers >> card & 1:
            self.face = named(cards.kind[card], ways[seat].symbol(self, seat))
            self.pass_on(seat)
            return
        match cards.icon[card]:
            case None:
                self.pass_on(seat)
            case Icon.AGAIN_OR_REVERSE:
                self.go_on(seat, again=ways[seat].again(self, seat))
            case Icon.PLUS_THREE:
                self.pending = more + PENALTY
                self.pass_on(seat)
            case Icon.SWAP:
                self.swap(seat, self.fewest(seat))
            case Icon.BAD_CARD:
                self.give(seat, self.fewest(seat), self.worst(seat))
            case _:
                self.race(seat, ways)

    def go_on(self, seat: int, *, again: bool) -> None:
        if again:
            self.turn = seat
        else:
            self.step = -self.step
            self.pass_on(seat)

    def swap(self, seat: int, other: int) -> None:
        self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        self.pass_on(seat)

    def give(self, seat: int, other: int, card: int) -> None:
        self.hands[seat] ^= 1 << card
        self.hands[other] |= 1 << card
        if self.hands[seat]:
            self.pass_on(seat)

    def race(self, challenger: int, ways: Sequence[Way], me: int = -1, mine: int = PASS) -> None:
        """Everybody else may answer a challenge; `me`, if it is a seat, with the card `mine` and no other."""
        fits, able = self.higher(), []
        for seat, hand in enumerate(self.hands):
            if seat == me and mine != PASS:
                able.append((seat, mine))
            elif seat not in (me, challenger) and hand & fits:
                able.append((seat, ways[seat].card(self, seat, fits)))
        if able:
            seat, card = self.chance.choice(able)
            self.put(seat, card, ways)
        else:
            self.pass_on(challenger)

    def fewest(self, seat: int) -> int:
        """Who else has the fewest cards."""
        return min([(hand.bit_count(), other) for other, hand in enumerate(self.hands) if other != seat])[1]

    def worst(self, seat: int) -> int:
        """A trouble card, or the card that costs most."""
        hand, cards = self.hands[seat], self.cards
        found = hand & cards.troubles
        for _, of_worth in cards.of_worth:
            found = found or hand & of_worth
        return (found & -found).bit_length() - 1


def play_out(deal: CiaoPlayout, ways: Sequence[Way], turns: int) -> list[int]:
    """The points in every hand when one is empty, or after that number of turns; each seat plays its way."""
    hands = deal.hands
    for _ in range(turns):
        if 0 in hands:
            break
        seat = deal.turn
        fits = deal.fits()
        if hands[seat] & fits:
            deal.put(seat, ways[seat].card(deal, seat, fits), ways)
        else:
            deal.draw_in_turn(seat, ways)
    return [deal.cards.worth(hand) for hand in hands]


def _special_first(deal: CiaoPlayout, seat: int, fits: int) -> int:
    """Special cards first and jokers last; of each the one that costs most."""
    return (deal.hands[seat] & fits).bit_length() - 1


PLAIN: Final = Way(_special_first, symbol=lambda _deal, _seat: 0, again=lambda _deal, _seat: True)
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
        least = deal.hands[deal.fewest(seat)].bit_count()
        if hand.bit_count() - 1 - least >= _SWAP_GAINS:
            return swaps.bit_length() - 1
    jokers = able & cards.jokers
    if jokers and hand.bit_count() < _FEW and deal.hands[deal.fewest(seat)].bit_count() < _FEW:
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
    _careful, symbol=_own_symbol, again=lambda deal, seat: bool(deal.hands[seat] & deal.higher())
)
"""First what harms others, then what lets it play again; hands are swapped only with who has fewer cards."""
