"""The session of docs/robots.md with a program: what the arena says, and what is answered."""

import json
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.robots.arena import six_rounds
from companion.robots.arena.program import Program, entry
from companion.robots.arena.standing import Entry

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


def session(answers: Sequence[str]) -> str:
    """The session of a program that answers so."""
    shown, left, asked = [], iter(answers), count()
    for line in told(answers):
        if "ask" in json.loads(line) and next(asked) >= len(answers):
            break
        shown.append(line)
        if "ask" in json.loads(line):
            shown.append(f"> {next(left)}")
    return "".join(f"{line}\n" for line in shown)
