"""What the trials share: whole systems are started, and a table says what was done and what came of it."""

import os
import sys
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

HANG_S: Final = 7200.0
"""What does not come within this time hangs. Nothing else depends on it: however busy this machine is, what
is only slow is waited for."""


@dataclass
class Report:
    """What was tried and what came of it."""

    rows: list[tuple[str, str]] = field(default_factory=list)

    def did(self, what: str, result: str) -> None:
        self.rows.append((what, result))
        sys.stderr.write(f"{what}: {result}\n")

    def table(self) -> str:
        rows = (f"| {what} | {result} |" for what, result in self.rows)
        return "\n".join(["| what was done | what came of it |", "|---|---|", *rows])


def begun(packages: Collection[str]) -> Report:
    """A report for a trial that may begin. Without root or these packages the program ends with 2."""
    if os.geteuid() or packages:
        sys.stderr.write(f"this needs root, and: apt install {' '.join(packages)}\n")
        sys.exit(2)
    return Report()


def comes(ready: Callable[[], bool], look_s: float = 0.1) -> bool:
    """Whether something begins to hold; it is asked every `look_s` seconds."""
    pause, deadline_s = threading.Event(), time.monotonic() + HANG_S  # nobody sets that event
    while not ready():
        if time.monotonic() > deadline_s:
            return False
        pause.wait(look_s)
    return True
