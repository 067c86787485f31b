"""What robots add to the section `[kiosk]`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware.options import option

LEVELS: Final = ("easy", "normal", "hard")
"""How well robots play (`companion.robots.levels.Level`)."""


@dataclass(frozen=True, slots=True)
class RobotOptions:
    """How robots play with the visitors of a kiosk."""

    level: str = option("how well the robots play", "easy", among=LEVELS)
    placement_s: float = option(
        "seconds for which each card that is placed in a deal with robots is shown; OK goes on at once",
        2.0,
        low=1.2,
        high=30.0,
    )
