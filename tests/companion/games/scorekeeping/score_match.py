"""A deal that is counted in a test: orders that must stand, and what is asked meanwhile."""

from typing import Any

from companion.core.ask import DIALLED, TYPED, Ask, AskKind
from companion.core.cards import Seat
from companion.match.match import Step
from tests.companion.one_match import OneMatch


class ScoreMatch(OneMatch):
    """A match of which only the score is kept. Answers go through what is asked."""

    def __init__(self, seats: int, **options: Any) -> None:
        super().__init__("score", seats, **options)

    @property
    def asked(self) -> str:
        """What people are shown, and of whom it is asked."""
        ask = self.match.asks[0]
        return f"{ask.kind.value} {''.join(map(str, ask.seats))}: {ask.says}"

    def ask(self, kind: AskKind) -> Ask:
        """The open question of this kind, if any."""
        return next(ask for ask in self.match.asks if ask.kind is kind)

    def read(self, kind: AskKind, text: str, seat: int | None = None) -> Any:
        return self.match.game.read(self.ask(kind), None if seat is None else Seat(seat), text)

    def give(self, kind: AskKind, text: str, seat: int | None = None) -> Step:
        return self.do(self.read(kind, text, seat))

    def type(self, seat: int, points: int) -> Step:
        return self.give(AskKind.HAND, f"{TYPED}{points}", seat)

    def scan(self, *cards: int | str) -> Step:
        """Cards one after the other, as the device hands them on: to the first question that wants a card."""
        for card in cards[:-1]:
            self.scan(card)
        kind = next(ask.kind for ask in self.match.asks if ask.kind in (AskKind.HAND, AskKind.LAY))
        return self.give(kind, str(cards[-1]))

    def dial(self, card: int) -> Step:
        """A card that somebody reads and types."""
        kind = next(ask.kind for ask in self.match.asks if ask.kind in (AskKind.HAND, AskKind.LAY))
        return self.give(kind, f"{DIALLED}{card}")

    def badge(self, seat: int) -> Step:
        return self.give(AskKind.CLAIM, "", seat)

    def ok(self, answer: int = 0) -> Step:
        ask = self.ask(AskKind.DONE)
        return self.give(AskKind.DONE, ask.choices[answer])

    def pile(self, seat: int, *cards: int | str) -> Step:
        for card in cards:
            self.scan(card)
        return self.badge(seat)

    @property
    def points(self) -> tuple[int, ...]:
        return self.match.points

    @property
    def faults(self) -> list[str]:
        """What the conservation check finds wrong."""
        return list(map(str, self.match.game.audit(self.table).faults))
