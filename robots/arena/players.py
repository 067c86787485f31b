"""The players that can be named in the arena."""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING, Final

from companion.errors import CompanionError, did_you_mean, quoted
from robots import levels
from robots.arena.entry import Entry
from robots.levels import Level

if TYPE_CHECKING:
    from collections.abc import Callable

    from robots.six.player import SixPlayer

PROGRAM: Final = "cmd:"
"""What the name of a program begins with."""

OTHERS: Final = {
    "greedy": "the card that costs least now",
    "mc-64": "Monte Carlo, greedy rollouts, 64 worlds, own heads against the others'",
    "mcs-50": "Monte Carlo, random rollouts, 50 worlds for each card, own heads",
}
"""Players for comparison, and what they do."""


def entry(name: str, number: int, *, limit_s: float, tell: Callable[[str], None]) -> Entry:
    """The player of this name, whose seed is `number`; programs answer within `limit_s`.

    Raises `CompanionError` for a name that is none, for a program that cannot be started, and where numpy is
    missing.
    """
    if name.startswith(PROGRAM):
        return _program(name, limit_s, tell)
    return Entry(name, _robot(name, number), time.thread_time)


def _robot(name: str, seed: int) -> SixPlayer:
    if name in (level.value for level in Level):
        return levels.six(Level(name), seed)
    if name == "greedy":
        from robots.six.simple import Greedy

        return Greedy()
    if name in OTHERS:
        levels.need_numpy()
        from robots.six.monte_carlo import GreedyRollouts, RandomRollouts

        return GreedyRollouts(seed) if name == "mc-64" else RandomRollouts(seed)
    known = (*(level.value for level in Level), *OTHERS)
    raise CompanionError(
        f"there is no player {quoted(name)} here", f'{did_you_mean(name, known)}, or "{PROGRAM}PROGRAM"'
    )


def _program(name: str, limit_s: float, tell: Callable[[str], None]) -> Entry:
    from robots.arena.program import Program

    try:
        words = shlex.split(name.removeprefix(PROGRAM))
    except ValueError as bad:
        raise CompanionError(f"{quoted(name)} cannot be read: {bad}", "close every quotation mark") from None
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
