"""The levels of robots, and the robot of a level for a game."""

from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from companion.core import games
from companion.text.errors import CompanionError
from companion.text.sentence import say


class Level(Enum):
    """How well a robot plays; the value is its name."""

    EASY = "easy"
    NORMAL = "normal"
    GOOD = "good"
    HARD = "hard"


_FEW_WORLDS: Final = 4
"""The deals that a good robot imagines for each choice where it has not learned to play: 11 nimmt!, Ciao!"""

GAMES: Final = ("six", "eleven", "ciao")
"""The games that robots play, on every level."""


def check(game: str, level: Level) -> None:
    """Raises `CompanionError` where no robot of this level can play this game here."""
    if game not in GAMES:
        title = games.module(game).TITLE
        raise CompanionError(say("no robot plays {game}", game=title), say("let it be played by chance"))
    if game == "six" and level is Level.HARD:
        need_numpy()


def robot(game: str, level: Level, seed: int = 0) -> Any:  # noqa: ANN401 - as it says
    """The robot of a level: a `SixPlayer`, an `ElevenPlayer` or a `CiaoPlayer`.

    Raises `CompanionError` as `check` does.
    """
    check(game, level)
    of_six = "hard" if level is Level.HARD else "plain"
    players = import_module(f"companion.robots.{game}.{of_six if game == 'six' else 'players'}")
    match level:
        case Level.EASY:
            return players.Easy(seed)
        case Level.NORMAL:
            return players.Normal()
        case Level.GOOD:
            return players.Learned() if game == "six" else players.Hard(seed, _FEW_WORLDS)
        case Level.HARD:
            return players.Hard(seed)


def need_numpy() -> None:
    """Raises `CompanionError`, which says how to get numpy, where there is none; imports nothing of it."""
    if find_spec("numpy") is None:
        raise CompanionError(
            say("hard robots for 6 nimmt! need numpy, which is not installed"),
            say("install it (Debian: apt install python3-numpy), or choose the level normal"),
        )
