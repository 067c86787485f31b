"""How many commands a second the referee answers, with the reasons, for every game there is."""

from __future__ import annotations

import json
import math
import random
import subprocess
import time
from contextlib import contextmanager
from itertools import count
from typing import IO, TYPE_CHECKING, Final, TypeVar

from companion.core import games
from companion.core.cards import Seat
from companion.core.codec import encode
from companion.match.match import Step, Terms, begin
from companion.protocol.referee import Referee
from tools.bench.figure import Figure, at_least
from tools.bench.machine import HOUSE
from tools.bench.programs import bare, environment, nimmt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tools.bench.effort import Effort

Q = TypeVar("Q")
A = TypeVar("A")

LIMIT_PER_S: Final = 2000.0
LEAST_OF_JSON: Final = 0.28
"""The rate of the referee as a part of that of JSON alone; measured 0.30 to 0.33."""

_ROUNDS: Final = 5
_MOST_COMPARED: Final = 1500
_COMMANDS_IN_A_MATCH: Final = 300  # then the next match, with another number of players
_ECHO: Final = "import sys\nfor line in sys.stdin.buffer: sys.stdout.buffer.write(line); sys.stdout.flush()"


def measure(effort: Effort) -> list[Figure]:
    """Three figures a game: the referee as a function, beside JSON alone, and as `nimmt referee`."""
    return [figure for key in games.GAMES for figure in _of_game(key, effort.commands)]


def _of_game(key: str, commands: int) -> list[Figure]:
    lines = list(conversation(key, commands))
    referee = Referee()

    called_s, answers = _asked(lambda line: json.dumps(referee.answer(line)).encode(), lines)
    parsed_s, _ = _asked(lambda answer: json.dumps(json.loads(answer)), answers)
    with _process(nimmt("referee")) as ask:
        piped_s, piped = _asked(ask, lines)
    with _process(bare(_ECHO)) as ask:
        echoed_s, _ = _asked(ask, lines)
    for answer in (*answers, *piped):
        if not json.loads(answer)["ok"]:
            raise RuntimeError(f"the referee refuses a legal command: {answer!r}")
    about = f"commands a second that the referee of {games.module(key).TITLE} answers with reasons"
    seats = games.module(key).SEATS
    note = f"{commands} random legal commands, {seats[0]} to {seats[-1]} players"
    return [
        Figure(
            name=f"referee.{key}",
            about=f"{about}, called as a function",
            measured=commands / called_s,
            unit="/s",
            floor=commands / parsed_s,
            floor_is="reading and writing the same answers as JSON, without any rule",
            note=note,
        ),
        Figure(
            name=f"referee.{key}-to-json",
            about=f"the rate of the referee of {games.module(key).TITLE} as a part of that of JSON alone",
            measured=_part_of_json(lines[:_MOST_COMPARED]),
            unit="",
            limit=at_least(LEAST_OF_JSON),
            floor=1.0,
            floor_is="reading and writing the same answers as JSON, without any rule",
            note=f"processor time, of each command the shortest of {_ROUNDS}; {note}",
        ),
        Figure(
            name=f"referee.{key}-piped",
            about=f"{about}, as `nimmt referee`, each after the answer to the one before",
            measured=commands / piped_s,
            unit="/s",
            limit=at_least(LIMIT_PER_S),
            floor=commands / echoed_s,
            floor_is="a Python that sends every line back unchanged",
            note=f"`nimmt referee`; {note}",
        ),
    ]


def _part_of_json(lines: list[bytes]) -> float:
    """The processor time of JSON alone for the answers, divided by that of the referee.

    Of each line the shortest of some rounds counts, and both are measured side by side: so what other
    programs take hardly changes it.
    """
    told, parsed = [math.inf] * len(lines), [math.inf] * len(lines)
    for _ in range(_ROUNDS):
        referee = Referee()
        for place, line in enumerate(lines):
            began_s = time.thread_time()
            answer = json.dumps(referee.answer(line)).encode()
            told_s = time.thread_time()
            json.dumps(json.loads(answer))
            parsed_s = time.thread_time()
            told[place] = min(told[place], told_s - began_s)
            parsed[place] = min(parsed[place], parsed_s - told_s)
    return sum(parsed) / sum(told)


def conversation(key: str, commands: int) -> Iterator[bytes]:
    """Requests that play matches by chance, over every number of players; so many commands in all."""
    rng = random.Random(f"{key} {commands}")
    seats = games.module(key).SEATS
    left = commands
    for number in count():
        players = seats[number % len(seats)]
        match, people = (
            begin(Terms(key, players, {}, Seat(number % players))),
            games.module(key).Bots(rng),
        )
        yield json.dumps({"new": key, "seats": players, "first": number % players}).encode()
        for _ in range(_COMMANDS_IN_A_MATCH):
            if not left:
                return
            if not match.asks:
                break
            answer = people.answer(match.position.table, match.asks)
            step = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
            if not isinstance(step, Step):
                raise RuntimeError(f"the scripted players of {key} made an illegal move: {step.fault}")  # noqa: TRY004
            match = match.then(step)
            left -= 1
            yield json.dumps({"do": encode(step.command)}).encode()


def _asked(ask: Callable[[Q], A], questions: list[Q]) -> tuple[float, list[A]]:
    """How many seconds it takes to ask everything, one after the other, and the answers."""
    began_s = time.perf_counter()
    answers = [ask(question) for question in questions]
    return time.perf_counter() - began_s, answers


@contextmanager
def _process(command: list[str]) -> Iterator[Callable[[bytes], bytes]]:
    """A program that answers a line with a line."""
    with subprocess.Popen(  # noqa: S603 - our own programs
        command, cwd=HOUSE, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        gives, takes = _pipes(process)

        def ask(line: bytes) -> bytes:
            gives.write(line + b"\n")
            gives.flush()
            if not (answer := takes.readline()):
                raise RuntimeError(f"{command[0]} has ended instead of answering")
            return answer

        ask(b'{"schema": true}')  # it has started and imported everything
        yield ask
        gives.close()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("a process without pipes")
    return process.stdin, process.stdout
