"""What robots add to the section `[kiosk]`, and to the commands of the box: `nimmt demo --level`."""

from argparse import Namespace
from random import Random
from typing import Annotated, Final

from companion.match.dealer import Dealer
from companion.robots.levels import Level, robots
from companion.values import Value
from firmware.commands import declared
from hardware.options import option

_LEVELS: Final = tuple(level.value for level in Level)


class RobotOptions(Value):
    """How robots play with the visitors of a kiosk."""

    level: Annotated[str, option("how well the robots play", among=_LEVELS)] = "easy"
    placement_s: Annotated[
        float,
        option(
            "seconds for which each placed card is shown in a deal with robots; OK continues at once",
            low=1.2,
            high=30.0,
        ),
    ] = 2.0


def _robots(args: Namespace, rng: Random) -> Dealer | None:
    return robots(args.game, [Level(args.level)] * args.seats, rng) if args.level else None


DEMO: Final = declared.Addition(
    use=_robots,
    options=(
        declared.option(
            "--level",
            choices=_LEVELS,
            help="let robots of this level play instead of random players; not each game has all levels",
        ),
    ),
)
