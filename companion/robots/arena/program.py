"""The players that can be named in the arena: robots, and programs that answer JSON lines with JSON lines.

The protocol is described in docs/robots.md, the form of its objects in `schema`. Whatever the program does,
there is an answer in time: one that is late, illegal or no JSON, and every one after its end, is made by the
normal robot in its place, and is counted.
"""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import Meta, MsgspecError
from msgspec.json import decode

from companion.core.cards import HIGHEST, ROW_LENGTH, ROWS, TURNS
from companion.core.codec import json_schema, to_json
from companion.robots import levels
from companion.robots.arena.standing import Entry, MoveTimes
from companion.robots.levels import Level
from companion.robots.rollouts import NO_LIMIT, Budget
from companion.robots.six.plain import Greedy, Normal
from companion.text.errors import CompanionError, did_you_mean, quoted
from companion.values import Value

if TYPE_CHECKING:
    from companion.robots.six.seen import SixPlayer, SixPlayerView

PROGRAM: Final = "cmd:"
"""What the name of a program begins with."""

OTHERS: Final = {
    "greedy": "the card that costs least now",
    "mc-64": "Monte Carlo, greedy rollouts, 64 worlds, own heads against the others'",
    "mcs-50": "Monte Carlo, random rollouts, 50 worlds for each card or row, own heads",
}
"""Players for comparison, and what they do."""

VERSION: Final = 1
_LONGEST_LINE: Final = 65_536
_LINES_KEPT: Final = 100
"""A program that writes more without being asked waits until somebody reads it."""


_MOST_SEATS: Final = 10

_Whole = Annotated[int, Meta(ge=1)]
_Card = Annotated[int, Meta(ge=1, le=HIGHEST)]
_Row = Annotated[tuple[_Card, ...], Meta(min_length=1, max_length=ROW_LENGTH)]
_Rows = Annotated[tuple[_Row, ...], Meta(min_length=ROWS, max_length=ROWS)]
_Cards = Annotated[tuple[_Card, ...], Meta(min_length=2, max_length=_MOST_SEATS)]
_Hand = Annotated[
    tuple[_Card, ...], Meta(min_length=0, max_length=TURNS, extra_json_schema={"uniqueItems": True})
]
_Counts = Annotated[tuple[Annotated[int, Meta(ge=0)], ...], Meta(min_length=2, max_length=_MOST_SEATS)]


class _Message(Value, forbid_unknown_fields=True):
    pass


class Hello(_Message, tag_field="hello", tag="nimmt arena"):
    """What a program is told first."""

    version: Literal[1]
    game: Literal["six"]
    limit_ms: _Whole


class ArenaTurn(_Message):
    """A turn of this deal: the rows before it, and the cards by seat."""

    rows: _Rows
    cards: _Cards


class CardQuestion(_Message, tag_field="ask", tag="card"):
    """Which card to play."""

    seats: Annotated[int, Meta(ge=2, le=_MOST_SEATS)]
    seat: Annotated[int, Meta(ge=0, le=_MOST_SEATS - 1)]
    hand: _Hand
    rows: _Rows
    turns: Annotated[tuple[ArenaTurn, ...], Meta(min_length=0, max_length=TURNS - 1)]
    heads: _Counts
    totals: _Counts
    target: _Whole | None
    id: _Whole


class RowQuestion(CardQuestion, tag="row"):
    """Which row to take, now that all cards are shown."""

    cards: _Cards


class AnswerFault(_Message):
    """What was wrong with an answer."""

    fault: str


class CardAnswer(Value):
    """What a program answers; without `id` it is an answer to the newest question."""

    card: _Card
    id: _Whole = 0


class RowAnswer(Value):
    """The same with the number of a row."""

    row: Annotated[int, Meta(ge=0, le=ROWS - 1)]
    id: _Whole = 0


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12); `told` is any line that a program reads, `answered` any that it writes."""
    told = {"hello": Hello, "card": CardQuestion, "row": RowQuestion, "fault": AnswerFault}
    answered = {"card_answer": CardAnswer, "row_answer": RowAnswer}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"programs in the arena of nimmt-companion, version {VERSION}",
        "$defs": {
            "told": {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in told]},
            "answered": {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in answered]},
            **{name: json_schema(kind) for name, kind in (told | answered).items()},
        },
    }


class Program:
    """A program that plays 6 nimmt!. Starting it raises `OSError` where there is no such program.

    `tell` gets a sentence for each of its faults. `close` ends it, with whatever it started in its group.
    """

    def __init__(
        self, words: Sequence[str], *, limit_s: float, spent: MoveTimes, tell: Callable[[str], None]
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
        self._send(Hello(VERSION, "six", round(limit_s * 1000)))

    def card(self, seen: SixPlayerView) -> int:
        """The card that the program plays, or the fallback if it makes none that is legal."""
        answer = self._answer(lambda number: CardQuestion(*_sight(seen, number)), "card", seen.hand)
        return self._fallback.card(seen) if answer is None else answer

    def row(self, seen: SixPlayerView) -> int:
        """The row that the program takes, or the fallback."""
        rows = range(len(seen.rows))
        answer = self._answer(lambda number: _row_question(seen, number), "row", rows)
        return self._fallback.row(seen) if answer is None else answer

    def close(self) -> None:
        self._questions.put(None)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._writer.join(timeout=self._limit_s)
        for pipe in (self._into, self._out):
            with suppress(OSError):
                pipe.close()

    def _answer(self, question: Callable[[int], CardQuestion], key: str, legal: Sequence[int]) -> int | None:
        self._asked += 1
        if self._lost:
            self._spent.faults += 1
            return None
        self._send(question(self._asked))
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
        self._send(AnswerFault(fault))

    def _send(self, message: Value) -> None:
        self._questions.put(to_json(message) + b"\n")

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
        return decode(line)
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _sight(seen: SixPlayerView, number: int) -> tuple[Any, ...]:
    """The fields of a question that are the same for a card and for a row."""
    turns = tuple(ArenaTurn(turn.rows, turn.cards) for turn in seen.turns)
    target = seen.target or None
    return seen.seats, seen.seat, seen.hand, seen.rows, turns, seen.heads, seen.totals, target, number


def _row_question(seen: SixPlayerView, number: int) -> RowQuestion:
    fields = (*_sight(seen, number), seen.shown)
    return RowQuestion(*fields)


def entry(
    name: str,
    number: int,
    *,
    limit_s: float,
    tell: Callable[[str], None],
    game: str = "six",
    think_s: float | None = None,
) -> Entry:
    """The player of this name for a game, whose seed is `number`; programs answer within `limit_s`.

    Robots think for `think_s` seconds; with None as long as they like, and so the same at every time.

    Raises `CompanionError` for a name that is none, for a program that cannot be started, and where numpy is
    missing. 11 nimmt! and Ciao! are played by the robots of the levels only.
    """
    budget = NO_LIMIT if think_s is None else Budget(time.monotonic, think_s)
    known = tuple(level.value for level in Level)
    if name in known:
        return Entry(name, levels.robot(game, Level(name), number, budget), time.thread_time)
    if game != "six":
        raise CompanionError(f"{quoted(name)} does not play this game", did_you_mean(name, known))
    if name.startswith(PROGRAM):
        return _program(name, limit_s, tell)
    if name not in OTHERS:
        others = (*known, *OTHERS, f"{PROGRAM}PROGRAM")
        raise CompanionError(f"there is no player {quoted(name)} here", did_you_mean(name, others))
    return Entry(name, _other(name, number), time.thread_time)


def _other(name: str, seed: int) -> SixPlayer:
    if name == "greedy":
        return Greedy()
    levels.need_numpy()
    from companion.robots.six.monte_carlo import greedy_rollouts, random_rollouts

    return greedy_rollouts(seed) if name == "mc-64" else random_rollouts(seed)


def _program(name: str, limit_s: float, tell: Callable[[str], None]) -> Entry:
    try:
        words = shlex.split(name.removeprefix(PROGRAM))
    except ValueError as bad:
        raise CompanionError(
            f"{quoted(name)} cannot be read: {bad}",
            "close every quotation mark",
        ) from None
    if not words:
        raise CompanionError("a program has no name", f'name it, as in "{PROGRAM}./my-bot"')
    made = Entry(name, None, time.perf_counter)
    try:
        made.player = Program(words, limit_s=limit_s, spent=made.spent, tell=tell)
    except OSError as bad:
        raise CompanionError(
            f"{quoted(words[0])} cannot be started: {bad.strerror}",
            "check its path, and that it may be executed",
        ) from None
    return made
