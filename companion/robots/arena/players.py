"""The players that can be named in the arena."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.robots import levels
from companion.robots.arena.standing import Entry
from companion.robots.levels import Level
from companion.robots.rollouts import NO_LIMIT, Budget
from companion.robots.six.plain import Greedy
from companion.text.errors import CompanionError, did_you_mean, quoted

if TYPE_CHECKING:
    from companion.robots.six.seen import SixPlayer


PROGRAM: Final = "cmd:"
"""What the name of a program begins with."""

OTHERS: Final = {
    "greedy": "the card that costs least now",
    "mc-64": "Monte Carlo, greedy rollouts, 64 worlds, own heads against the others'",
    "mcs-50": "Monte Carlo, random rollouts, 50 worlds for each card, own heads",
}
"""Players for comparison, and what they do."""


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
    from companion.robots.arena.program import Program

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
