"""A match in a test: orders that must stand, orders that must be refused."""

from typing import Any

from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.match.match import Match, Step, Terms, begin


def after(match: Match, *commands: Any) -> Match:
    """The match after orders that must stand."""
    for command in commands:
        step = match.propose(command)
        assert isinstance(step, Step), (command, str(step.fault), str(step.fix))
        match = match.then(step)
    return match


class OneMatch:
    """A match that remembers where it stands; seats count from 0."""

    COUNTS = False

    def __init__(self, game: str, seats: int, first: int = 0, **options: Any) -> None:
        self.match: Match = begin(Terms(game, seats, options, Seat(first)))

    @property
    def game(self) -> Any:
        return self.match.game

    @property
    def table(self) -> Any:
        return self.match.position.table

    def do(self, command: Any) -> Step:
        """An order that must stand, and leave every card counted if `COUNTS`."""
        self.match = after(self.match, command)
        audit = self.game.audit(self.table)
        assert audit.sound or not self.COUNTS, (audit, [str(fault) for fault in audit.faults])
        assert self.match.newest is not None
        return self.match.newest

    def refused(self, command: Any) -> Refused:
        """An order that must be refused, with words that can be shown."""
        ruling = self.match.propose(command)
        assert isinstance(ruling, Refused), ruling
        assert str(ruling.fault)
        assert str(ruling.fix)
        return ruling

    def rule(self, command: Any) -> str:
        """The key of the rule by which an order is refused."""
        return self.refused(command).rule.key

    def fault(self, command: Any) -> str:
        """What is wrong with an order that is refused."""
        return str(self.refused(command).fault)

    def fix(self, command: Any) -> str:
        """What to do in place of an order that is refused."""
        return str(self.refused(command).fix)

    def refusal(self, command: Any) -> tuple[str, str, str]:
        """Rule, fault and fix of an order that is refused."""
        return self.rule(command), self.fault(command), self.fix(command)

    def undo(self) -> None:
        step = self.match.undo()
        assert isinstance(step, Step)
        self.match = self.match.then(step)

    def redo(self) -> None:
        step = self.match.redo()
        assert isinstance(step, Step)
        self.match = self.match.then(step)
