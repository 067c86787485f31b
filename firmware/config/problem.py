"""What is wrong with a configuration: every problem, in one error."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import CompanionError


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a configuration file.

    `path` is the key ("scanner.baud", "buttons.pins.ok"), the position of a syntax error ("line 3, column
    5"), or empty for the whole file; `came` is the value in TOML syntax, empty if there is none; `fault` and
    `fix` are English without a full stop.
    """

    path: str
    came: str
    fault: str
    fix: str

    def __str__(self) -> str:
        """One line: `scanner.baud = "fast": is text, not a whole number (write ...)`."""
        place = f"{self.path} = {self.came}" if self.came else self.path
        return f"{place}: {self.fault} ({self.fix})" if place else f"{self.fault} ({self.fix})"


class ConfigError(CompanionError, ValueError):
    """A configuration cannot be used; `problems` holds all faults, at least one.

    `where` names the file. The text of the error is one line for the file and one for each problem.
    """

    def __init__(self, where: str, problems: tuple[Problem, ...]) -> None:
        count = "one fault" if len(problems) == 1 else f"{len(problems)} faults"
        super().__init__(f"{where} has {count}: {problems[0]}", "fix the file, then run: nimmt config check")
        self.where = where
        self.problems = problems

    def __str__(self) -> str:
        """The file, then each problem on a line of its own."""
        return "\n".join([f"{self.where} cannot be used:", *(f"  {problem}" for problem in self.problems)])
