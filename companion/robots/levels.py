"""The levels of robots, and the robot of a level for a game."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from companion.core import games
from companion.robots.rollouts import Budget
from companion.text.errors import CompanionError
from companion.text.sentence import say

if TYPE_CHECKING:
    from companion.robots.ciao.players import CiaoPlayer
    from companion.robots.eleven.players import ElevenPlayer
    from companion.robots.six.seen import SixPlayer


class Level(Enum):
    """How well a robot plays; the value is its name."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


GAMES: Final = ("six", "eleven", "ciao")
"""The games that robots play, on every level."""

THINK_S: Final = 0.5
"""After so long a robot has answered."""


def check(game: str, level: Level) -> None:
    """Raises `CompanionError` where no robot of this level can play this game here."""
    if game not in GAMES:
        title = games.module(game).TITLE
        raise CompanionError(say("no robot plays {game}", game=title), say("let it be played by chance"))
    if game == "six" and level is Level.HARD:
        need_numpy()


def six(
    level: Level, seed: int = 0, clock: Callable[[], float] | None = None, think_s: float = THINK_S
) -> SixPlayer:
    """A robot for 6 nimmt!, which thinks for `think_s` seconds of `clock`, or as long as it likes.

    Raises `CompanionError` where the hard one has no numpy.
    """
    from companion.robots.six import simple

    match level:
        case Level.EASY:
            return simple.Easy(seed)
        case Level.NORMAL:
            return simple.Normal()
        case Level.HARD:
            need_numpy()
            from companion.robots.six.hard import Hard

            return Hard(seed, clock=clock, think_s=think_s)


def eleven(
    level: Level, seed: int = 0, clock: Callable[[], float] | None = None, think_s: float = THINK_S
) -> ElevenPlayer:
    """A robot for 11 nimmt!, which thinks for `think_s` seconds of `clock`, or as long as it likes."""
    from companion.robots.eleven import players

    match level:
        case Level.EASY:
            return players.Easy(seed)
        case Level.NORMAL:
            return players.Normal()
        case Level.HARD:
            return players.Hard(seed, budget=Budget(clock, think_s))


def ciao(
    level: Level, seed: int = 0, clock: Callable[[], float] | None = None, think_s: float = THINK_S
) -> CiaoPlayer:
    """A robot for Ciao!, which thinks for `think_s` seconds of `clock`, or as long as it likes."""
    from companion.robots.ciao import players

    match level:
        case Level.EASY:
            return players.Easy(seed)
        case Level.NORMAL:
            return players.Normal()
        case Level.HARD:
            return players.Hard(seed, budget=Budget(clock, think_s))


def need_numpy() -> None:
    """Raises `CompanionError`, which says how to get numpy, where there is none; imports nothing of it."""
    if find_spec("numpy") is None:
        raise CompanionError(
            say("hard robots for 6 nimmt! need numpy, which is not installed"),
            say("install it (Debian: apt install python3-numpy), or choose the level normal"),
        )
