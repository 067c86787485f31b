"""Ciao! written down a second time, as plainly as possible, to compare the referee with.

It sees every card: hands and the draw pile are lists of names. It knows the rules as agreed by
default and never reshuffles.
"""

from dataclasses import dataclass, field
from typing import Any

COLOURS = "gyr"


def worth(card: str) -> int:
    """Green 1, yellow 2, red 3, a joker or a trouble card 5."""
    return 5 if "T" in card or "J" in card else 1 + COLOURS.index(card[0])


def higher(card: str, top: str | None, *, colours: bool = True) -> bool:
    """Whether a card may be put on another; a joker on top is written with its symbol, `yJ=P`."""
    if card[0] == "T":
        return False
    if not top or card[1] == "J":
        return True
    symbol = top[-1] if "=" in top else top[1]
    if card[1] + symbol in ("PR", "RS", "SP"):
        return True
    return colours and card[1] == symbol and COLOURS.index(card[0]) > COLOURS.index(top[0])


@dataclass
class Naive:
    """A deal with open cards; the first player without cards has won."""

    hands: list[list[str]]
    pile: list[str]
    top: str | None = None
    turn: int = 0
    dir: int = 1
    pending: int = 0
    skips: list[int] = field(default_factory=list)
    race: int | None = None
    won: int | None = None

    def __post_init__(self) -> None:
        self.skips = self.skips or [0] * len(self.hands)

    @property
    def over(self) -> bool:
        return self.won is not None

    def may(self, seat: int, card: str) -> bool:
        """Whether this card of a hand may be played by who is on turn, or may race."""
        if card not in self.hands[seat] or (
            seat == self.race if self.race is not None else seat != self.turn
        ):
            return False
        answers = "+3" in card or card[1:2] == "J"
        return higher(card, self.top) and (answers or not self.pending)

    def take(self, seat: int, number: int) -> None:
        for _ in range(number):
            self.hands[seat].append(self.pile.pop(0))

    def next(self, seat: int) -> None:
        """The turn goes to the next seat after this one that loses none."""
        while True:
            seat = (seat + self.dir) % len(self.hands)
            if not self.skips[seat]:
                break
            self.skips[seat] -= 1
        self.turn = seat

    def play(self, seat: int, card: str, *, other: int = 0, **said: Any) -> None:
        """`said`: the name of a joker, the mode, the card to give, whether there were thanks."""
        name, mode = said.get("name"), said.get("mode")
        self.hands[seat].remove(card)
        self.top = card if not name else f"{card[:2]}={name}"
        self.race = None
        if self.pending:
            self.pending = self.pending + 3 if "+3" in card else 0
        elif "+3" in card and self.hands[seat]:
            self.pending = 3
        if not self.hands[seat]:
            self.won = seat
            return
        if ":SC" in card:
            self.race = seat
            return
        if ":SW" in card:
            self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        if ":BC" in card:
            self.hands[seat].remove(said["give"])
            self.hands[other].append(said["give"])
            self.take(other, 0 if said["thanks"] else 3)
            if not self.hands[seat]:
                self.won = seat
                return
        if mode == "again":
            self.turn = seat
            return
        if mode == "reverse":
            self.dir = -self.dir
        self.next(seat)

    def draw(self) -> bool:
        """Who is on turn draws; whether the drawn card may be looked at, and played if it fits."""
        seat, forced = self.turn, self.pending
        self.take(seat, forced or 1)
        self.pending = 0
        if forced:
            self.next(seat)
        return not forced

    def foul(self, seat: int) -> None:
        """Three cards, and this turn or else the next one is lost."""
        self.take(seat, 3)
        if self.race is None and seat == self.turn:
            self.take(seat, self.pending)
            self.pending = 0
            self.next(seat)
        else:
            self.skips[seat] += 1
