"""A program as a player: questions as JSON lines to its standard input, answers from its standard output.

The protocol is described in docs/robots.md, the form of its objects in `schema`. Whatever the program does,
there is an answer in time: one that is late, illegal or no JSON, and every one after its end, is made by the
normal robot in its place, and is counted.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Final

from companion.robots.six.simple import Normal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.robots.arena.entry import Spent
    from companion.robots.six.seen import Seen

VERSION: Final = 1
_LONGEST_LINE: Final = 65_536
_LINES_KEPT: Final = 100
"""A program that writes more without being asked waits until somebody reads it."""


class Program:
    """A program that plays 6 nimmt!. Starting it raises `OSError` where there is no such program.

    `tell` gets a sentence for each of its faults. `close` ends it, with whatever it started in its group.
    """

    def __init__(
        self, words: Sequence[str], *, limit_s: float, spent: Spent, tell: Callable[[str], None]
    ) -> None:
        self._name: Final = words[0]
        self._limit_s: Final = limit_s
        self._spent: Final = spent
        self._tell: Final = tell
        self._fallback: Final = Normal()
        self._asked = 0
        self._lost = False
        self._process: Final = subprocess.Popen(  # noqa: S603 - the program that was named
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        if self._process.stdin is None or self._process.stdout is None:  # pragma: no cover - asked for above
            raise RuntimeError("a process without pipes")
        self._into: Final = self._process.stdin
        self._out: Final = self._process.stdout
        # Threads of their own read and write: a program that neither reads nor writes holds up nobody.
        self._answers: Final[queue.Queue[bytes]] = queue.Queue(_LINES_KEPT)
        self._questions: Final[queue.Queue[bytes | None]] = queue.Queue()
        threading.Thread(target=self._read, args=(self._out,), daemon=True).start()
        self._writer: Final = threading.Thread(target=self._write, daemon=True)
        self._writer.start()
        self._send(
            {"hello": "nimmt arena", "version": VERSION, "game": "six", "limit_ms": round(limit_s * 1000)}
        )

    def card(self, seen: Seen) -> int:
        """The card that the program plays, or the fallback if it makes none that is legal."""
        question = {"ask": "card", **_sight(seen)}
        answer = self._answer(question, "card", seen.hand)
        return self._fallback.card(seen) if answer is None else answer

    def row(self, seen: Seen) -> int:
        """The row that the program takes, or the fallback."""
        question = {"ask": "row", **_sight(seen), "cards": list(seen.shown)}
        answer = self._answer(question, "row", range(len(seen.rows)))
        return self._fallback.row(seen) if answer is None else answer

    def close(self) -> None:
        """End the program."""
        self._questions.put(None)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._writer.join(timeout=self._limit_s)
        for pipe in (self._into, self._out):
            with suppress(OSError):
                pipe.close()

    def _answer(self, question: dict[str, Any], key: str, legal: Sequence[int]) -> int | None:
        self._asked += 1
        if self._lost:
            self._spent.faults += 1
            return None
        self._send({**question, "id": self._asked})
        until_s = time.monotonic() + self._limit_s
        while True:
            try:
                line = self._answers.get(timeout=until_s - time.monotonic())
            except (queue.Empty, ValueError):  # the time is up; without a pause even if lines go on coming
                fault = f"no answer within {self._limit_s:g} s"
                break
            if not line:
                self._lost, fault = True, "the program has ended; the normal robot plays on in its place"
                break
            answer = _read(line)
            if not isinstance(answer, dict):
                fault = f"not a JSON object: {line[:60]!r}"
                break
            if answer.get("id", self._asked) != self._asked:
                continue  # the answer to a question that was lost because it came too late
            found = answer.get(key)
            if type(found) is int and found in legal:
                return found
            fault = f'"{key}" is {found!r}; one of these is legal: {list(legal)}'
            break
        self._fault(fault)
        return None

    def _fault(self, fault: str) -> None:
        self._spent.faults += 1
        self._tell(f"{self._name}: {fault}")
        self._send({"fault": fault})

    def _send(self, record: dict[str, Any]) -> None:
        self._questions.put(json.dumps(record).encode() + b"\n")

    def _write(self) -> None:
        while (line := self._questions.get()) is not None:
            try:
                self._into.write(line)
                self._into.flush()
            except (OSError, ValueError):  # it has ended; the reader says so
                return

    def _read(self, out: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while line := out.readline(_LONGEST_LINE):
                self._answers.put(line)
        self._answers.put(b"")


def _read(line: bytes) -> Any:  # noqa: ANN401 - it comes from outside, anything may come
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _sight(seen: Seen) -> dict[str, Any]:
    return {
        "seats": seen.seats,
        "seat": seen.seat,
        "hand": list(seen.hand),
        "rows": [list(row) for row in seen.rows],
        "turns": [
            {"rows": [list(row) for row in turn.rows], "cards": list(turn.cards)} for turn in seen.turns
        ],
        "heads": list(seen.heads),
        "totals": list(seen.totals),
        "target": seen.target or None,
    }
