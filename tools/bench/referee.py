"""How many commands a second the referee answers with the reasons, beside JSON alone, for every game."""

import json
import math
import random
import time
from collections.abc import Iterator
from itertools import count
from typing import Final

from companion.core import games
from companion.core.cards import Seat
from companion.core.codec import encode
from companion.match.dealer import players_by_chance
from companion.match.match import Step, Terms, begin
from companion.protocol.referee import Referee
from tools.bench.figure import Effort, Figure, at_least

_LEAST_OF_JSON: Final = 0.35
_ROUNDS: Final = 5
_COMMANDS_IN_A_MATCH: Final = 300  # then the next match, with another number of players


def referee(effort: Effort) -> list[Figure]:
    return [_of_game(key, effort.commands) for key in games.GAMES]


def _of_game(key: str, commands: int) -> Figure:
    """The processor time of JSON alone for the answers, divided by that of the referee.

    Of each line the shortest of some rounds counts, and both are measured side by side: so what other
    programs take hardly changes it.
    """
    lines = list(_conversation(key, commands))
    told, parsed = [math.inf] * len(lines), [math.inf] * len(lines)
    for _ in range(_ROUNDS):
        judge = Referee()
        for place, line in enumerate(lines):
            began_s = time.thread_time()
            answer = judge.reply(line)
            told_s = time.thread_time()
            read = json.loads(answer)
            json.dumps(read)
            parsed_s = time.thread_time()
            if not read["ok"]:
                raise RuntimeError(f"the referee refuses a legal command: {answer!r}")
            told[place] = min(told[place], told_s - began_s)
            parsed[place] = min(parsed[place], parsed_s - told_s)
    seats = games.module(key).SEATS
    return Figure(
        f"referee.{key}-to-json",
        sum(parsed) / sum(told),
        "",
        at_least(_LEAST_OF_JSON),
        floor=1.0,
        note=(
            f"{len(lines) / sum(told):,.0f} commands a second of processor time, of each the shortest of "
            f"{_ROUNDS}; random legal ones, {seats[0]} to {seats[-1]} players"
        ),
    )


def _conversation(key: str, commands: int) -> Iterator[bytes]:
    """Requests that play matches by chance, over every number of players; so many commands in all."""
    rng = random.Random(f"{key} {commands}")
    seats = games.module(key).SEATS
    left = commands
    for number in count():
        players = seats[number % len(seats)]
        match = begin(Terms(key, players, {}, Seat(number % players)))
        people = players_by_chance(key, rng)
        yield json.dumps({"new": key, "seats": players, "first": number % players}).encode()
        for _ in range(_COMMANDS_IN_A_MATCH):
            if not left:
                return
            if not match.asks:
                break
            answer = people.answer(match)
            step = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
            if not isinstance(step, Step):
                raise RuntimeError(f"the scripted players of {key} made an illegal move: {step.fault}")  # noqa: TRY004
            match = match.then(step)
            left -= 1
            yield json.dumps({"do": encode(step.command)}).encode()
