"""A deal that is counted in a test: orders that must stand, and what is asked meanwhile."""

from typing import Any

from companion.core.ask import DIALLED, TYPED, Ask, AskKind
from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.games.scorekeeping.table import CountTable
from companion.match.match import Match, Step, Terms, begin


class ScoreMatch:
    """A match of which only the score is kept; seats count from 0. Answers go through what is asked."""

    def __init__(self, seats: int, **options: Any) -> None:
        self.match: Match = begin(Terms("score", seats, options))

    @property
    def table(self) -> CountTable:
        table: CountTable = self.match.position.table
        return table

    @property
    def asked(self) -> str:
        """What people are shown, and of whom it is asked."""
        ask = self.match.asks[0]
        return f"{ask.kind.value} {''.join(map(str, ask.seats))}: {ask.says}"

    def ask(self, kind: AskKind) -> Ask:
        """The open question of this kind, if any."""
        return next(ask for ask in self.match.asks if ask.kind is kind)

    def do(self, command: Any) -> Step:
        step = self.match.propose(command)
        assert isinstance(step, Step), str(step.fault)
        self.match = self.match.then(step)
        return step

    def refused(self, command: Any) -> tuple[str, str, str]:
        """Rule, fault and fix of an order that must be refused."""
        ruling = self.match.propose(command)
        assert isinstance(ruling, Refused), ruling
        return ruling.rule.key, str(ruling.fault), str(ruling.fix)

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

    def undo(self) -> None:
        step = self.match.undo()
        assert isinstance(step, Step)
        self.match = self.match.then(step)

    @property
    def points(self) -> tuple[int, ...]:
        return self.match.points

    @property
    def faults(self) -> list[str]:
        """What the conservation check finds wrong."""
        return list(map(str, self.match.game.audit(self.table).faults))
