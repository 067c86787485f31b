"""A deal of Ciao! in plain Python, quick enough to play one to its end some thousand times a second.

Robots reason with it; the tests hold it equal to the referee. It explains nothing and refuses nothing. Nobody
makes a mistake in it, everybody says thank you, and the quickest of those who answer a challenge is anybody.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.ciao.box import PENALTY
from companion.games.ciao.cards import KINDS, TROUBLE, Colour, Icon, Symbol, higher

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.game import RandomSource

_KINDS: Final = tuple(KINDS.values())
_SYMBOLS: Final = tuple(Symbol)
_COLOURS: Final = tuple(Colour)

PLACE: Final = {name: place for place, name in enumerate(KINDS)}
"""The number of a kind by its name."""

WORTH: Final = tuple(kind.worth for kind in _KINDS)
ICON: Final = tuple(kind.icon for kind in _KINDS)
JOKER: Final = tuple(kind.joker for kind in _KINDS)
TROUBLES: Final = PLACE[TROUBLE]
PASS: Final = -1
"""Instead of a card: none is played."""

NO_FACE: Final = -1
"""Nothing lies on top yet: any card opens."""


def face_of(colour: Colour, symbol: Symbol) -> int:
    """The number of what a card shows."""
    return _SYMBOLS.index(symbol) * len(_COLOURS) + _COLOURS.index(colour)


def named(joker: int, symbol: int) -> int:
    """What a joker shows for which this symbol was named."""
    colour = _KINDS[joker].colour
    return symbol * len(_COLOURS) + (0 if colour is None else _COLOURS.index(colour))


FACE: Final = tuple(
    NO_FACE if kind.colour is None or kind.symbol is None else face_of(kind.colour, kind.symbol)
    for kind in _KINDS
)
"""What each kind shows; `NO_FACE` for jokers and trouble cards."""


@lru_cache(maxsize=2)
def fitting(*, colours: bool) -> tuple[tuple[bool, ...], ...]:
    """By what lies on top and kind, whether it is higher; without `colours` only the symbol counts."""
    tops = [colour.value + symbol.value for symbol in _SYMBOLS for colour in _COLOURS]
    return tuple(
        tuple(higher(kind.name, top, colours=colours) is not None for kind in _KINDS) for top in (*tops, "")
    )


@lru_cache(maxsize=2)
def _answering(*, colours: bool) -> tuple[tuple[bool, ...], ...]:
    """The same for a card that answers a +3."""
    return tuple(
        tuple(fits and (JOKER[kind] or ICON[kind] is Icon.PLUS_THREE) for kind, fits in enumerate(of_face))
        for of_face in fitting(colours=colours)
    )


class Way(NamedTuple):
    """A quick way to play: each choice by the deal and the seat, which looks at its own hand only."""

    card: Callable[[Deal, int, Sequence[bool]], int]
    """A card of the hand that fits, by kind, or `PASS`."""
    drawn: Callable[[Deal, int, int], bool]
    """Whether the drawn card, which fits, is played."""
    race: Callable[[Deal, int, Sequence[bool]], int]
    """The card for a challenge, or `PASS`."""
    symbol: Callable[[Deal, int], int]
    """The symbol that is named for a joker, from 0."""
    again: Callable[[Deal, int], bool]
    """Whether to play again; else the direction changes."""
    other: Callable[[Deal, int], int]
    """Who gets a bad card, or with whom hands are swapped."""
    gift: Callable[[Deal, int], int]
    """The bad card."""


class Deal:
    """A deal in progress; `pile` is drawn from its end, the newest card of `lying` is the last."""

    __slots__ = (
        "chance", "colours", "face", "hands", "lying", "pending", "pile", "skips", "step", "turn",
    )  # fmt: skip

    def __init__(  # noqa: PLR0917 - a table has so many parts
        self,
        hands: Sequence[Sequence[int]],
        face: int,
        pile: Sequence[int],
        lying: Sequence[int],
        step: int,
        pending: int,
        turn: int,
        skips: Sequence[int],
        chance: RandomSource,
        *,
        colours: bool = True,
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.face = face
        self.pile = list(pile)
        self.lying = list(lying)
        self.step = step
        self.pending = pending
        self.turn = turn
        self.skips = list(skips)
        self.chance = chance
        self.colours = colours

    def copy(self) -> Deal:
        """The same deal, to be played on by itself, by the same source of chance."""
        return Deal(
            self.hands, self.face, self.pile, self.lying, self.step, self.pending, self.turn, self.skips,
            self.chance, colours=self.colours,
        )  # fmt: skip

    @property
    def over(self) -> bool:
        """Whether a hand is empty."""
        return not all(self.hands)

    def points(self) -> list[int]:
        """The points in every hand."""
        return [sum([WORTH[card] for card in hand]) for hand in self.hands]

    def fits(self) -> tuple[bool, ...]:
        """By kind, whether such a card may be played in a turn now."""
        return _answering(colours=self.colours)[self.face] if self.pending else self.higher()

    def higher(self) -> tuple[bool, ...]:
        """By kind, whether such a card is higher than the one on top."""
        return fitting(colours=self.colours)[self.face]

    def draw(self, seat: int, many: int) -> None:
        """A seat draws; if the pile is too small, the cards under the top one are shuffled."""
        if len(self.pile) < many and len(self.lying) > 1:
            under, self.lying = self.lying[:-1], self.lying[-1:]
            self.chance.shuffle(under)
            self.pile = under + self.pile
        hand = self.hands[seat]
        for _ in range(min(many, len(self.pile))):
            hand.append(self.pile.pop())

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
        hand = self.hands[seat]
        size = len(hand)
        self.draw(seat, 1)
        if len(hand) > size and self.higher()[hand[-1]] and ways[seat].drawn(self, seat, hand[-1]):
            self.put(seat, hand[-1], ways)
        else:
            self.pass_on(seat)

    def put(self, seat: int, card: int, ways: Sequence[Way]) -> None:
        """The seat plays a card, with all that follows from it."""
        hand = self.hands[seat]
        hand.remove(card)
        self.lying.append(card)
        self.face = FACE[card]
        more = self.pending
        if more:
            self.pending = more + PENALTY if ICON[card] is Icon.PLUS_THREE else 0
        if not hand:
            return
        if JOKER[card]:
            self.face = named(card, ways[seat].symbol(self, seat))
            self.pass_on(seat)
        else:
            self.effect(seat, card, ways, answered=bool(more))

    def effect(self, seat: int, card: int, ways: Sequence[Way], *, answered: bool = False) -> None:
        """The icon of a card takes effect; `answered`: the card has already been added to a +3."""
        match ICON[card]:
            case None:
                self.pass_on(seat)
            case Icon.AGAIN_OR_REVERSE:
                self.go_on(seat, again=ways[seat].again(self, seat))
            case Icon.PLUS_THREE:
                if not answered:
                    self.pending = PENALTY
                self.pass_on(seat)
            case Icon.SWAP:
                self.swap(seat, ways[seat].other(self, seat))
            case Icon.BAD_CARD:
                self.give(seat, ways[seat].other(self, seat), ways[seat].gift(self, seat))
            case Icon.CHALLENGE:
                self.race(seat, ways)

    def go_on(self, seat: int, *, again: bool) -> None:
        """The seat plays again, or the direction changes."""
        if again:
            self.turn = seat
        else:
            self.step = -self.step
            self.pass_on(seat)

    def swap(self, seat: int, other: int) -> None:
        """Two hands are swapped."""
        self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        self.pass_on(seat)

    def give(self, seat: int, other: int, card: int) -> None:
        """A bad card changes hands."""
        self.hands[seat].remove(card)
        self.hands[other].append(card)
        if self.hands[seat]:
            self.pass_on(seat)

    def race(self, challenger: int, ways: Sequence[Way], me: int = -1, mine: int = PASS) -> None:
        """Everybody else may answer a challenge; `me`, if it is a seat, with the card `mine` and no other."""
        fits, able = self.higher(), []
        for seat in range(len(self.hands)):
            if seat != challenger:
                card = mine if seat == me else ways[seat].race(self, seat, fits)
                if card != PASS:
                    able.append((seat, card))
        if able:
            seat, card = self.chance.choice(able)
            self.put(seat, card, ways)
        else:
            self.pass_on(challenger)


def play_out(deal: Deal, ways: Sequence[Way], turns: int) -> list[int]:
    """The points in every hand when one is empty, or after so many turns; each seat plays its way."""
    for _ in range(turns):
        if deal.over:
            break
        seat = deal.turn
        card = ways[seat].card(deal, seat, deal.fits())
        if card == PASS:
            deal.draw_in_turn(seat, ways)
        else:
            deal.put(seat, card, ways)
    return deal.points()
