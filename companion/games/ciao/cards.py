"""What is printed on the cards of Ciao!, how they are written, and which of two is higher.

A card is written as colour and symbol (`gR` is a green rock), with its icon after a colon
(`gR:+3`); `yJ` is a yellow joker, on the table with the symbol it was named (`yJ=P`); `T` is
a trouble card. A kind may exist several times: `gR#2` is the second green rock of the box.
"""

import re
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Final, NewType

from companion.core.ruling import Rule
from companion.games.ciao import rules
from companion.values import Value

Card = NewType("Card", str)
"""A kind (`gR`), or where the very copy is known, the copy (`gR#2`)."""


class Symbol(Enum):
    """The symbols; the value is the letter in a card's name."""

    ROCK = "R"
    PAPER = "P"
    SCISSORS = "S"


class Colour(Enum):
    """The colours, from low to high (Ciao! rulebook, figure 2); the value is the letter in a card's name."""

    GREEN = "g"
    YELLOW = "y"
    RED = "r"

    @property
    def worth(self) -> int:
        """The marks in the corner: 1, 2, 3. It is the order of the colours and the points of a card."""
        return 1 + list(Colour).index(self)


class Icon(Enum):
    """What makes a card special (Ciao! rulebook, Special cards); the value comes after the colon."""

    AGAIN_OR_REVERSE = "AR"
    CHALLENGE = "SC"
    PLUS_THREE = "+3"
    BAD_CARD = "BC"
    SWAP = "SW"


LOSES_TO: Final[Mapping[Symbol, Symbol]] = {
    Symbol.ROCK: Symbol.PAPER,
    Symbol.PAPER: Symbol.SCISSORS,
    Symbol.SCISSORS: Symbol.ROCK,
}
"""The symbol that is higher than a symbol (Ciao! rulebook, Order of the symbols)."""

TROUBLE: Final = Card("T")
MAX_WORTH: Final = 5
"""A joker or a trouble card in a hand at the end (Ciao! rulebook, End of the game); no card costs more."""


class CardKind(Value):
    """What is printed on a card: a joker has a colour and no symbol, a trouble card neither."""

    name: str
    colour: Colour | None
    symbol: Symbol | None
    icon: Icon | None

    @property
    def joker(self) -> bool:
        """Whether it goes on any card."""
        return self.colour is not None and self.symbol is None

    @property
    def trouble(self) -> bool:
        """Whether it is never played."""
        return self.colour is None

    @property
    def worth(self) -> int:
        """Its points in a hand at the end of a deal (Ciao! rulebook, End of the game)."""
        return MAX_WORTH if self.colour is None or self.symbol is None else self.colour.worth


def _all_kinds() -> dict[str, CardKind]:
    kinds = []
    for symbol in Symbol:
        for colour in Colour:
            plain = colour.value + symbol.value
            kinds.append(CardKind(plain, colour, symbol, None))
            kinds += [CardKind(f"{plain}:{icon.value}", colour, symbol, icon) for icon in Icon]
    kinds += [CardKind(f"{colour.value}J", colour, None, None) for colour in Colour]
    kinds.append(CardKind(TROUBLE, None, None, None))
    return {kind.name: kind for kind in kinds}


KINDS: Final[Mapping[str, CardKind]] = _all_kinds()
"""Every kind by its name, in the order of the codes."""

_COPY: Final = re.compile(r"(.+?)#([1-9][0-9]?)")
_NAMED: Final = re.compile(r"([gyr]J)(?:#[1-9][0-9]?)?=([RPS])")
_TYPED: Final = re.compile(
    r"(?:([gyr])([rpsj])(:(?:ar|sc|\+3|bc|sw))?|t)(#[1-9][0-9]?)?(=[rps])?", re.IGNORECASE
)


@lru_cache(maxsize=1024)
def split(card: str) -> tuple[CardKind, int | None] | None:
    """The kind of a card and the number of its copy, if known; None if the text names no card."""
    if card in KINDS:
        return KINDS[card], None
    found = _COPY.fullmatch(card)
    if found and found.group(1) in KINDS:
        return KINDS[found.group(1)], int(found.group(2))
    return None


def kind(card: str) -> CardKind:
    """The kind of a card that is known to be one."""
    found = split(card)
    assert found is not None, card  # noqa: S101 - every caller has checked the name
    return found[0]


def may_be_same(card: str, other: str) -> bool:
    """Whether two names can mean one and the same card: the same kind, and no two different copies."""
    first, second = split(card), split(other)
    if first is None or second is None or first[0] is not second[0]:
        return False
    return first[1] is None or second[1] is None or first[1] == second[1]


def typed(text: str) -> tuple[Card, str | None] | None:
    """A card as players type it, in lower or upper case, and the symbol named with it, if any."""
    found = _TYPED.fullmatch(text.strip())
    if found is None:
        return None
    colour, symbol, icon, copy, named = found.groups()
    if colour is None:
        return None if named else (Card(TROUBLE + (copy or "")), None)
    name = colour.lower() + symbol.upper() + (icon or "").upper()
    if name not in KINDS or (named and symbol.upper() != "J"):
        return None
    return Card(name + (copy or "")), named[1:].upper() if named else None


class Face(Value):
    """What the next card must be higher than; a joker shows the symbol it was named."""

    colour: Colour
    symbol: Symbol


@lru_cache(maxsize=1024)
def face(top: str) -> Face | None:
    """What a card shows on the table (`gR#2`, `yJ#2=P`); None for a joker without a name, and for no card."""
    named = _NAMED.fullmatch(top)
    if named:
        return Face(Colour(named.group(1)[0]), Symbol(named.group(2)))
    found = split(top)
    if found is None or found[0].colour is None or found[0].symbol is None:
        return None
    return Face(found[0].colour, found[0].symbol)


def higher(card: str, top: str, *, colours: bool = True) -> Rule | None:
    """The rule by which a card may be played on `top` (empty: no card yet), or None if it is not higher.

    Without `colours` only the symbol counts (Ciao! rulebook, For younger players, 1).
    """
    printed, below = kind(card), face(top)
    if printed.trouble:
        return None
    if below is None:
        return rules.OPENING
    if printed.symbol is None or printed.colour is None:
        return rules.JOKER
    if LOSES_TO[below.symbol] is printed.symbol:
        return rules.SYMBOLS
    if colours and printed.symbol is below.symbol and printed.colour.worth > below.colour.worth:
        return rules.COLOURS
    return None
