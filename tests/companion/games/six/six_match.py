"""A match of 6 nimmt! in a test, with its orders as methods."""

from collections.abc import Sequence
from typing import Any

from companion.core.cards import ROWS, Card, Seat
from companion.games.six.records import Adopt, CardPlaced, Claim, LayRows, Pick, Play, TakeRow
from companion.match.match import Step
from tests.companion.one_match import OneMatch


def cards(*numbers: int) -> tuple[Card, ...]:
    return tuple(map(Card, numbers))


class SixMatch(OneMatch):
    """Rows count from 0, as seats do."""

    def __init__(self, seats: int, first: int = 0, **options: Any) -> None:
        super().__init__("six", seats, first, **options)

    @property
    def rows(self) -> list[list[int]]:
        return [list(row) for row in self.table.rows]

    @property
    def taken(self) -> list[list[int]]:
        return [list(pile) for pile in self.table.taken]

    @property
    def asked(self) -> str:
        """What is asked for, or nothing."""
        return self.match.asks[0].kind.value if self.match.asks else ""

    def lay(self, *four: int) -> None:
        self.do(LayRows(cards(*four)))

    def play(self, *numbers: int) -> list[CardPlaced]:
        """Cards by seat, the first for seat 0; the placements they make."""
        return self.show(*enumerate(numbers))

    def show(self, *plays: tuple[int | None, int]) -> list[CardPlaced]:
        """Seat (or None) and card, in this order; the placements they make."""
        steps = [self.do(Play(Card(card), None if seat is None else Seat(seat))) for seat, card in plays]
        return placed(*steps)

    def take(self, row: int, seat: int | None = None) -> list[CardPlaced]:
        return placed(self.do(TakeRow(row, None if seat is None else Seat(seat))))

    def claim(self, card: int, seat: int) -> list[CardPlaced]:
        return placed(self.do(Claim(Card(card), Seat(seat))))

    def pick(self, seat: int, card: int) -> Step:
        return self.do(Pick(Seat(seat), Card(card)))

    def adopt(
        self, rows: Sequence[Sequence[int]], turn: int | None = None, taken: Sequence[Sequence[int]] = ()
    ) -> Step:
        """A table as it stands; of the cards played that are not named, nobody knows who took them."""
        missing = None
        if taken and turn is not None:
            here = sum(map(len, (*rows, *taken)))
            missing = max(0, ROWS + turn * len(self.match.players) - here)
        piles = tuple(cards(*pile) for pile in taken)
        return self.do(Adopt(tuple(cards(*row) for row in rows), turn, piles, missing))


def placed(*steps: Step) -> list[CardPlaced]:
    return [event for step in steps for event in step.events if isinstance(event, CardPlaced)]
