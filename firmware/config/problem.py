"""What is wrong with a configuration: every problem, in one error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from companion.text.sentence import Text, count, say
from companion.values import Value

if TYPE_CHECKING:
    from firmware.text.translation import Translator


class Problem(Value):
    """One fault of a configuration file.

    `path` is the key ("scanner.baud", "buttons.pins.ok"), `position` the position of a syntax error ("line 3,
    column 5"), both empty for the whole file; `came` is the value in TOML syntax, empty if there is none;
    `fault_text` and `fix_text` have no full stop.
    """

    path: str
    came: str
    fault_text: Text
    fix_text: Text
    position: Text | None = None

    @property
    def fault(self) -> str:
        """What is wrong, in English."""
        return str(self.fault_text)

    @property
    def fix(self) -> str:
        """What to do, in English."""
        return str(self.fix_text)

    @property
    def text(self) -> Text:
        """One line: `scanner.baud = "fast": is text, not a whole number (write ...)`."""
        place: Text | str = f"{self.path} = {self.came}" if self.came else self.path
        place = place if self.position is None else self.position
        if place:
            return say("{place}: {fault} ({fix})", place=place, fault=self.fault_text, fix=self.fix_text)
        return say("{fault} ({fix})", fault=self.fault_text, fix=self.fix_text)

    def __str__(self) -> str:
        """The same in English."""
        return str(self.text)


class ConfigError(CompanionError, ValueError):
    """A configuration cannot be used; `problems` holds all faults, at least one.

    `where` names the file. The text of the error is one line for the file and one for each problem.
    """

    def __init__(self, where: Text | str, problems: tuple[Problem, ...]) -> None:
        fault = count(
            "{where} has one fault: {problem}",
            "{where} has {count} faults: {problem}",
            len(problems),
            where=where,
            problem=problems[0].text,
        )
        super().__init__(fault, say("fix the file, then run: nimmt config check"))
        self.where = where
        self.problems = problems

    def __str__(self) -> str:
        """All of it in English."""
        return "\n".join([str(self._head), *(f"  {problem}" for problem in self.problems)])

    def said(self, t: Translator) -> str:
        """The file, then each problem on a line of its own."""
        return "\n".join([t.say(self._head), *(f"  {t.say(problem.text)}" for problem in self.problems)])

    @property
    def _head(self) -> Text:
        return say("{where} cannot be used:", where=self.where)
