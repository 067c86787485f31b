"""docs/robots.md: its session with a program is played. The schema stands beside it.

A line that begins with `> ` is
what the program answers; what the arena says stands above it. All other text of the page is written by hand.
"""

import json
import re
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.robots.arena import six_rounds
from companion.robots.arena.players import entry
from companion.robots.arena.program import Program, schema
from companion.robots.arena.standing import Entry

PAGE: Final = Path(__file__).parents[1] / "docs" / "robots.md"
SCHEMA: Final = PAGE.with_name("arena.schema.json")

_SESSION: Final = re.compile(r"(?<=^<!-- session -->\n\n```text\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
_SEED: Final = 2
_LIMIT_S: Final = 300.0


_PLAYER: Final = """
import json, sys
told, answers = open(sys.argv[1], "w", encoding="utf-8"), iter(sys.argv[2:])
for line in sys.stdin:
    told.write(line)
    told.flush()
    if "ask" in json.loads(line):
        answer = next(answers, None)
        if answer is None:
            break
        print(answer, flush=True)
"""
"""A program that writes down what it is told, and answers what stands on the page."""


def schema_text() -> str:
    return json.dumps(schema(), indent=1) + "\n"


def up_to_date(page: str) -> str:
    """The page with the session as it is today."""
    return _SESSION.sub(lambda found: _session(answers_on(found[0])), page)


def answers_on(page: str) -> list[str]:
    """What the program of a page answers, in order."""
    return re.findall(r"^> (.*)$", page, re.MULTILINE)


def told(answers: Sequence[str]) -> list[str]:
    """The lines that a program is told which answers so, in a round against the normal robot."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "told"
        normal = entry("normal", 1, limit_s=_LIMIT_S, tell=print)
        program = Entry("program", None, clock=lambda: 0.0)
        words = [sys.executable, "-c", _PLAYER, str(log), *answers]
        program.player = Program(words, limit_s=_LIMIT_S, spent=program.spent, tell=lambda _fault: None)
        try:
            next(six_rounds.play([program, normal], [0], _SEED, matches=False))
        finally:
            program.player.close()
        return log.read_text(encoding="utf-8").splitlines()


def _session(answers: Sequence[str]) -> str:
    shown, left, asked = [], iter(answers), count()
    for line in told(answers):
        if "ask" in json.loads(line) and next(asked) >= len(answers):
            break
        shown.append(line)
        if "ask" in json.loads(line):
            shown.append(f"> {next(left)}")
    return "".join(f"{line}\n" for line in shown)
