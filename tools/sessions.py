"""The sessions of the documentation, played again: what is sent, and what is answered and told."""

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.robots.arena import six_rounds
from companion.robots.arena.program import Program, entry
from companion.robots.arena.standing import Entry
from firmware.table_socket.client import Connection
from tools.bench.wired import live_table

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


def arena(answers: Sequence[str]) -> str:
    """The session of docs/robots.md with a program: what the arena says, and what is answered."""
    shown, left, asked = [], iter(answers), count()
    for line in told(answers):
        if "ask" in json.loads(line) and next(asked) >= len(answers):
            break
        shown.append(line)
        if "ask" in json.loads(line):
            shown.append(f"> {next(left)}")
    return "".join(f"{line}\n" for line in shown)


_BEFORE: Final = "R1 b1 b2 b3 OK R1 R1 12 37 43 58 14 44"
_SHOWN: Final = ("hello", "snapshot", "step", "refused", "answer")
_LONG: Final = ("table", "picture", "steps", "health", "page")
_PATIENCE_S: Final = 300.0


def table_socket(requests: Sequence[str]) -> str:
    """The session of docs/table-socket.md: these lines are sent, each once the one before it is answered."""
    shown: list[str] = []
    with (
        TemporaryDirectory(prefix="nimmt-page-") as folder,
        live_table(Path(folder), _BEFORE),
        Connection(Path(folder) / "table.sock", _PATIENCE_S) as connection,
    ):
        objects = iter(connection)
        _until("snapshot", objects, shown)
        for request in requests:
            shown.append(f"> {request}")
            connection.send(json.loads(request))
            _until("answer", objects, shown)
    return "".join(f"{line}\n" for line in shown)


def _until(kind: str, objects: Iterator[dict[str, Any]], shown: list[str]) -> None:
    for told in objects:
        if told["kind"] in _SHOWN:
            shown.append(json.dumps(_short(told), ensure_ascii=False))
        if told["kind"] == kind:
            return


def _short(told: dict[str, Any]) -> dict[str, Any]:
    """Without what is long, and without the numbers of events, which depend on what is told together."""
    long = _LONG if told["kind"] == "snapshot" else ()
    return {key: "..." if key in long else value for key, value in told.items() if key != "number"}
