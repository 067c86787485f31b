"""A match of 11 nimmt! in a test, with its orders as methods."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.cards import Card, Seat
from companion.games.eleven.records import (
    Adopt,
    BullFrom,
    Choose,
    Done,
    Hand,
    HandCard,
    Play,
    PlayCard,
    ShowCard,
    Take,
    TurnUp,
)
from companion.match.match import Step
from tests.companion.one_match import OneMatch
from tests.companion.told import told


def cards(*numbers: int) -> tuple[Card, ...]:
    return tuple(map(Card, numbers))


class AtEleven(OneMatch):
    """Piles count from 0, as seats do."""

    COUNTS = True

    def __init__(self, seats: int, first: int = 0, **options: Any) -> None:
        super().__init__("eleven", seats, first, **options)

    @property
    def piles(self) -> dict[int, list[int]]:
        return {pile.number: list(pile.cards) for pile in self.table.piles}

    @property
    def asked(self) -> list[str]:
        return [ask.kind.value for ask in self.match.asks]

    def turn_up(self, *numbers: int) -> Step:
        return self.do(TurnUp(cards(*numbers)))

    def scan(self, *numbers: int) -> list[str]:
        """Cards scanned one after the other, as answers to what is asked; the sentences of the last."""
        step: Step | None = None
        for number in numbers:
            ask = self.match.asks[0]
            step = self.do(self.game.read(ask, None, str(number)))
        return [] if step is None else [says for _, says in told(step)]

    def play(self, piles: Mapping[int, Sequence[int]], seat: int | None = None) -> Step:
        return self.do(play(piles, seat))

    def card(self, number: int, pile: int | None = None) -> Step:
        return self.do(PlayCard(Card(number), pile))

    def show(self, number: int) -> Step:
        """A card that the device has read, without its player."""
        return self.do(ShowCard(Card(number)))

    def choose(self, pile: int) -> Step:
        return self.do(Choose(pile))

    def done(self) -> Step:
        return self.do(Done())

    def take(self, pile: int, bull_from: int | None = None) -> Step:
        return self.do(Take(pile, None if bull_from is None else Seat(bull_from)))

    def bull(self, giver: int) -> Step:
        return self.do(BullFrom(Seat(giver)))

    def hand(self, seat: int, *numbers: int) -> Step:
        return self.do(Hand(Seat(seat), cards(*numbers)))

    def heads(self, seat: int, number: int) -> Step:
        return self.do(Hand(Seat(seat), heads=number))

    def hand_card(self, number: int) -> Step:
        return self.do(HandCard(Card(number)))

    def adopt(self, piles: Mapping[int, Sequence[int]], **fields: Any) -> Step:
        return self.do(adopt(piles, **fields))


def play(piles: Mapping[int, Sequence[int]], seat: int | None = None) -> Play:
    by_name = {str(number): cards(*laid) for number, laid in piles.items()}
    return Play(by_name, None if seat is None else Seat(seat))


def adopt(piles: Mapping[int, Sequence[int]], **fields: Any) -> Adopt:
    """A position; lists in place of tuples will do."""
    if "hands" in fields:
        fields["hands"] = tuple(cards(*hand) for hand in fields["hands"])
    for name in ("hand_sizes", "bulls"):
        if name in fields:
            fields[name] = tuple(fields[name])
    return Adopt({str(number): cards(*pile) for number, pile in piles.items()}, **fields)
