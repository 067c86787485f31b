"""The cards of a deal of Ciao! as bits of a number, so that a choice from a hand is quick.

A card is its place, from 0, among all cards of the deal; a hand has a bit for each of its cards. The places
are in the order in which cards are kept: first jokers, then cards without an icon, then those with one, each
by its worth. So the best card of a hand that fits is its highest bit that fits.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from companion.games.ciao.cards import KINDS, TROUBLE, CardKind, Colour, Icon, Symbol, higher
from companion.robots.chance import places
from companion.values import Value

_KINDS: Final = tuple(KINDS.values())
_SYMBOLS: Final = tuple(Symbol)
_COLOURS: Final = tuple(Colour)

KIND: Final = {name: number for number, name in enumerate(KINDS)}
"""The number of a kind by its name."""

TROUBLES: Final = KIND[TROUBLE]

NO_FACE: Final = -1
"""Nothing lies on top yet: any card opens."""


def face_of(colour: Colour, symbol: Symbol) -> int:
    """The number of what a card shows."""
    return _SYMBOLS.index(symbol) * len(_COLOURS) + _COLOURS.index(colour)


def named(joker: int, symbol: int) -> int:
    """What a joker, given by its kind, shows for which this symbol was named."""
    colour = _KINDS[joker].colour
    return symbol * len(_COLOURS) + (0 if colour is None else _COLOURS.index(colour))


class Cards(Value, eq=False):
    """All cards of a deal: what each one is by its place, and sets of them as bits.

    `fits` and `answers` are by what lies on top, `NO_FACE` last: the cards that are higher, and those of them
    that answer a +3. `of_worth` begins with the cards that cost most.
    """

    kind: tuple[int, ...]
    face: tuple[int, ...]
    icon: tuple[Icon | None, ...]
    of_kind: tuple[int, ...]
    of_icon: dict[Icon | None, int]
    of_symbol: tuple[int, ...]
    of_worth: tuple[tuple[int, int], ...]
    jokers: int
    troubles: int
    fits: tuple[int, ...]
    answers: tuple[int, ...]

    def worth(self, hand: int) -> int:
        return sum([worth * (hand & cards).bit_count() for worth, cards in self.of_worth])

    def hand(self, kinds: Iterable[int], of: int = -1) -> int:
        """Some of the cards `of` (all, if nothing is said), given by their kinds."""
        found = 0
        for kind in kinds:
            left = self.of_kind[kind] & of & ~found
            found |= left & -left
        return found

    def kinds(self, hand: int) -> list[int]:
        """The kinds of a hand, ascending."""
        return sorted(self.kind[place] for place in places(hand))


@lru_cache(maxsize=4)
def cards_of(deck: tuple[int, ...], *, colours: bool = True) -> Cards:
    """The cards of a deal with so many of each kind; without `colours` only the symbol counts."""
    kinds = [kind for kind, many in enumerate(deck) for _ in range(many)]
    kinds.sort(key=lambda kind: (*_kept(_KINDS[kind]), -kind))

    def those(wanted: Iterable[bool]) -> int:
        """The cards of the kinds of which this is true, given in the order of kinds."""
        of_kind = tuple(wanted)
        return sum(1 << place for place, kind in enumerate(kinds) if of_kind[kind])

    jokers = those(kind.joker for kind in _KINDS)
    of_icon = {icon: those(kind.icon is icon for kind in _KINDS) for icon in (*Icon, None)}
    tops = [colour.value + symbol.value for symbol in _SYMBOLS for colour in _COLOURS]
    fits = [
        those(higher(kind.name, top, colours=colours) is not None for kind in _KINDS) for top in (*tops, "")
    ]
    worths = sorted({kind.worth for kind in _KINDS}, reverse=True)
    return Cards(
        kind=tuple(kinds),
        face=tuple(_face(_KINDS[kind]) for kind in kinds),
        icon=tuple(_KINDS[kind].icon for kind in kinds),
        of_kind=tuple(those(kind is one for kind in _KINDS) for one in _KINDS),
        of_icon=of_icon,
        of_symbol=tuple(those(kind.symbol is symbol for kind in _KINDS) for symbol in _SYMBOLS),
        of_worth=tuple((worth, those(kind.worth == worth for kind in _KINDS)) for worth in worths),
        jokers=jokers,
        troubles=those(kind.trouble for kind in _KINDS),
        fits=tuple(fits),
        answers=tuple(one & (jokers | of_icon[Icon.PLUS_THREE]) for one in fits),
    )


def _kept(kind: CardKind) -> tuple[bool, bool, int]:
    return not kind.joker, kind.icon is not None, kind.worth


def _face(kind: CardKind) -> int:
    return NO_FACE if kind.colour is None or kind.symbol is None else face_of(kind.colour, kind.symbol)
