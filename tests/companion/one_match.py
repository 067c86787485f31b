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

    def __init__(self, game: str, seats: int, first: int = 0, **options: Any) -> None:
        self.match: Match = begin(Terms(game, seats, options, Seat(first)))

    def do(self, command: Any) -> Step:
        """An order that must stand."""
        self.match = after(self.match, command)
        assert self.match.newest is not None
        return self.match.newest

    def counted(self, step: Step) -> Step:
        """The step that was just made, which must have left every card counted."""
        audit = self.match.game.audit(self.match.position.table)
        assert audit.sound, (audit, [str(fault) for fault in audit.faults])
        return step

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
