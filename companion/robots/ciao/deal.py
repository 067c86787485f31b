"""A deal of Ciao! in plain Python, quick enough to play one to its end some thousand times a second.

Robots reason with it; the tests hold it equal to the referee. It explains nothing and refuses nothing. Nobody
makes a mistake in it, everybody says thank you, and the quickest of those who answer a challenge is anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from companion.core.game import RandomSource
from companion.games.ciao.cards import Icon
from companion.games.ciao.options import PENALTY
from companion.robots.ciao.cards import Cards, named

PASS: Final = -1
"""Instead of a card: none is played."""


class Way(NamedTuple):
    """A quick way to play: each choice by the deal and the seat, which looks at its own hand only.

    Cards are places, sets of cards bits (`cards.Cards`).
    """

    card: Callable[[CiaoPlayout, int, int], int]
    """One of the cards of the hand that are in this set, or `PASS`."""
    drawn: Callable[[CiaoPlayout, int, int], bool]
    """Whether the drawn card, which fits, is played."""
    race: Callable[[CiaoPlayout, int, int], int]
    """The card of this set for a challenge, or `PASS`."""
    symbol: Callable[[CiaoPlayout, int], int]
    """The symbol that is named for a joker, from 0."""
    again: Callable[[CiaoPlayout, int], bool]
    """Whether to play again; else the direction changes."""
    other: Callable[[CiaoPlayout, int], int]
    """Who gets a bad card, or with whom hands are swapped."""
    gift: Callable[[CiaoPlayout, int], int]
    """The bad card."""


class CiaoPlayout:
    """A deal in progress; `pile` is drawn from its end, the newest card of `lying` is the last."""

    __slots__ = (
        "cards", "chance", "face", "hands", "lying", "pending", "pile", "skips", "step", "turn",
    )  # fmt: skip

    def __init__(  # noqa: PLR0917 - a table has so many parts
        self,
        cards: Cards,
        hands: Sequence[int],
        face: int,
        pile: Sequence[int],
        lying: Sequence[int],
        step: int,
        pending: int,
        turn: int,
        skips: Sequence[int],
        chance: RandomSource,
    ) -> None:
        self.cards = cards
        self.hands = list(hands)
        self.face = face
        self.pile = list(pile)
        self.lying = list(lying)
        self.step = step
        self.pending = pending
        self.turn = turn
        self.skips = list(skips)
        self.chance = chance

    def copy(self) -> CiaoPlayout:
        """The same deal, to be played on by itself, by the same source of chance."""
        return CiaoPlayout(
            self.cards, self.hands, self.face, self.pile, self.lying, self.step, self.pending, self.turn,
            self.skips, self.chance,
        )  # fmt: skip

    def points(self) -> list[int]:
        return [self.cards.worth(hand) for hand in self.hands]

    def fits(self) -> int:
        """The cards that may be played in a turn now."""
        return self.cards.answers[self.face] if self.pending else self.cards.fits[self.face]

    def higher(self) -> int:
        """The cards that are higher than the one on top."""
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
        card = (self.hands[seat] ^ before).bit_length() - 1
        if self.hands[seat] & ~before & self.higher() and ways[seat].drawn(self, seat, card):
            self.put(seat, card, ways)
        else:
            self.pass_on(seat)

    def put(self, seat: int, card: int, ways: Sequence[Way]) -> None:
        """The seat plays a card, with all that follows from it."""
        self.hands[seat] ^= 1 << card
        self.lying.append(card)
        cards, more = self.cards, self.pending
        self.face = cards.face[card]
        if more:
            self.pending = more + PENALTY if cards.icon[card] is Icon.PLUS_THREE else 0
        if not self.hands[seat]:
            return
        if cards.jokers >> card & 1:
            self.face = named(cards.kind[card], ways[seat].symbol(self, seat))
            self.pass_on(seat)
        else:
            self.effect(seat, card, ways, answered=bool(more))

    def effect(self, seat: int, card: int, ways: Sequence[Way], *, answered: bool = False) -> None:
        """The icon of a card takes effect; `answered`: the card has already been added to a +3."""
        icon = self.cards.icon[card]
        if icon is None:
            self.pass_on(seat)
        elif icon is Icon.AGAIN_OR_REVERSE:
            self.go_on(seat, again=ways[seat].again(self, seat))
        elif icon is Icon.PLUS_THREE:
            if not answered:
                self.pending = PENALTY
            self.pass_on(seat)
        elif icon is Icon.SWAP:
            self.swap(seat, ways[seat].other(self, seat))
        elif icon is Icon.BAD_CARD:
            self.give(seat, ways[seat].other(self, seat), ways[seat].gift(self, seat))
        else:
            self.race(seat, ways)

    def go_on(self, seat: int, *, again: bool) -> None:
        """The seat plays again, or the direction changes."""
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
            if seat != challenger:
                card = mine if seat == me else ways[seat].race(self, seat, fits) if hand & fits else PASS
                if card != PASS:
                    able.append((seat, card))
        if able:
            seat, card = self.chance.choice(able)
            self.put(seat, card, ways)
        else:
            self.pass_on(challenger)


def play_out(deal: CiaoPlayout, ways: Sequence[Way], turns: int) -> list[int]:
    """The points in every hand when one is empty, or after so many turns; each seat plays its way."""
    hands = deal.hands
    for _ in range(turns):
        if 0 in hands:
            break
        seat = deal.turn
        fits = deal.fits()
        card = ways[seat].card(deal, seat, fits) if hands[seat] & fits else PASS
        if card == PASS:
            deal.draw_in_turn(seat, ways)
        else:
            deal.put(seat, card, ways)
    return deal.points()
