"""What a long trial did, line by line while it goes on, and as one table at its end."""

import sys
from dataclasses import dataclass, field


@dataclass
class Report:
    """What was tried and what came of it; `rows` make the table."""

    rows: list[tuple[str, str]] = field(default_factory=list)

    def did(self, what: str, result: str) -> None:
        self.rows.append((what, result))
        sys.stderr.write(f"{what}: {result}\n")

    def goes_on(self, what: str) -> None:
        """Show that it goes on; not for the table."""
        sys.stderr.write(f"  {what}\n")

    def table(self) -> str:
        return "\n".join(
            ["| what was done | what came of it |", "|---|---|", *(f"| {a} | {b} |" for a, b in self.rows)]
        )


def spread(seconds: list[float]) -> str:
    """The middle one, the shortest and the longest."""
    return f"{sorted(seconds)[len(seconds) // 2]:.1f} s ({min(seconds):.1f} to {max(seconds):.1f})"
