"""What robots add to the section `[kiosk]`."""

from typing import Annotated, Final

from companion.robots.levels import Level
from companion.values import Value
from hardware.options import option

LEVELS: Final = tuple(level.value for level in Level)


class RobotOptions(Value):
    """How robots play with the visitors of a kiosk."""

    level: Annotated[str, option("how well the robots play", among=LEVELS)] = "easy"
    placement_s: Annotated[
        float,
        option(
            "seconds for which each card that is placed in a deal with robots is shown; OK continues at once",
            low=1.2,
            high=30.0,
        ),
    ] = 2.0
