"""The levels of robots, and the robot of a level for a game."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from companion.errors import CompanionError

if TYPE_CHECKING:
    from robots.six.player import SixPlayer


class Level(Enum):
    """How well a robot plays; the value is its name."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


def six(level: Level, seed: int = 0) -> SixPlayer:
    """A robot for 6 nimmt!. Raises `CompanionError` where the hard one has no numpy."""
    from robots.six import simple

    match level:
        case Level.EASY:
            return simple.Easy(seed)
        case Level.NORMAL:
            return simple.Normal()
        case Level.HARD:
            need_numpy()
            from robots.six.hard import Hard

            return Hard(seed)


def need_numpy() -> None:
    """Raises `CompanionError`, which says how to get numpy, where there is none."""
    try:
        import numpy as _  # noqa: F401, ICN001
    except ImportError:
        raise CompanionError(
            "hard robots for 6 nimmt! need numpy, which is not installed",
            "install it (Debian: apt install python3-numpy), or choose the level normal",
        ) from None
